"""Extremes of all elements up to each are PyTorch's, with their positions."""

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.orders import orders  # noqa: E402


@pytest.mark.parametrize("name", ["cummax", "cummin"])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_extremes(name: str, dim: int) -> None:
    x = torch.randint(-3, 4, (5, 1, 13)).float()
    x[2, 0, 4] = float("nan")
    op = getattr(torch.ops.aten, name).default
    for found, wanted in zip(orders(torch)[op](x, dim), op(x, dim), strict=True):
        torch.testing.assert_close(found, wanted, equal_nan=True)
