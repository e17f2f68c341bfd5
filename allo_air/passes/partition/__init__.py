"""Partitions a function into kernels, assigns layouts at their boundaries, and links the compiled kernels into one program."""

WORKS_ON = ("linalg.*", "tensor.*")
