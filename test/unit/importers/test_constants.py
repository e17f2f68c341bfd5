"""Sums, products and gathers of constants are computed when a model is imported."""

import re

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.torch_modules import from_torch  # noqa: E402
from allo_air.models.model import host_model  # noqa: E402


class Constants(torch.nn.Module):
    """Positions of a mask of ones, a bias by relative position, embedded positions, and a weight that is normalized."""

    def __init__(self):
        super().__init__()
        self.table, self.positions = torch.nn.Parameter(torch.randn(49, 2)), torch.nn.Embedding(10, 4)
        self.register_buffer("places", torch.randint(0, 49, (4, 4)))
        self.normalized = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(4, 4))

    def forward(self, x):
        mask = torch.ones(4, 4, dtype=torch.bool).cumsum(1, dtype=torch.float32)
        return x / mask + self.table[self.places].permute(2, 0, 1), self.normalized(x + self.positions(torch.arange(4))), mask


class Inputs(torch.nn.Module):
    """The same kinds of operations on an input, and a mask by indices, which is no table."""

    def forward(self, x):
        rows = torch.arange(300)
        return x.cumsum(1), x[torch.tensor([2, 0])], (rows[:, None] >= rows).to(x.dtype) * x.sum()


def imported(module, x):
    """The results on the host, those of the module, and the linalg."""
    exported = from_torch(module.eval(), (x,))
    with torch.no_grad():
        wanted = module(x)
    results = host_model(exported.model)(x.numpy())
    for value, exact in zip(results, wanted, strict=True):
        torch.testing.assert_close(torch.as_tensor(value), exact, rtol=1e-5, atol=1e-6)
    return str(exported.model.module)


def test_constants_are_computed_once():
    torch.manual_seed(0)
    text = imported(Constants(), torch.randn(4, 4))
    assert "tm_tensor.scan" not in text
    assert "tensor.extract %" not in text
    assert "math.sqrt" not in text


def test_what_needs_an_input_is_not():
    text = imported(Inputs(), torch.randn(3, 5))
    assert "300x300xf32>" in text
    assert not re.search(r"dense\w*<[^>]*> : tensor<300x300", text)
