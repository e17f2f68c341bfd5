"""Weights reach MLIR as they lie in memory."""

import numpy as np
import pytest

from allo_air.core.elements import array_of
from allo_air.core.walking import walk_named
from allo_air.importers.torch_modules import from_torch

torch = pytest.importorskip("torch")


class Model(torch.nn.Module):
    def __init__(self, kind) -> None:
        super().__init__()
        self.w = torch.nn.Parameter((torch.arange(64 * 48) % 100).reshape(48, 64).T.to(kind), requires_grad=False)

    def forward(self, x):
        return x + self.w, x * self.w


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "int8"])
def test_weights_are_taken_whole_and_once(kind, monkeypatch) -> None:
    kind = getattr(torch, kind)
    model = Model(kind)
    monkeypatch.setattr(torch.Tensor, "tolist", None)  # of Python's numbers
    found = from_torch(model, (torch.ones(64, 48, dtype=kind),)).model
    with found.context:
        [constant] = [c for c in walk_named(found.module.operation, "arith.constant") if "dense_resource" in str(c)]
        assert (array_of(constant.attributes["value"]).astype(np.float32) == model.w.float().numpy()).all()
