"""Attention with a causal mask as one kernel: its scores never leave the cores."""

import numpy as np
import torch

import allo_air


class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


torch.manual_seed(0)
q, k, v = (torch.randn(1, 2, 37, 16) for _ in range(3))
model = allo_air.torch.compile(Attention(), (q, k, v), device="npu1")
np.testing.assert_allclose(model(q, k, v).numpy(), Attention()(q, k, v).numpy(), atol=1e-4)
print(model.report().summary)
print("PASS")
