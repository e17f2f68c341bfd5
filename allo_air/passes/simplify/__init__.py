"""Passes that bring linalg on tensors to a few canonical forms."""

WORKS_ON = ("linalg.*", "tensor.*")
