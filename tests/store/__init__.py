"""Tests of btc_gui.store."""
