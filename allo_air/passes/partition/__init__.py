"""Partitions a function into kernels, assigns layouts at their boundaries, and links them into one program."""

WORKS_ON = ("linalg.*", "tensor.*")
