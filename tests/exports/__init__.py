"""Tests of btc_gui/exports."""
