"""Weights reach MLIR as they lie in memory."""

import numpy as np
import pytest

from allo_air.core.elements import array_of, is_resource
from allo_air.core.processes import Process
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


class Twice(torch.nn.Module):
    def __init__(self, layer) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(self.layer(x))


def test_large_weights_do_not_go_to_the_process_of_the_passes(monkeypatch) -> None:
    """The import of a model took several times the memory of its weights. The copy is the importer's own."""
    asked, ask = [], Process.ask
    monkeypatch.setattr(Process, "ask", lambda process, question: asked.append(len(question)) or ask(process, question))
    model = torch.nn.Linear(256, 256, bias=False)
    weights = model.weight.detach().numpy().copy()
    imported = from_torch(Twice(model), (torch.ones(1, 256),)).model
    assert asked
    assert max(asked) < weights.nbytes / 4
    with torch.no_grad():
        model.weight.zero_()
    with imported.context:
        values = [c.attributes["value"] for c in walk_named(imported.module.operation, "arith.constant")]
        large = [v for v in values if is_resource(v)]
        assert large
        assert all((array_of(v) == weights).all() for v in large)
