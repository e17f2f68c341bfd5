"""Decompositions of operations of PyTorch that torch-mlir does not lower compute what PyTorch computes."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.decompositions import decompositions  # noqa: E402
from allo_air.importers.torch_modules import from_torch  # noqa: E402
from allo_air.models.model import host_model  # noqa: E402

ATEN = torch.ops.aten
NAN, INF = float("nan"), float("inf")


def draw(*shape: int) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def same(op: Any, *args: Any, **kwargs: Any) -> None:
    results, expected = decompositions(torch, {})[op](*args, **kwargs), op(*args, **kwargs)
    for one, other in zip(*((v,) if isinstance(v, torch.Tensor) else tuple(v) for v in (results, expected)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4, equal_nan=True)


X, MATRIX, INDEX = draw(4, 5), draw(3, 5, 5), torch.tensor([0, 3, 0])
SQUARE = MATRIX @ MATRIX.mT + torch.eye(5)
TIES, WITH_NANS = (draw(4, 9, 3) * 2).round(), draw(4, 9, 3).masked_fill(draw(4, 9, 3) > 1, NAN)
STEEP = (draw(4, 9) * 40).masked_fill(draw(9, 4).T > 1, -INF)


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
def test_solutions_from_factors(left: bool, adjoint: bool) -> None:
    factors, pivots = torch.linalg.lu_factor(MATRIX)
    same(ATEN.linalg_lu_solve.default, factors, pivots, draw(3, 5, 2) if left else draw(3, 2, 5), left=left, adjoint=adjoint)


@pytest.mark.parametrize("shape", [(3, 5, 5), (6, 4), (4, 6)])
def test_unpacked_factors(shape: tuple[int, ...]) -> None:
    same(ATEN.lu_unpack.default, *torch.linalg.lu_factor(draw(*shape)))


@pytest.mark.parametrize("options", [(False, False, False), (True, False, True), (True, True, False), (False, True, True)])
def test_triangular_solutions(options: tuple[bool, ...]) -> None:
    same(ATEN.triangular_solve.default, draw(3, 5, 2), SQUARE, *options)


@pytest.mark.parametrize(
    ("op", "args"),
    [
        (ATEN.cholesky.default, (SQUARE,)),
        (ATEN.cholesky.default, (SQUARE, True)),
        (ATEN.cholesky_inverse.default, (torch.linalg.cholesky(SQUARE),)),
        (ATEN.linalg_tensorinv.default, (draw(6, 2, 3), 1)),
        (ATEN.addmv.default, (X[:, 0], X, X[0])),
        (ATEN.mode.default, (TIES, 1)),
        (ATEN.mode.default, (TIES.long(), -1, True)),
        (ATEN.nanmedian.dim, (WITH_NANS, 1)),
        (ATEN.nanmedian.default, (WITH_NANS,)),
        (ATEN.logcumsumexp.default, (STEEP, 1)),
        (ATEN.logcumsumexp.default, (STEEP.T.contiguous(), 0)),
        (ATEN.diagonal_scatter.default, (X, draw(4), 1)),
        (ATEN.diagonal_scatter.default, (draw(4, 3, 5), draw(3, 4), -1, 2, 0)),
        (ATEN.put.default, (X, torch.tensor([[1, 19], [-3, 7]]), draw(2, 2))),
        (ATEN.put.default, (X, torch.tensor([1, 1, -1]), draw(3), True)),
        (ATEN.angle.default, (torch.tensor([1.0, -2, 0, NAN]),)),
        (ATEN.angle.default, (torch.tensor([1, -2, 0]),)),
        (ATEN.angle.default, (torch.tensor([1.0, -2], dtype=torch.bfloat16),)),
        (ATEN.mode.default, (torch.tensor([[1.0, INF, INF], [NAN, NAN, NAN]]),)),
        (ATEN.fmax.default, (torch.tensor([1.0, NAN, 2]), torch.tensor(1.5))),
        (ATEN.fmin.default, (torch.tensor([1.0, NAN, 2]), torch.tensor([NAN, 3, 1]))),
        (ATEN.erfinv.default, (torch.tensor([0, 1e-6, 0.1, 0.5, -0.9, 0.9999, 1 - 6e-8, 1, 1.5]),)),
        (ATEN.repeat.default, (X, [0, 2, 1])),
        (ATEN.view_copy.default, (X, [20])),
        (ATEN.unbind_copy.int, (X, 1)),
        (ATEN.narrow_copy.default, (X, 1, 1, 3)),
    ],
)
def test_single_operations(op: Any, args: tuple[Any, ...]) -> None:
    same(op, *args)


@pytest.mark.parametrize("reduction", ["prod", "mean", "amax", "amin"])
def test_reductions_into_indices(reduction: str) -> None:
    for include in (True, False):
        same(ATEN.index_reduce.default, X, 1, INDEX, draw(4, 3), reduction, include_self=include)


class Whole(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Operations whose decompositions need others, or PyTorch's kernels of other operations: only their import shows it."""

    def forward(self, x: Any, y: Any) -> Any:
        real = torch.fft.irfft2(x), torch.fft.hfft(x), torch.fft.ihfft(x).abs(), torch.complex(x, y[0, 0]).angle()
        put = x.put(torch.tensor([1, -1]), y[0, :2], accumulate=True)
        return *real, x.new_full((2, 0), 1.0), x.repeat(1, 0), torch.fmax(x, y[0, 0]), put


def test_whole_import() -> None:
    model, inputs = Whole(), (draw(3, 6), draw(3, 6))
    program = from_torch(model, inputs)
    results = host_model(program.model)(*(x.numpy() for x in inputs))
    for one, other in zip(program.results(results), model(*inputs), strict=True):
        torch.testing.assert_close(torch.as_tensor(one), other, rtol=1e-4, atol=1e-4)
