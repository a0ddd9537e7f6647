"""Lazy tables: ids in memory, rows by page."""
