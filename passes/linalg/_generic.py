"""linalg.generic on tensors taken apart and put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import is_unused
from allo_air.mlir import ir

_STRUCTURE = ("indexing_maps", "iterator_types", "operandSegmentSizes")


@dataclass
class Generic:
    """A linalg.generic: its operands with their maps, its loops, and its body."""

    op: ir.Operation

    def __post_init__(self) -> None:
        attributes = self.op.attributes
        self.maps = [m.value for m in attributes["indexing_maps"]]
        self.loops = [_kind(i) for i in attributes["iterator_types"]]
        self.count = attributes["operandSegmentSizes"][0]
        self.block = self.op.regions[0].blocks[0]
        self.body = [o.operation for o in self.block.operations][:-1]

    @property
    def inputs(self) -> list[Any]:
        return list(self.op.operands)[: self.count]

    @property
    def inits(self) -> list[Any]:
        return list(self.op.operands)[self.count :]

    @property
    def is_parallel(self) -> bool:
        return all(kind == "parallel" for kind in self.loops)

    @property
    def reads_init(self) -> bool:
        return any(not is_unused(a) for a in list(self.block.arguments)[self.count :])


def _kind(attribute: Any) -> str:
    return "reduction" if "reduction" in str(attribute) else "window" if "window" in str(attribute) else "parallel"


def generic_on_tensors(op: Any) -> Generic | None:
    """`op` as a Generic where it is one whose results are tensors."""
    if isinstance(op, ir.Block) or op.operation.name != "linalg.generic" or not len(op.operation.results):
        return None
    return Generic(op.operation)


def rebuilt(
    old: Generic,
    inputs: Sequence[tuple[Any, ir.AffineMap]],
    inits: Sequence[Any],
    emit: Callable[[list[Any], list[Any]], list[Any]],
) -> ir.Operation:
    """A linalg.generic in front of `old`, with its loops, its init maps and its other attributes.

    `emit` gets the block arguments of inputs and inits, writes the body and returns what it yields.
    """
    maps = [m for _, m in inputs] + old.maps[old.count :]
    attributes = dict(old.op.attributes.items()) | {
        "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), len(inits)]),
    }
    operands = [v for v, _ in inputs] + list(inits)
    where = old.op.location
    new = ir.Operation.create(
        "linalg.generic", [v.type for v in inits], operands, attributes, regions=1, loc=where, ip=ir.InsertionPoint(old.op)
    )
    kinds = [_element(v.type) for v in operands]
    block = new.regions[0].blocks.append(*kinds, arg_locs=[where] * len(kinds))
    with ir.InsertionPoint(block), where:
        arguments = list(block.arguments)
        ir.Operation.create("linalg.yield", [], emit(arguments[: len(inputs)], arguments[len(inputs) :]))
    return new


def _element(kind: Any) -> ir.Type:
    return kind.element_type if isinstance(kind, ir.ShapedType) else kind


def copy_body(generic: Generic, arguments: Sequence[Any]) -> list[Any]:
    """Copies the body of `generic` to the insertion point; returns what it yields for `arguments` of its block."""
    return clone_body(generic.block, dict(zip(generic.block.arguments, arguments, strict=True)))[1]
