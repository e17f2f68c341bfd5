"""Results held against what is expected, and who wrote what is wrong."""
