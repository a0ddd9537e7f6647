"""Measurements that anyone can repeat: run a module, as `python -m tests.bench.frames`."""
