"""Finds transfers into cores that fetch the same data for several cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.affine import Constraint, IntegerSet
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1, DmaMemcpyNdOp, HerdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.schedule._uniform import Uniformity

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

PATTERN, SET = "broadcast_pattern", "broadcast_set"
"""Attributes of a transfer: `broadcast_pattern`, the cores that receive the data of each source s0; and `broadcast_set`, the
cores for the only source in one branch.
"""


def mark_broadcasts(root: AnyOp) -> None:
    """Sets `broadcast_pattern` on each transfer into L1 in `root` that fetches the same data for several cores of its herd."""
    for herd in map(HerdOp, walk_named(root, HerdOp.OPERATION_NAME)):
        sizes = [constant_of(v) for v in herd.sizes]
        constants = [size for size in sizes if size is not None]
        if len(constants) == len(sizes) == 2 and constants != [1, 1]:
            uniform = Uniformity(herd)
            for dma in map(DmaMemcpyNdOp, walk_named(herd, DmaMemcpyNdOp.OPERATION_NAME)):
                _mark(dma, constants, uniform)


def _mark(dma: DmaMemcpyNdOp, sizes: list[int], uniform: Uniformity) -> None:
    if not is_in(dma.dst.type, L1) or is_in(dma.src.type, L1) or {PATTERN, SET} & set(dma.attributes.keys()):
        return
    source = [dma.src, *dma.src_offsets, *dma.src_sizes, *dma.src_strides]
    differing = uniform.of(source) | uniform.of_control(dma)
    if any(size > 1 for dim, size in enumerate(sizes) if dim not in differing):
        wide = frozenset(dim for dim in differing if sizes[dim] > 1)
        if len(wide) < 2:
            dma.attributes[PATTERN] = pattern(sizes, next(iter(wide), None)).attribute()


def pattern(sizes: list[int], along: int | None) -> IntegerSet:
    """The cores (d0, d1) that receive the data of source s0: those whose id in dimension `along` is s0, or all (`along` is
    None).

    For a 2x4 herd and `along` 0: `(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 + 1 >= 0)`.
    """
    source = ir.AffineSymbolExpr.get(0)
    constraints = [] if along is not None else [Constraint(source, True)]
    for n, size in enumerate(sizes):
        dim = ir.AffineDimExpr.get(n)
        constraints += [Constraint(dim - source, True)] if n == along else range_conditions(dim, size)
    return IntegerSet(len(sizes), 1, (*constraints, *(range_conditions(source, sizes[along]) if along is not None else [])))


def range_conditions(value: ir.AffineExpr, size: int) -> list[Constraint]:
    """The conditions `0 <= value < size`."""
    return [Constraint(value, False), Constraint(value * -1 + (size - 1), False)]
