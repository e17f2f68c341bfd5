"""Finds where a core's tile of the result lies: in the part of the result that all cores compute together, and in the whole
result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir

Offset = Any
"""An int, or a value of type index."""


@dataclass(frozen=True)
class Place:
    """The position of a core's tile in the part that all cores compute at a time, of size `sizes`, and the part's position in
    the result.

    `l2` is the tensor in L2 that all cores write to.
    """

    core: tuple[Offset, ...]
    array: tuple[Offset, ...]
    sizes: tuple[int, ...]
    l2: ir.Value


def place_of(unpack: ir.Operation, matrix: tuple[int, int]) -> Place:
    """Follows the result of `unpack` outward through the loops to the function's return."""
    l2 = _root(unpack.operands[1])
    value, core, array = unpack.results[0], None, [0] * len(unpack.results[0].type.shape)
    while True:
        if core is None and _shares_block(value, l2):
            core, array, value = array, [0] * len(array), value
        [use] = [u for u in value.uses if u.owner.operation.name != "tensor.extract_slice"]
        op = use.owner.operation
        match op.name:
            case "func.return":
                assert core is not None, "the result goes through L2"
                return Place(tuple(core), tuple(array), tuple(l2.type.shape), l2)
            case "tensor.parallel_insert_slice":
                array = _added(array, op, matrix, l2)
                value = _result_for(op)
            case "tensor.insert_slice":
                array = _added(array, op, matrix, l2)
                value = op.results[0]
            case "scf.yield":
                value = op.parent.operation.results[use.operand_number]
            case _:
                raise AssertionError(f"{op.name} takes the result of tiles")


def _root(destination: Any) -> ir.Value:
    """The bufferization.alloc_tensor that `destination` is a part of."""
    while True:
        owner = destination.owner
        if isinstance(owner, ir.Block):
            loop = owner.owner.operation
            inits = list(loop.operands)[len(loop.operands) - len(loop.results) :]
            destination = inits[destination.arg_number - (len(owner.arguments) - len(inits))]
        elif owner.name == "tensor.extract_slice":
            destination = owner.operands[0]
        else:
            return destination


def _shares_block(value: ir.Value, l2: ir.Value) -> bool:
    """Whether `value` is defined in the block of the L2 tensor, which contains the tiles of all cores."""
    return bool(value.owner.operation.block == l2.owner.operation.block)


def _result_for(insert: Any) -> Any:
    """The loop result of the tensor that a tensor.parallel_insert_slice inserts into."""
    target = insert.operands[1]
    loop = insert.parent.operation.parent.operation
    return loop.results[target.arg_number - (len(target.owner.arguments) - len(loop.results))]


def _added(offsets: Sequence[Offset], insert: ir.Operation, matrix: tuple[int, int], l2: ir.Value) -> list[Offset]:
    """`offsets` plus the offsets of `insert`, which may have more dimensions than `matrix`.

    If each of several launches has several tiles, the sums are computed before `l2`.
    """
    dynamic = iter(insert.opview.offsets)
    static = list(insert.opview.static_offsets)
    more = [next(dynamic) if n == ir.ShapedType.get_dynamic_stride_or_offset() else n for n in static]
    own = list(offsets)
    if len(more) > len(own):
        rows, columns = offsets
        own = [rows if d == matrix[0] else columns if d == matrix[1] else 0 for d in range(len(more))]
    return [_sum(a, b, l2) for a, b in zip(own, more, strict=True)]


def _sum(a: Offset, b: Offset, l2: ir.Value) -> Offset:
    from allo_air.mlir import affine

    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if 0 in (n for n in (a, b) if isinstance(n, int)):
        return b if isinstance(a, int) else a
    terms: list[Any] = []
    values: list[Any] = []
    for offset in (a, b):
        terms.append(ir.AffineConstantExpr.get(offset) if isinstance(offset, int) else ir.AffineDimExpr.get(len(values)))
        values += [] if isinstance(offset, int) else [offset]
    with ir.InsertionPoint(l2.owner), l2.owner.location:
        return affine.AffineApplyOp(ir.AffineMap.get(len(values), 0, [terms[0] + terms[1]]), values).result
