"""The choice of tile sizes for matrix multiplication."""
