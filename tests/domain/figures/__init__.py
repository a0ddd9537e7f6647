"""Tests of what figures draw."""
