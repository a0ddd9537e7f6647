"""The project file: the only place with SQL. One module a subject."""
