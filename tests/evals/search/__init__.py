"""Tests of what stands behind web_search."""
