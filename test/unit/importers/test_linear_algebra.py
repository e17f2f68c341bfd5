"""Decompositions of linear algebra, against LAPACK's results in float64."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.linear_algebra import LARGEST, linear_algebra  # noqa: E402

ATEN = torch.ops.aten
RULES = linear_algebra(torch)
SQUARES = [(5, 5), (2, 3, 4, 4), (1, 1), (12, 12)]


def draw(*shape: int) -> Any:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


def near(found: Any, wanted: Any) -> None:
    found, wanted = ((v,) if isinstance(v, torch.Tensor) else tuple(v) for v in (found, wanted))
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", [*SQUARES, (7, 4), (3, 6), (2, 5, 3)])
def test_factors(shape: tuple[int, ...]) -> None:
    a = draw(*shape)
    for mode in ("reduced", "complete", "r"):
        near(RULES[ATEN.linalg_qr.default](a, mode), torch.linalg.qr(a, mode))
    near(RULES[ATEN.linalg_lu.default](a), torch.linalg.lu(a))
    near(RULES[ATEN.linalg_lu_factor_ex.default](a), torch.linalg.lu_factor_ex(a))
    near(RULES[ATEN.linalg_lu_factor.default](a), torch.linalg.lu_factor(a))


@pytest.mark.parametrize("shape", SQUARES)
def test_square_matrices(shape: tuple[int, ...]) -> None:
    a, b = draw(*shape), draw(*shape[:-1], 3)
    near(RULES[ATEN.linalg_inv.default](a), torch.linalg.inv(a))
    near(RULES[ATEN._linalg_det.default](a)[0], torch.linalg.det(a))
    near(RULES[ATEN.linalg_slogdet.default](a), torch.linalg.slogdet(a))
    near(RULES[ATEN.linalg_solve.default](a, b), torch.linalg.solve(a, b))
    near(RULES[ATEN.linalg_solve.default](a, b[..., 0]), torch.linalg.solve(a, b[..., 0]))
    near(RULES[ATEN.linalg_solve.default](a, b.mT, left=False), torch.linalg.solve(a, b.mT, left=False))
    square = a @ a.mT + torch.eye(shape[-1], dtype=a.dtype)
    for upper in (False, True):
        half = torch.linalg.cholesky(square, upper=upper)
        near(RULES[ATEN.linalg_cholesky.default](square, upper=upper), half)
        near(RULES[ATEN.cholesky_solve.default](b, half, upper), torch.cholesky_solve(b, half, upper))
        rule, op = RULES[ATEN.linalg_solve_triangular.default], torch.linalg.solve_triangular
        for is_unit in (False, True):
            options = {"upper": upper, "unitriangular": is_unit}
            near(rule(half, b, **options), op(half, b, **options))
            near(rule(half, b.mT, left=False, **options), op(half, b.mT, left=False, **options))


def test_matrices_without_an_inverse() -> None:
    singular = torch.tensor([[0.0, 1.0, 2.0], [0.0, 3.0, 4.0], [0.0, 5.0, 7.0]], dtype=torch.float64)
    near(RULES[ATEN.linalg_lu_factor_ex.default](singular), torch.linalg.lu_factor_ex(singular))
    assert RULES[ATEN.linalg_inv_ex.default](singular)[1] == torch.linalg.inv_ex(singular)[1] == 1
    assert RULES[ATEN._linalg_det.default](singular)[0] == 0
    negative = torch.diag(torch.tensor([1.0, -1.0, 1.0]))
    assert RULES[ATEN.linalg_cholesky_ex.default](negative)[1] == torch.linalg.cholesky_ex(negative)[1] == 2
    large = torch.eye(LARGEST + 1)
    assert all(RULES[op](large) is NotImplemented for op in (ATEN.linalg_inv.default, ATEN.linalg_qr.default))
