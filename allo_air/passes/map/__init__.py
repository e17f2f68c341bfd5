"""Kernels that are no matrix multiplication are planned and tiled: linalg operations that share the loops of the last one."""

WORKS_ON = ("linalg.*", "tensor.*")
