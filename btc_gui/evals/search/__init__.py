"""What stands behind web_search: recorded results, Exa, or a folder of documents."""
