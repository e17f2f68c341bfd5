"""Kernels other than matrix multiplications: they are planned and tiled, and producers are fused into the loops of the last
operation.
"""

WORKS_ON = ("linalg.*", "tensor.*")
