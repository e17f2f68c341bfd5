"""Operations that torch-mlir does not import, written with others: branches, loops, bits, special functions, histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from allo_air.errors import AlloAirError

torch = pytest.importorskip("torch")

import allo_air.torch  # noqa: E402


class Of(torch.nn.Module):
    """A module that calls `function`."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function
        self.inner = torch.nn.Linear(6, 6)

    def forward(self, *args: Any) -> Any:
        return self.function(self, *args)


def draw(*shape: int) -> Any:
    return torch.from_numpy(np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32))


def scan(body: Any, carried: Any, tables: Any, **options: Any) -> Any:
    from torch._higher_order_ops.scan import scan

    return scan(body, carried, tables, **options)


def mapped(body: Any, *tables: Any) -> Any:
    from torch._higher_order_ops.map import map

    return map(body, *tables)


def inverse(x: Any) -> Any:
    return torch.linalg.inv(x @ x.mT + torch.eye(4)), torch.linalg.det(x)


def bits(_: Any, x: Any) -> Any:
    n = (8 * x).int()
    return n ^ 7, n << 2, 3 >> n.abs(), 5 | n, (n.to(torch.int8) ^ 7), (x > 0) ^ True


CASES = {
    "cond": (lambda s, x: torch.cond(x.sum() > 0, lambda x: (s.inner(x), x + 1), lambda x: (x - 1, 2 * x), (x,)), [(5, 6)]),
    "cond of a matrix": (lambda _, x: torch.cond((x.sum() > 0).reshape(1, 1), lambda x: x + 1, lambda x: x - 1, (x,)), [(5,)]),
    "scan": (lambda _, h, x: scan(lambda h, x: (h * 0.5 + x, (h + x) * 2), h, x), [(4,), (6, 4)]),
    "scan of cond": (
        lambda _, h, x: scan(
            lambda h, x: (torch.cond(x.sum() > 0, lambda h: h * 0.5, lambda h: h + 1, (h,)), h * x), h, x, reverse=True
        ),
        [(4,), (6, 4)],
    ),
    "map": (lambda _, x, y: mapped(lambda x, y: (x.sin() + y, 2 * x), x, y), [(4, 5), (5,)]),
    "bits": (bits, [(3, 5)]),
    "gamma": (lambda _, x: (torch.lgamma(3 * x), torch.digamma(3 * x)), [(41,)]),
    "histogram": (lambda _, x: (torch.histc(x, 5, -2, 2), torch.histc(x, 7), torch.histc(x[0], 3, 1, 1)), [(4, 9)]),
    "spectrogram": (
        lambda _, x: torch.ones(7, 17) @ torch.stft(x, 32, 8, window=torch.hann_window(32), return_complex=True).abs(),
        [(2, 160)],
    ),
    "inverse": (lambda _, x: inverse(x), [(4, 4)]),
}


@pytest.mark.parametrize("name", CASES)
def test_on_the_host(name: str) -> None:
    function, shapes = CASES[name]
    inputs, module = [draw(*s) for s in shapes], Of(function).eval()
    leaves = torch.utils._pytree.tree_leaves
    with torch.no_grad():
        wanted = leaves(module(*inputs))
    found = leaves(allo_air.torch.from_pytorch(module, inputs)(*inputs))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_floors_of_quotients_are_exact(kind: str) -> None:
    """torch-mlir computes them in f64, which has 53 bits."""

    def quotients(_: Any, x: Any, y: Any) -> Any:
        return x // y, x // 5, x // -3, torch.div(x, y, rounding_mode="floor"), torch.div(x, y, rounding_mode="trunc"), x % y

    x = torch.tensor([2**60 + 7, -(2**60) - 7, 17, -17, 2**53 + 1, 0])
    x = x % 2000003 - 1000000 if kind == "int32" else x
    inputs = [v.to(getattr(torch, kind)) for v in (x, torch.tensor([3, 3, -5, 5, 1, -2]))]
    for one, other in zip(allo_air.torch.from_pytorch(Of(quotients), inputs)(*inputs), Of(quotients)(*inputs), strict=True):
        np.testing.assert_array_equal(one, other.numpy())


def test_rows_and_columns_of_the_largest_elements_are_computed_on_the_array() -> None:
    module = Of(lambda _, x: [f(x.flatten(1).topk(4)[1]) for f in (lambda n: n // 5, lambda n: n % 5)])
    x = draw(1, 4, 5)
    compiled = allo_air.torch.compile(module, x, device="npu2", strict=True)
    for one, other in zip(compiled(x), module(x), strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())


def test_long_loops_are_refused() -> None:
    long = Of(lambda _, h, x: scan(lambda h, x: (h * 0.5 + x, h + x), h, x))
    with pytest.raises(AlloAirError, match=r"Of: scan has 300 iterations; between 1 and 256"):
        allo_air.torch.compile(long, (draw(4), draw(300, 4)))
