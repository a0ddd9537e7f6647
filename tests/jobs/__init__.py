"""Long work without a window."""
