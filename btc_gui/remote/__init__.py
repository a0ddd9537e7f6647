"""The app's own network calls: language models."""
