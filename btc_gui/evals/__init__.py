"""Inspect AI, in a child process: the only place that imports it."""
