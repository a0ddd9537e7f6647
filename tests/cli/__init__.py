"""Tests of btc_gui/cli."""
