"""A PyTorch model by torch.compile: which parts run on the array, and the predicted time of each kernel."""

import torch
from torch import nn

import allo_air.torch

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 32), nn.LayerNorm(32)).eval()
x = torch.randn(24, 64)
compiled = allo_air.torch.compile(model, (x,), device="npu2")
torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
print(compiled.report())
print("PASS")
