"""Neutral numbers of reductions: 0 for sums, 1 for products, the smallest number for maxima."""

from __future__ import annotations

from math import inf
from typing import Any

from allo_air.core.walking import defining_op, is_result_of, walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.neutral import neutral_number
from allo_air.passes._analysis.structured import loops_in
from allo_air.passes._ir.generic import Generic

_ZERO_OF_ONE = ("arith.mulf", "arith.muli", "arith.andi")
_ZERO_OF_ALL = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (
        ("arith", "addf subf addi subi negf extf truncf extsi extui trunci sitofp uitofp"),
        ("math", "absf absi sqrt tanh"),
    )
    for name in names.split()
)

_LEAST_OF_FIRST = ("arith.subf", "arith.extf", "arith.truncf")
_LARGEST = ("arith.maximumf", "arith.maxnumf", "arith.maxsi")
_NEVER_NEGATIVE = ("math.absf", "math.absi", "math.sqrt")


def combiner(generic: Generic) -> Any:
    """The associative and commutative operation that combines the accumulator with the element's contribution; None if there is
    none.
    """
    if len(generic.outs) != 1 or walk_named(generic.op, "linalg.index"):
        return None
    [value], so_far = generic.yielded, generic.arguments[-1]
    op = defining_op(value)
    if op is None or op.block != generic.block or neutral_of(op) is None:
        return None
    is_only_user = len(list(value.uses)) == 1 and len(list(so_far.uses)) == 1
    return op if is_only_user and so_far in list(op.operands) else None


def padding_of(generic: Generic, join: AnyOp, loop: int) -> int | float | None:
    """A number that has no effect on the result if all operands are padded with it along a loop; None if there is none."""
    neutral, so_far = neutral_of(join).value, generic.arguments[-1]
    [term] = [v for v in join.operands if v != so_far]
    along = {a for a, v, m in zip(generic.arguments, generic.inputs, generic.maps, strict=False) if dims_of_loop(m, loop)}
    if term in along:
        return neutral
    if neutral == 0 and term in _zeros(generic, set(), along):
        return -inf
    if term not in _zeros(generic, along, set()):
        return None
    least = join.name in _LARGEST and is_result_of(term, *_NEVER_NEGATIVE)
    return 0 if neutral == 0 or least else None


def _zeros(generic: Generic, zeros: set[ir.Value], least: set[ir.Value]) -> set[Any]:
    """The values of the body that are 0 if `zeros` are 0 and `least` are -inf."""
    zeros, least = set(zeros), set(least)
    for op in generic.body:
        values = [v in zeros for v in op.operands]
        scaled = any(values) and all(g or _is_constant(v) for g, v in zip(values, op.operands, strict=True))
        if (op.name in _ZERO_OF_ALL and all(values)) or (op.name in _ZERO_OF_ONE and scaled):
            zeros.add(op.results[0])
        if op.name in _LEAST_OF_FIRST and op.operands[0] in least and not least & set(list(op.operands)[1:]):
            least.add(op.results[0])
        if op.name in ("math.exp", "math.exp2") and op.operands[0] in least:
            zeros.add(op.results[0])
    return zeros


def _is_constant(value: ir.Value) -> bool:
    return is_result_of(value, "arith.constant")


def neutral_of(op: AnyOp) -> Any:
    """The neutral number of `op`, as an attribute: with it as one operand, `op` returns the other one; None if there is
    none.
    """
    kind = op.results[0].type
    number = neutral_number(op.name, element_bits(ir.RankedTensorType.get([], kind)) or 0)
    if number is None:
        return None
    return (ir.FloatAttr if isinstance(number, float) else ir.IntegerAttr).get(kind, number)


def dims_of_loop(map_: ir.AffineMap, loop: int) -> list[int]:
    """The dimensions of an operand that depend on a loop."""
    return [n for n, e in enumerate(map_.results) if loop in loops_in(e)]
