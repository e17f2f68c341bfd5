"""The cores' code: vector contractions, MAC instructions, calls of kernels, and what the tool chain makes of each operation."""
