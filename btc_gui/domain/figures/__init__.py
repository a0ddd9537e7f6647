"""The figures of results as pure data: what is drawn, with which answers behind it. Window and print draw the same."""
