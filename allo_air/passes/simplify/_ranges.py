"""Computes ranges of integers: of scalars, and of all elements of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from allo_air.core.elements import is_elements
from allo_air.core.walking import body_of, is_result_of, is_unused
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, extents
from allo_air.passes.simplify._evaluate import constant_array

Range = tuple[int, int]
EMPTY: Range = (1, 0)
"""The range of a value that does not exist yet."""
WORD: Range = (-(2**31), 2**31 - 1)
_SAME = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.cast", "tensor.concat", "linalg.copy")
_CORNERS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.maxsi": max,
    "arith.minsi": min,
}
"""Operations that are monotone in each operand, so that the bounds of the result come from the operands' bounds."""


def ranges(function: AnyOp) -> dict[Any, Range]:
    """The known ranges of integers in `function`; i64 arguments have the range of i32.

    The host checks that arguments fit in a word, the unit that DMAs move.
    """
    range_of: dict[Any, Range] = {}
    for argument in function.regions[0].blocks[0].arguments:
        _record(range_of, argument, WORD if _bit_width(argument) == 64 else None)
    for op in body_of(function):
        if op.name == "linalg.generic" and op.results:
            _generic(range_of, Generic.of(op))
        elif len(op.results) == 1:
            _record(range_of, op.results[0], _top(range_of, op))
    return range_of


def join(a: Range | None, b: Range | None) -> Range | None:
    """The union of both ranges. None means: any number."""
    if a is None or b is None:
        return None
    return b if a == EMPTY else a if b == EMPTY else (min(a[0], b[0]), max(a[1], b[1]))


def _bit_width(value: ir.Value) -> int:
    element = value.type.element_type if isinstance(value.type, ir.RankedTensorType) else value.type
    return int(element.width) if isinstance(element, ir.IntegerType) else 0


def _record(range_of: dict[Any, Range], value: ir.Value, range_: Range | None) -> None:
    """Records `range_`, or the range of the type."""
    width = _bit_width(value)
    if range_ is None and 0 < width < 64:
        range_ = (0, 1) if width == 1 else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    if range_ is not None and (width or isinstance(value.type, ir.IndexType)):
        range_of[value] = range_


def _top(range_of: dict[ir.Value, Range], op: AnyOp) -> Range | None:
    if op.name == "tensor.empty":
        return EMPTY
    if op.name == "linalg.fill":
        return range_of.get(op.operands[0])
    if op.name in _SAME:
        range_: Range | None = EMPTY
        for value in op.operands:
            range_ = join(range_, range_of.get(value))
        return range_
    return _scalar(range_of, op, [])


def _generic(range_of: dict[ir.BlockArgument | ir.OpResult, Range], generic: Generic) -> None:
    shape = extents(generic)
    count = len(generic.inputs)
    for value, argument in zip((*generic.inputs, *generic.outs), generic.arguments, strict=True):
        _record(range_of, argument, range_of.get(value))
    _body(range_of, generic, shape)
    trips = prod(n for n, i in zip(shape, generic.iterators, strict=True) if i == "reduction")
    for n, result in enumerate(generic.op.results):
        argument, new = generic.arguments[count + n], range_of.get(generic.yielded[n])
        if trips > 1 and not is_unused(argument):
            new = _repeated(range_of, generic, n, shape, trips)
        _record(range_of, result, new)


def _repeated(
    range_of: dict[ir.BlockArgument | ir.OpResult, Range], generic: Generic, n: int, shape: list[int], trips: int
) -> Range | None:
    """The range of a result that depends on itself: that of a sum, or a fixed point."""
    argument, yielded = generic.arguments[len(generic.inputs) + n], generic.yielded[n]
    start, result = range_of.get(argument), range_of.get(yielded)
    if start is None or result is None:
        return None
    if is_result_of(yielded, "arith.addi") and argument in yielded.owner.operands:
        added = [range_of.get(v) for v in yielded.owner.operands if v != argument]
        if len(added) == 1 and added[0] is not None and start != EMPTY:
            return start[0] + trips * min(0, added[0][0]), start[1] + trips * max(0, added[0][1])
        return None
    both = join(start, result)
    assert both is not None
    range_of[argument] = both
    _body(range_of, generic, shape)
    return both if range_of.get(yielded) is not None and join(both, range_of[yielded]) == both else None


def _body(range_of: dict[ir.BlockArgument | ir.OpResult, Range], generic: Generic, shape: list[int]) -> None:
    for op in generic.body:
        if len(op.results) == 1:
            range_of.pop(op.results[0], None)
            _record(range_of, op.results[0], _scalar(range_of, op, shape))


def _scalar(range_of: dict[Any, Range], op: AnyOp, shape: list[int]) -> Range | None:
    if op.name == "arith.constant":
        return _constant(op)
    if op.name == "linalg.index":
        return 0, shape[int(op.attributes["dim"].value)] - 1
    values = [range_of.get(v) for v in op.operands]
    if op.name == "arith.select":
        return join(values[1], values[2])
    if op.name in ("arith.cmpi", "arith.cmpf"):
        return 0, 1
    sides = [g for g in values if g is not None and g != EMPTY]
    if len(sides) != len(values):
        return None
    if op.name in ("arith.extsi", "arith.index_cast") and _bit_width(op.operands[0]) != 1:
        return sides[0]
    if op.name in ("arith.extui", "arith.index_castui", "arith.trunci") and sides[0][0] >= 0:
        width = _bit_width(op.results[0]) or 64
        return sides[0] if sides[0][1] < 2 ** (width - 1) else None
    if op.name == "math.absi":
        low, high = sides[0]
        return max(0, low, -high), max(abs(low), abs(high))
    if op.name == "arith.remsi" and sides[1][0] > 0:
        most = sides[1][1] - 1
        return max(sides[0][0], -most) if sides[0][0] < 0 else 0, max(0, min(sides[0][1], most))
    if op.name == "arith.divsi" and sides[1][0] > 0:
        ends = [_toward_zero(a, b) for a in sides[0] for b in sides[1]]
        return min(ends), max(ends)
    if op.name == "arith.andi" and max(sides[0][0], sides[1][0]) >= 0:
        return 0, min(high for low, high in sides if low >= 0)
    if op.name in _CORNERS:
        ends = [_CORNERS[op.name](a, b) for a in sides[0] for b in sides[1]]
        return min(ends), max(ends)
    return None


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // b * (1 if a >= 0 else -1)


def _constant(op: AnyOp) -> Range | None:
    value = op.results[0]
    if not _bit_width(value) and not isinstance(value.type, ir.IndexType):
        return None
    attribute = op.attributes["value"]
    if is_elements(attribute) or isinstance(value.type, ir.RankedTensorType):
        array = constant_array(value)
        return None if array is None or not array.size else (int(array.min()), int(array.max()))
    return int(attribute.value), int(attribute.value)
