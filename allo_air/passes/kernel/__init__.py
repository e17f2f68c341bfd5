"""Code of the cores: vector contractions, MAC instructions, kernel calls, and forms that the tool chain lowers correctly."""
