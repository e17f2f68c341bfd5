"""Matrix multiplications as linalg on tensors: passes that normalize, plan, pad and tile them."""

WORKS_ON = ("linalg.*", "tensor.*")
