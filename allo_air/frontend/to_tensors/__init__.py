"""Rewrites whole functions for the array: from loops and linalg on buffers to linalg on tensors."""
