"""Fuses elementwise linalg.generic operations on tensors into their users."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import is_unused, walk_named
from allo_air.errors import counted
from allo_air.mlir import arith, ir
from allo_air.passes._ir.generic import Generic, composed_map
from allo_air.passes.linalg._generic import copy_body, generic_on_tensors, rebuilt


def why_not(producer: Generic, consumer: Generic, operand: int) -> str:
    """Why `producer`, whose result is input `operand` of `consumer`, cannot be fused into it; empty if it can."""
    if not producer.is_parallel:
        return "it reduces, and can only be computed as a whole"
    if len(producer.outs) != 1:
        return f"it has {counted(len(producer.outs), 'result')}"
    if any(o.name == "linalg.index" for o in producer.body):
        return "its body uses linalg.index"
    if _inverse(producer) is None:
        return "its result's indexing map is not a permutation of its loops"
    if len(consumer.iterators) != len(_loops_in(_fused_maps(producer, consumer, operand))):
        return "the extents of the fused loops cannot be inferred from its operands"
    return ""


def _inverse(producer: Generic) -> list[int] | None:
    """For each loop of the producer, the dimension of its result that the loop indexes."""
    results = producer.maps[-1].results
    if not all(isinstance(e, ir.AffineDimExpr) for e in results) or len(results) != len(producer.iterators):
        return None
    dims = [ir.AffineDimExpr(e).position for e in results]
    return [dims.index(d) for d in range(len(dims))] if sorted(dims) == list(range(len(dims))) else None


def _fused_maps(producer: Generic, consumer: Generic, operand: int) -> list[ir.AffineMap]:
    moved = _moved_maps(producer, consumer, operand)
    maps = [m for n, m in enumerate(consumer.maps) if n != operand]
    return [*moved, *maps]


def _moved_maps(producer: Generic, consumer: Generic, operand: int) -> list[ir.AffineMap]:
    """The maps of the producer's operands, in terms of the consumer's loops."""
    inverse = _inverse(producer)
    assert inverse is not None
    read = consumer.maps[operand]
    loop_map = ir.AffineMap.get(len(consumer.iterators), 0, [read.results[n] for n in inverse])
    maps = producer.maps if producer.reads_outs else producer.maps[: len(producer.inputs)]
    return [composed_map(m, loop_map) for m in maps]


def _loops_in(maps: list[ir.AffineMap]) -> set[int]:
    """The loops that some map has as a result by themselves: d0, but not d0 + d1."""
    return {ir.AffineDimExpr(e).position for m in maps for e in m.results if isinstance(e, ir.AffineDimExpr)}


def fused(producer: Generic, consumer: Generic, operand: int) -> ir.Operation:
    """The consumer with the producer of input `operand` fused into it, inserted before it; both originals stay.

    Before:

        %e = linalg.generic {(i, j) -> (i, j)} ins(%x) { exp }
        %s = linalg.generic {(i, j) -> (j, i), ...} ins(%e) { add }

    After:

        %s = linalg.generic {(i, j) -> (j, i), ...} ins(%x) { exp; add }
    """
    moved = producer.inputs + (producer.outs if producer.reads_outs else ())
    maps = _moved_maps(producer, consumer, operand)
    inputs = list(zip(consumer.inputs, consumer.maps, strict=False))
    inputs[operand : operand + 1] = list(zip(moved, maps, strict=True))

    def emit(ins: Sequence[ir.Value], outs: Sequence[object]) -> list[Any]:
        inputs = ins[operand : operand + len(moved)]
        if not producer.reads_outs:  # the block still has an unused argument for it
            inputs = [*inputs, *producer.arguments[len(producer.inputs) :]]
        [result] = copy_body(producer, inputs)
        values = [*ins[:operand], result, *ins[operand + len(moved) :]]
        return copy_body(consumer, [*values, *outs])

    return rebuilt(consumer, inputs, emit)


def fuse_elementwise(root: ir.Operation) -> None:
    """Fuses every elementwise operation into its users, and splats and fills too; a producer with several users is recomputed
    in each.
    """
    changed = True
    while changed:
        changed = any(_simplify(op) for op in reversed(walk_named(root, "linalg.generic")) if _has_tensor_results(op))
    for op in reversed(walk_named(root, "linalg.generic", "linalg.fill", "tensor.empty")):
        if len(op.results) and all(is_unused(r) for r in op.results):
            op.erase()


def _has_tensor_results(op: ir.Operation) -> bool:
    return bool(len(op.results))


def _simplify(op: ir.Operation) -> bool:
    """Applies one simplification to one operation; returns whether it did. It may erase `op`, but no other operation."""
    consumer = Generic.of(op)
    if all(is_unused(r) for r in op.results):
        return False
    for n, value in enumerate(consumer.inputs):
        if (producer := generic_on_tensors(value.owner)) is not None and not why_not(producer, consumer, n):
            replace(op, _merge_inputs(fused(producer, consumer, n)).results)
            return True
        if (scalar := _scalar(value)) is not None and _can_drop(consumer, n):
            replace(op, _with_scalar(consumer, n, scalar).results)
            return True
    return False


def _can_drop(generic: Generic, operand: int) -> bool:
    remaining_maps = [m for n, m in enumerate(generic.maps) if n != operand]
    return len(_loops_in(remaining_maps)) == len(generic.iterators)


def _scalar(value: ir.Value) -> Any:
    """The value that all elements of `value` have: the attribute of a splat constant, or the operand of a fill; None for other
    tensors.
    """
    if isinstance(value, ir.BlockArgument) or not isinstance(value.type, ir.RankedTensorType):
        return None
    owner = value.owner.operation
    if owner.name == "linalg.fill":
        return owner.operands[0] if owner.operands[0].type == value.type.element_type else None
    if owner.name == "arith.constant":
        dense = owner.attributes["value"]
        if isinstance(dense, ir.DenseElementsAttr) and dense.is_splat:
            return dense.get_splat_value()
    return None


def _with_scalar(generic: Generic, operand: int, scalar: object) -> ir.Operation:
    inputs = [pair for n, pair in enumerate(zip(generic.inputs, generic.maps, strict=False)) if n != operand]
    if isinstance(scalar, ir.Attribute):
        kind = generic.inputs[operand].type.element_type
        scalar = arith.constant(kind, scalar, loc=generic.op.location, ip=ir.InsertionPoint(generic.op))

    def emit(ins: Sequence[ir.Value], outs: Sequence[object]) -> list[Any]:
        return copy_body(generic, [*ins[:operand], scalar, *ins[operand:], *outs])

    return rebuilt(generic, inputs, emit)


def _merge_inputs(op: ir.Operation) -> ir.Operation:
    """`op` with duplicate inputs (same value, same map) merged, and unused inputs removed."""
    generic = Generic.of(op)
    pairs = list(zip(generic.inputs, generic.maps, strict=False))
    first = [pairs.index(pair) for pair in pairs]
    used = [not is_unused(a) for a in generic.arguments[: len(generic.inputs)]]
    needed = sorted({first[n] for n in range(len(pairs)) if used[n]})
    remaining_maps = [pairs[n][1] for n in needed] + list(generic.maps[len(generic.inputs) :])
    if len(_loops_in(remaining_maps)) != len(generic.iterators):
        needed = sorted(set(first))
    if len(needed) == len(pairs):
        return op

    def emit(ins: Sequence[ir.Value], outs: Sequence[object]) -> list[Any]:
        unused = generic.arguments
        values = [ins[needed.index(f)] if f in needed else unused[n] for n, f in enumerate(first)]
        return copy_body(generic, [*values, *outs])

    new = rebuilt(generic, [pairs[n] for n in needed], emit)
    replace(op, new.results)
    return new
