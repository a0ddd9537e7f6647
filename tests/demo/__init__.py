"""Tests of the demo: its material, and the command that builds it."""
