"""Linalg on tensors: a matmul in its plainest form, planned, padded and tiled."""

WORKS_ON = ("linalg.*", "tensor.*")
