"""Property tests with one profile: no deadline (a busy machine is no fault), the same examples each time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("domain", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("domain")
