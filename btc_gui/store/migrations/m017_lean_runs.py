"""Two things of a run that decided nothing go: the folder of its logs, and who answers in its recipe.

The folder follows from the project's place and the run (it was never written here), and who answers is said by each
configuration. SQLite drops the column in place.
"""

SCRIPT = """
ALTER TABLE run DROP COLUMN log_dir;
UPDATE run SET recipe = json_remove(recipe, '$.provider');
"""
