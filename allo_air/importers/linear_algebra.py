"""Decomposes factorizations, inverses and solutions of small matrices, which torch-mlir does not lower."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor

LARGEST = 64
"""Largest number of rows of a matrix whose elimination is unrolled, a step for each column."""


def linear_algebra(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of linear algebra on matrices [..., n, n] with n up to LARGEST, by elimination column by column.

    Pivots are the largest elements of their columns, as in LAPACK.
    """
    aten, algebra = torch.ops.aten, _Algebra(torch)

    def fits(*matrices: Tensor) -> bool:
        return all(0 < min(a.shape[-2:]) <= LARGEST and not a.is_complex() for a in matrices)

    def inverse(a: Tensor, *, check_errors: bool = False) -> Any:
        return algebra.solved(a, algebra.unit_like(a)) if fits(a) else NotImplemented

    def solution(a: Tensor, b: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
        if not fits(a):
            return NotImplemented
        is_vector = b.dim() == 1 or (a.dim() - 1 == b.dim() and b.shape == a.shape[:-1])
        b = b.unsqueeze(-1) if is_vector else b
        result, info = algebra.solved(a, b) if left else algebra.solved(a.mT, b.mT)
        result = result if left else result.mT
        factors, pivots, *_ = algebra.factored(a)
        return result.squeeze(-1) if is_vector else result, factors, pivots, info

    def factors(a: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:
        if not pivot or not fits(a):
            return NotImplemented
        result, pivots, _, _, info = algebra.factored(a)
        return result, pivots, info

    def lower_upper(a: Tensor, *, pivot: bool = True) -> Any:
        if not pivot or not fits(a):
            return NotImplemented
        result, _, order, _, _ = algebra.factored(a)
        count = min(a.shape[-2:])
        lower = result[..., :count].tril(-1) + torch.eye(a.shape[-2], count, dtype=a.dtype)
        return order.mT, lower, result[..., :count, :].triu()

    def determinant(a: Tensor) -> Any:
        if not fits(a):
            return NotImplemented
        result, pivots, _, sign, _ = algebra.factored(a)
        return sign * result.diagonal(0, -2, -1).prod(-1), result, pivots

    def logarithm(a: Tensor) -> Any:
        if not fits(a):
            return NotImplemented
        result, pivots, _, sign, _ = algebra.factored(a)
        diagonal = result.diagonal(0, -2, -1)
        return sign * diagonal.sign().prod(-1), diagonal.abs().log().sum(-1), result, pivots

    def sign_and_logarithm(a: Tensor) -> Any:
        return logarithm(a)[:2] if fits(a) else NotImplemented

    def cholesky(a: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
        if not fits(a):
            return NotImplemented
        lower, info = algebra.root(a.mT if upper else a)
        return lower.mT if upper else lower, info

    def triangular(a: Tensor, b: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
        if not fits(a):
            return NotImplemented
        if left:
            return algebra.substituted(a, b, upper=upper, is_unit=unitriangular)
        return algebra.substituted(a.mT, b.mT, upper=not upper, is_unit=unitriangular).mT

    def from_cholesky(b: Tensor, a: Tensor, upper: bool = False) -> Any:
        if not fits(a):
            return NotImplemented
        lower = a.mT if upper else a
        return algebra.substituted(lower.mT, algebra.substituted(lower, b, upper=False), upper=True)

    def from_factors(factors: Tensor, pivots: Tensor, b: Tensor, *, left: bool = True, adjoint: bool = False) -> Any:
        if not fits(factors):
            return NotImplemented
        if not left:  # x a = b is a^T x^T = b^T
            return from_factors(factors, pivots, b.mT, adjoint=not adjoint).mT
        order = algebra.permutation(pivots, factors.shape[-1], factors.dtype)
        if adjoint:
            y = algebra.substituted(factors.mT, b, upper=False)
            return order.mT @ algebra.substituted(factors.mT, y, upper=True, is_unit=True)
        y = algebra.substituted(factors, order @ b, upper=False, is_unit=True)
        return algebra.substituted(factors, y, upper=True)

    def unpacked(factors: Tensor, pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
        if not fits(factors):
            return NotImplemented
        (height, width), nothing = factors.shape[-2:], torch.empty(0, dtype=factors.dtype)
        count, order, lower, upper = min(height, width), nothing, nothing, nothing
        if unpack_pivots:
            order = algebra.permutation(pivots, height, factors.dtype).mT
        if unpack_data:
            lower = factors[..., :count].tril(-1) + torch.eye(height, count, dtype=factors.dtype)
            upper = factors[..., :count, :].triu()
        return order, lower, upper

    def from_root(a: Tensor, upper: bool = False) -> Any:
        return from_cholesky(algebra.unit_like(a), a, upper)

    def former_triangular(
        b: Tensor, a: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
    ) -> Any:
        result = triangular(a.mT if transpose else a, b, upper=upper != transpose, unitriangular=unitriangular)
        return result if result is NotImplemented else (result, a.clone())

    def of_tensor(a: Tensor, ind: int = 2) -> Any:
        size = math.prod(a.shape[ind:])
        result = inverse(a.reshape(size, size))
        return result if result is NotImplemented else result[0].reshape(*a.shape[ind:], *a.shape[:ind])

    def orthogonal(a: Tensor, mode: str = "reduced") -> Any:
        return algebra.orthogonal(a, mode) if fits(a) else NotImplemented

    def first(op: Callable[..., Any]) -> Callable[..., Any]:
        """`op` without the report of failures: a program raises no errors."""

        def result(*args: Any, **kwargs: Any) -> Any:
            results = op(*args, **kwargs)
            return results if results is NotImplemented else results[0]

        return result

    def both_factors(a: Tensor, *, pivot: bool = True) -> Any:
        result = factors(a, pivot=pivot)
        return result if result is NotImplemented else result[:2]

    return {
        aten.inverse.default: first(inverse),
        aten.linalg_inv.default: first(inverse),
        aten.linalg_solve.default: first(solution),
        aten.linalg_cholesky.default: first(cholesky),
        aten.linalg_lu_factor.default: both_factors,
        aten.linalg_inv_ex.default: inverse,
        aten._linalg_solve_ex.default: solution,
        aten.linalg_lu_factor_ex.default: factors,
        aten.linalg_lu.default: lower_upper,
        aten._linalg_det.default: determinant,
        aten._linalg_slogdet.default: logarithm,
        aten.linalg_slogdet.default: sign_and_logarithm,
        aten.linalg_cholesky_ex.default: cholesky,
        aten.linalg_solve_triangular.default: triangular,
        aten.cholesky_solve.default: from_cholesky,
        aten.linalg_qr.default: orthogonal,
        aten.linalg_lu_solve.default: from_factors,
        aten.lu_unpack.default: unpacked,
        aten.cholesky.default: lambda a, upper=False: first(cholesky)(a, upper=upper),
        aten.cholesky_inverse.default: from_root,
        aten.triangular_solve.default: former_triangular,
        aten.linalg_tensorinv.default: of_tensor,
        aten.addmv.default: lambda x, a, v, *, beta=1, alpha=1: (beta * x if beta else 0) + alpha * torch.mv(a, v),
    }


class _Algebra:
    """Algorithms on matrices [..., rows, columns]. `torch` is the package."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch

    def unit_like(self, a: Tensor) -> Any:
        """Unit matrices of the shape of `a`."""
        return self._torch.eye(a.shape[-1], dtype=a.dtype).expand(a.shape)

    def _with_pivot(self, table: Tensor, column: int) -> tuple[Any, Any]:
        """`table` with the row of the pivot of `column` exchanged with row `column`, and the pivot's row number [...]."""
        torch = self._torch
        rows = torch.arange(table.shape[-2])
        sizes = torch.where(rows >= column, table[..., column].abs(), -1.0)
        place = sizes.argmax(-1)
        is_pivot, is_top = (rows == place.unsqueeze(-1)).unsqueeze(-1), (rows == column).unsqueeze(-1)
        pivot = torch.where(is_pivot, table, 0.0).sum(-2, keepdim=True)
        top = table[..., column : column + 1, :]
        return torch.where(is_top, pivot, torch.where(is_pivot, top, table)), place

    def solved(self, a: Tensor, b: Tensor) -> tuple[Any, Any]:
        """The solution of a x = b by Gauss-Jordan elimination; and the number of the first pivot that is zero, or 0, as i32."""
        torch, count = self._torch, a.shape[-1]
        lead = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        table = torch.cat([a.expand(*lead, *a.shape[-2:]), b.expand(*lead, *b.shape[-2:])], -1)
        rows, info = torch.arange(count).unsqueeze(-1), torch.zeros(lead, dtype=torch.int32)
        for column in range(count):
            table, _ = self._with_pivot(table, column)
            pivot = table[..., column : column + 1, column : column + 1]
            info = _first_zero(torch, info, pivot[..., 0, 0], column)
            top = table[..., column : column + 1, :] / pivot
            table = torch.where(rows == column, top, table - table[..., column : column + 1] * top)
        return table[..., count:], info

    def factored(self, a: Tensor) -> tuple[Any, Any, Any, Any, Any]:
        """Both factors of `a` in one matrix, as LAPACK returns them; the pivots from 1 on; the permutation of the rows as a
        matrix; its sign; and the number of the first pivot that is zero, or 0.
        """
        torch, (height, width) = self._torch, a.shape[-2:]
        count, lead = min(height, width), a.shape[:-2]
        unit = torch.eye(height, dtype=a.dtype).expand(*lead, height, height)
        table, pivots, sign = torch.cat([a, unit], -1), [], torch.ones(lead, dtype=a.dtype)
        rows, columns = torch.arange(height).unsqueeze(-1), torch.arange(width + height)
        info = torch.zeros(lead, dtype=torch.int32)
        for column in range(count):
            table, place = self._with_pivot(table, column)
            pivots.append(place.to(torch.int32) + 1)
            sign = torch.where(place == column, sign, -sign)
            pivot = table[..., column : column + 1, column : column + 1]
            info = _first_zero(torch, info, pivot[..., 0, 0], column)
            shares = table[..., column : column + 1] / torch.where(pivot == 0, 1.0, pivot)
            rest = torch.where((columns > column) & (columns < width), table[..., column : column + 1, :], 0.0)
            reduced = torch.where(columns == column, shares, table - shares * rest)
            table = torch.where(rows > column, reduced, table)
        return table[..., :width], torch.stack(pivots, -1), table[..., width:], sign, info

    def permutation(self, pivots: Tensor, count: int, dtype: object) -> Any:
        """The matrices [..., count, count] that exchange row i with row `pivots[..., i]` - 1, for each i in turn."""
        torch = self._torch
        result, rows = torch.eye(count, dtype=dtype).expand(*pivots.shape[:-1], count, count), torch.arange(count).unsqueeze(-1)
        for row in range(pivots.shape[-1]):
            is_other = rows == pivots[..., row : row + 1, None] - 1
            own, other = result[..., row : row + 1, :], torch.where(is_other, result, 0.0).sum(-2, keepdim=True)
            result = torch.where(rows == row, other, torch.where(is_other, own, result))
        return result

    def root(self, a: Tensor) -> tuple[Any, Any]:
        """The lower Cholesky factor, from the lower half of `a`, and the first pivot that is not positive, from 1 on, or 0."""
        torch, count = self._torch, a.shape[-1]
        rows, columns, info = torch.arange(count).unsqueeze(-1), [], torch.zeros(a.shape[:-2], dtype=torch.int32)
        for column in range(count):
            pivot = a[..., column : column + 1, column : column + 1]
            is_bad = (info == 0) & ~(pivot[..., 0, 0] > 0)
            info = torch.where(is_bad, column + 1, info)
            part = torch.where(rows >= column, a[..., column : column + 1] / torch.sqrt(pivot), 0.0)
            a = a - part * part.mT
            columns.append(part)
        return torch.cat(columns, -1), info

    def substituted(self, a: Tensor, b: Tensor, *, upper: bool, is_unit: bool = False) -> Any:
        """The solution of a x = b for the upper or lower half of `a`, with ones on its diagonal if `is_unit`."""
        torch, count = self._torch, a.shape[-1]
        rows, results = torch.arange(count).unsqueeze(-1), [b] * count
        for column in reversed(range(count)) if upper else range(count):
            row = b[..., column : column + 1, :]
            row = row if is_unit else row / a[..., column : column + 1, column : column + 1]
            is_rest = rows < column if upper else rows > column
            b = b - torch.where(is_rest, a[..., column : column + 1], 0.0) * row
            results[column] = row
        lead = torch.broadcast_shapes(*(r.shape[:-2] for r in results))
        return torch.cat([r.expand(*lead, 1, r.shape[-1]) for r in results], -2)

    def orthogonal(self, a: Tensor, mode: str) -> Any:
        """The factors Q and R of `a` by Householder's reflections, with LAPACK's signs. Q is empty in mode "r"."""
        torch, (height, width) = self._torch, a.shape[-2:]
        count, rows = min(height, width), torch.arange(height).unsqueeze(-1)
        table = torch.cat([a, torch.eye(height, dtype=a.dtype).expand(*a.shape[:-2], height, height)], -1)
        for column in range(min(height - 1, width)):
            part = torch.where(rows >= column, table[..., column : column + 1], 0.0)
            first = part[..., column : column + 1, :]
            length = torch.sqrt((part * part).sum(-2, keepdim=True))
            new = torch.where(first > 0, -length, length)
            normal = part - torch.where(rows == column, new, 0.0)
            square = (normal * normal).sum(-2, keepdim=True)
            change = normal * ((normal * table).sum(-2, keepdim=True) * (2 / torch.where(square == 0, 1.0, square)))
            table = table - change
        rows = height if mode == "complete" else count
        upper, basis = table[..., :rows, :width].triu(), table[..., :rows, width:].mT
        return (torch.empty(0, dtype=a.dtype) if mode == "r" else basis), upper


def _first_zero(torch: ModuleType, info: Tensor, pivot: Tensor, column: int) -> Any:
    return torch.where((info == 0) & (pivot == 0), column + 1, info)
