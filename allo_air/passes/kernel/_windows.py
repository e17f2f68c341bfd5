"""Recognizes packed convolutions in L1: linalg.generic operations whose last three loops are a micro-tile of the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.arch import Core
from allo_air.arch.core import F32_PART_PRODUCTS, multiplied
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import loop_of

Terms = tuple[tuple[int, int], ...]
"""An index as a sum of loops with factors."""

_BODY = {
    "f": {"arith.extf", "arith.mulf", "arith.addf", "linalg.yield"},
    "i": {"arith.extsi", "arith.muli", "arith.addi", "linalg.yield"},
    "p": {"arith.mulf", "arith.addf", "linalg.yield"},
}
"""Operations of the body, for floats, integers, and f32 (whose products are sums of products of parts:
emulate-contractions).
"""


@dataclass(frozen=True)
class Windows:
    """A packed convolution. `indices` of each operand, except its last two dimensions, are over the operation's loops."""

    op: Any
    extents: tuple[int, ...]
    reductions: tuple[int, ...]
    indices: tuple[tuple[Terms, ...], ...]
    buffers: tuple[Any, ...] = ()
    """Views of the operands to which `indices` refer, if these are not the operands themselves."""

    @property
    def operands(self) -> list[Any]:
        return list(self.buffers or self.op.operands)

    @property
    def shape(self) -> tuple[int, int, int]:
        """M, K, N."""
        m, n, k = self.extents[-3:]
        return m, k, n

    @property
    def element(self) -> str:
        return str(self.operands[0].type.element_type)

    @property
    def factor(self) -> str:
        """The type that the core multiplies: f32 as its parts."""
        return multiplied(self.element)

    @property
    def factors(self) -> set[int]:
        return {factor for operand in self.indices for terms in operand for _, factor in terms}

    @property
    def parallels(self) -> list[int]:
        """The loops over the result's micro-tiles, in its order."""
        return [terms[0][0] for terms in self.indices[2] if terms]

    @property
    def order(self) -> list[int]:
        """The loops over micro-tiles of the result. The last two change the weights, and the pixel in a row."""
        parallels = self.parallels
        own = {d for operand in (0, 1) for terms in self.indices[operand] for d, _ in terms}
        of_weights = {d for terms in self.indices[1] for d, _ in terms}
        weights = [d for d in parallels if d in of_weights and self.extents[d] > 1]
        pixels = [d for d in parallels if d in own - of_weights and self.extents[d] > 1]
        last = [*weights[-1:], *pixels[-1:]]
        return [*(d for d in parallels if d not in last), *last]

    def instructions(self, core: Core) -> int:
        contraction = core.contraction(self.factor, self.shape)
        assert contraction is not None
        return contraction.instructions * (F32_PART_PRODUCTS if self.element != self.factor else 1)


def windows_of(generic: AnyOp, core: Core) -> Windows | None:
    """The packed convolution of `generic`; None for any other operation."""
    operands = list(generic.operands)
    if len(operands) != 3 or generic.results or not all(isinstance(v.type, ir.MemRefType) for v in operands):
        return None
    maps = [a.value for a in generic.attributes["indexing_maps"]]
    kinds = ["reduction" in str(k) for k in generic.attributes["iterator_types"]]
    loops = len(kinds)
    if loops < 4 or kinds[-3:] != [False, False, True] or any(len(m.results) < 2 for m in maps):
        return None
    m, n, k = loops - 3, loops - 2, loops - 1
    if [_last_two(a) for a in maps] != [[m, k], [k, n], [m, n]]:
        return None
    indices = [[_terms(e) for e in list(a.results)[:-2]] for a in maps]
    if any(t is None or any(d >= m for d, _ in t) for operand_indices in indices for t in operand_indices):
        return None
    if any(len(t or ()) > 1 or any(f != 1 for _, f in t or ()) for t in indices[2]):
        return None
    extents = _extents(loops, maps, operands)
    names = {o.operation.name for o in generic.regions[0].blocks[0]}
    total, element = (operands[i].type.element_type for i in (2, 0))
    body = _BODY["p" if element == total else "f" if isinstance(total, ir.F32Type) else "i"]
    if extents is None or not names <= body or len(names) != len(body):
        return None
    windows = Windows(
        generic,
        tuple(extents),
        tuple(d for d in range(m) if kinds[d]),
        tuple(tuple(tuple(t or ()) for t in operand_indices) for operand_indices in indices),
    )
    return windows if core.contraction(windows.factor, windows.shape, str(total)) else None


def _last_two(indexing: ir.AffineMap) -> list[int]:
    return [loop_of(e) for e in list(indexing.results)[-2:]]


def _terms(expression: ir.AffineExpr) -> list[tuple[int, int]] | None:
    """A sum of loops with positive factors; None for anything else."""
    if isinstance(expression, ir.AffineDimExpr):
        return [(ir.AffineDimExpr(expression).position, 1)]
    if isinstance(expression, ir.AffineConstantExpr):
        return [] if ir.AffineConstantExpr(expression).value == 0 else None
    if isinstance(expression, ir.AffineAddExpr):
        both = ir.AffineAddExpr(expression)
        left, right = _terms(both.lhs), _terms(both.rhs)
        return None if left is None or right is None else [*left, *right]
    if isinstance(expression, ir.AffineMulExpr):
        product = ir.AffineMulExpr(expression)
        if isinstance(product.lhs, ir.AffineDimExpr) and isinstance(product.rhs, ir.AffineConstantExpr):
            factor = ir.AffineConstantExpr(product.rhs).value
            return [(ir.AffineDimExpr(product.lhs).position, factor)] if factor > 0 else None
    return None


def _extents(loops: int, maps: list[ir.AffineMap], operands: list[ir.Value]) -> list[int] | None:
    results: dict[int, int] = {}
    for indexing, operand in zip(maps, operands, strict=True):
        for expression, size in zip(indexing.results, operand.type.shape, strict=True):
            if isinstance(expression, ir.AffineDimExpr):
                results.setdefault(ir.AffineDimExpr(expression).position, size)
    return [results[d] for d in range(loops)] if len(results) == loops else None
