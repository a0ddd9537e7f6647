"""Loopback servers that behave like the services the app talks to."""
