"""Passes that rewrite linalg on tensors into a few canonical forms."""

WORKS_ON = ("linalg.*", "tensor.*")
