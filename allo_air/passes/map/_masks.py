"""Pads dimensions that are reduced. A mask in the body replaces the added elements by a neutral element."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._analysis.row_parts import rounded_up
from allo_air.passes._ir.generic import Generic
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._multi_sweep import SWEEPS
from allo_air.passes.map._neutral_numbers import combiner, neutral_of
from allo_air.passes.map._space import bits_of

LANES = {32: 16, 16: 32, 8: 64}
"""Elements of a 512-bit vector, by the bits of an element."""
SHARE = 8
"""Largest part by which a dimension may be padded."""


def maskable(kernel: Kernel, dimensions: Dimensions) -> dict[int, int]:
    """The dimensions that are reduced by maskable operations, and the next length in whole vectors, at most an eighth longer.

    If cores take the dimension in parts, the length is one with many divisors.
    """
    fixed = dimensions.repeated | {n for n, d in enumerate(dimensions.all) if d.rigid or not d.reduced}
    for op in kernel.ops:
        if op.name == "linalg.generic":
            fixed |= {d for d, reduces in _loops(dimensions, op) if reduces and not _can_mask(op)}
    values = [v for v in (*kernel.block.arguments, *kernel.returned) if v in dimensions.values]
    masked: dict[int, int] = {}
    for n, d in enumerate(dimensions.all):
        bits = [bits_of(v) for v in values if n in dimensions.of(v)]
        if n in fixed or not bits:
            continue
        if SWEEPS in kernel.function.attributes:
            masked |= {n: longer} if (longer := rounded_up(d.extent)) != d.extent else {}
            continue
        units = [u for u in (LANES.get(min(bits), 1), 16) if -(-d.extent // u) * u * SHARE <= d.extent * (SHARE + 1)]
        if units and d.extent % units[0]:
            masked[n] = -(-d.extent // units[0]) * units[0]
    return masked


def mask(kernel: Kernel, dimensions: Dimensions, extents: dict[int, int]) -> None:
    """Makes reductions along the dimensions in `extents` use a neutral element beyond the old end.

    Before (a dimension of 1001 that becomes one of 1008):

        ^bb0(%x: f32, %sum: f32):
          %s = arith.addf %x, %sum : f32

    After:

        ^bb0(%x: f32, %sum: f32):
          %i = linalg.index 1 : index
          %c = arith.cmpi slt, %i, %c1001 : index
          %t = arith.select %c, %x, %zero : f32
          %s = arith.addf %t, %sum : f32
    """
    for op in kernel.ops:
        if op.name != "linalg.generic":
            continue
        result = Generic.of(op)
        join = combiner(result)  # before a mask adds indices
        for loop, (d, reduces) in enumerate(_loops(dimensions, op)):
            if reduces and d in extents:
                _end_of_loop(join, result.arguments[-1], loop, dimensions.all[d].extent)


def _end_of_loop(join: AnyOp, so_far: ir.Value, loop: int, extent: int) -> None:
    """Makes the combiner `join` of the accumulator `so_far` ignore elements beyond `extent` in `loop`."""
    number = next(n for n, v in enumerate(join.operands) if v != so_far)
    term = join.operands[number]
    with ir.InsertionPoint(join), join.location:
        index = linalg.IndexOp(loop).result
        end = arith.constant(ir.IndexType.get(), extent)
        inside = arith.cmpi(arith.CmpIPredicate.slt, index, end)
        join.operands[number] = arith.select(inside, term, arith.ConstantOp(term.type, neutral_of(join)).result)


def _loops(dimensions: Dimensions, op: ir.Operation) -> list[tuple[int, bool]]:
    return list(zip(dimensions.loops(op), [k == "reduction" for k in Generic.of(op).iterators], strict=True))


def _can_mask(op: AnyOp) -> bool:
    """Whether `op` reduces a function of single elements. Elements of contractions are multiplied by other operands."""
    from allo_air.mlir import linalg

    if linalg.isa_contraction_op(op) or walk_named(op, "tensor.extract"):
        return False
    return combiner(Generic.of(op)) is not None
