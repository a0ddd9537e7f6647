"""Talking to language models: real SDKs against loopback servers."""
