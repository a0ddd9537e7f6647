"""Long work, one verb a module: plain functions that take what they need and a `Progress`. No Qt."""
