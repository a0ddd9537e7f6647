"""Tests of the evaluation engine's part."""
