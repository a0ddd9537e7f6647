"""Tests of btc_gui/domain."""
