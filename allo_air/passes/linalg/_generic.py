"""Rebuilds a linalg.generic with other inputs and the same attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone_body
from allo_air.mlir import ir, linalg
from allo_air.passes._ir.generic import Generic, maps_attr

if TYPE_CHECKING:
    from allo_air.mlir import bufferization


def generic_on_tensors(op: bufferization.ToTensorOp | linalg.GenericOp | linalg.ReduceOp) -> Generic | None:
    """`op` as a Generic if all its results are tensors."""
    if isinstance(op, ir.Block) or op.operation.name != "linalg.generic" or not len(op.operation.results):
        return None
    return Generic.of(op.operation)


def rebuilt(
    old: Generic,
    inputs: Sequence[tuple[Any, ir.AffineMap]],
    emit: Callable[[list[Any], list[Any]], list[Any]],
) -> ir.Operation:
    """Creates a linalg.generic before `old` with other inputs (values and their maps), and with the same loops, destinations
    and other attributes.

    `emit` takes the block arguments of inputs and destinations, emits the body and returns the yielded values.
    """
    maps = [m for _, m in inputs] + list(old.maps[len(old.inputs) :])
    attributes = dict(old.op.attributes.items()) | {
        "indexing_maps": maps_attr(maps),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), len(old.outs)]),
    }
    operands = [v for v, _ in inputs] + list(old.outs)
    location = old.op.location
    results = [r.type for r in old.op.results]
    new = ir.Operation.create(
        "linalg.generic", results, operands, attributes, regions=1, loc=location, ip=ir.InsertionPoint(old.op)
    )
    kinds = [_element(v.type) for v in operands]
    block = new.regions[0].blocks.append(*kinds, arg_locs=[location] * len(kinds))
    with ir.InsertionPoint(block), location:
        arguments = list(block.arguments)
        linalg.YieldOp(emit(arguments[: len(inputs)], arguments[len(inputs) :]))
    return new


def _element(kind: ir.Type) -> ir.Type:
    return kind.element_type if isinstance(kind, ir.ShapedType) else kind


def copy_body(generic: Generic, arguments: Sequence[object]) -> list[Any]:
    """Copies the body of `generic` to the insertion point; returns the values that it yields for `arguments` of its block."""
    return clone_body(generic.block, dict(zip(generic.block.arguments, arguments, strict=True)))[1]
