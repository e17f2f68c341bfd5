"""A function of several kernels: cut into them, their layouts settled, and linked to one program."""

WORKS_ON = ("linalg.*", "tensor.*")
