"""Tests: what a user may rely on.

Each process of the suite imports every module of it: what only some tests need and takes long to load (the engine, the
libraries that say what a statistic must be) is imported by those tests.
"""
