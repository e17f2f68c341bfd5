"""Rewrites linalg on tensors in a few canonical forms, which later passes can rely on."""

WORKS_ON = ("linalg.*", "tensor.*")
