"""When transfers run, and for how many cores at once."""
