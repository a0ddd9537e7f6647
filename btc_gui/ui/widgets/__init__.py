"""Parts that pages share, one a module."""
