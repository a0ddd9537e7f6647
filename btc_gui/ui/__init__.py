"""The window. Nothing outside `ui` and `app` knows Qt."""
