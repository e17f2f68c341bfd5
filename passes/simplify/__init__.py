"""Passes that bring linalg on tensors to few canonical forms."""

WORKS_ON = ("linalg.*", "tensor.*")
