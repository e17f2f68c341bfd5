"""Kernels that are no matrix multiplication are planned and tiled: producers are fused into the loops of the last operation."""

WORKS_ON = ("linalg.*", "tensor.*")
