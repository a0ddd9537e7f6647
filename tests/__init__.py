"""Tests: what a user may rely on."""
