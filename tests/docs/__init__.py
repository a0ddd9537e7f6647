"""The documentation: its links, commands and examples are true."""
