"""Linalg on tensors: a matmul in its plainest form, planned, padded and tiled."""
