"""The BlindToChange workbench: build, run, check and explain benchmarks of agentic search.

The map of the package, from the ground up (imports go one way, towards the ground):

errors, paths, progress   failures with a sentence for a person; where files are; how long work reports
records                   frozen dataclasses, quickly made
settings                  what a person chose, read from TOML
domain                    what the benchmark is: pure dataclasses and functions
store                     the project file, and the only SQL
remote                    language models and the app's own network calls
evals                     Inspect AI, in a child process
jobs                      long work, one verb a module
sessions                  what a person is doing at a screen, without the screen
exports                   tables, matrices and figures as files
cli                       all of it without a window
ui                        the window (the only Qt)
app                       the entry: builds everything and dispatches
"""

__version__ = "0.1.0"
