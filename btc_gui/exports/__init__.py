"""Tables, matrices and figures as files."""
