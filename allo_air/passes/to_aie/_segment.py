"""The contents of a segment: its L2 buffers, the program of transfers on them, and the herds with their operands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from allo_air.core import loops
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects.air import L1, L2, HerdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.memory import LEVELS, is_in
from allo_air.passes.to_aie._bundles import Bundle
from allo_air.passes.to_aie._design import Buffer, Transfer
from allo_air.passes.to_aie._interpret import TRANSFERS, Interpreter
from allo_air.passes.to_aie._periods import Loop
from allo_air.passes.to_aie._refeed import refeed_of
from allo_air.passes.to_aie._walks import Walk

if TYPE_CHECKING:
    from allo_air.dialects.air import SegmentOp
    from allo_air.mlir import AnyOp

MAX_DIMS = 2
"""Dimensions in which a segment may be unrolled."""


@dataclass(frozen=True)
class Placed:
    """A herd in a segment: the numbers and L1 buffers passed to it, and its block."""

    op: Any
    numbers: dict[Any, int]
    block: Any
    held: dict[Any, Any] = field(default_factory=dict)
    """For each argument, the allocation in the segment of which each core has a copy."""


@dataclass(frozen=True)
class OfCores:
    """An allocation of L1 in a segment; each core that receives it has a separate buffer."""

    op: Any


@dataclass
class Contents:
    """A segment's buffers, its tree of transfers and its herds, in program order."""

    buffers: list[Buffer] = field(default_factory=list)
    tree: tuple[Any, ...] = ()
    herds: list[Placed] = field(default_factory=list)


def contents(unit: AnyOp, bundles: dict[str, Bundle], instance: Sequence[int] = ()) -> Contents:
    """The contents of `unit`, a segment or a herd outside of segments; `instance` selects one of an unrolled segment."""
    result = Contents()
    if unit.name == HerdOp.OPERATION_NAME:
        herd = HerdOp(unit)
        passed = zip(herd.body_args, map(constant_of, herd.args), strict=True)
        numbers = {argument: number for argument, number in passed if number is not None}
        result.herds.append(Placed(herd, numbers, unit.block))
        return result
    walk = SegmentWalk(unit.opview, bundles, result, instance)
    walk.run(unit.regions[0].blocks[0])
    result.tree = tuple(walk.tree)
    return result


def instances(segment: SegmentOp) -> list[tuple[int, ...]]:
    """The ids of the instances of `segment`, row by row; DiagnosticError where their number is not constant."""
    sizes = [constant_of(v) for v in segment.sizes]
    if any(s is None for s in sizes) or len(sizes) > MAX_DIMS:
        raise error_at(segment, f"is unrolled {sizes} times; air-to-aie takes one or two constant sizes")
    return list(product(*(range(s or 0) for s in sizes)))


class SegmentWalk(Interpreter):
    """Collects a segment's contents."""

    where = "a memtile"

    def __init__(self, segment: SegmentOp, bundles: dict[str, Bundle], contents: Contents, instance: Sequence[int] = ()):
        sizes = [constant_of(v) or 0 for v in segment.sizes]
        numbers = dict(zip(segment.ids, instance or [0] * len(sizes), strict=False))
        numbers |= dict(zip(segment.size_args, sizes, strict=True))
        for argument, value in zip(segment.body_args, segment.args, strict=True):
            if (number := constant_of(value)) is not None:
                numbers[argument] = number
        super().__init__(numbers)
        self.bundles, self.contents = bundles, contents
        self.tree: list[Any] = []

    def transfer(self, op: Any) -> None:
        is_put = op.OPERATION_NAME.endswith("put")
        if self.bundles[op.chan_name].kind == "mmio":
            if is_put:
                return
            raise error_at(op, f"gets from '@{op.chan_name}' of type mmio in a segment; constants are written into L1 buffers")
        memref = op.src if is_put else op.dst
        if is_in(memref.type, LEVELS["L3"]):
            return  # the host performs it
        bundle = self.bundles[op.chan_name]
        buffer = self.known.get(root_of(memref))
        if not isinstance(buffer, Buffer):
            raise error_at(op, f"moves {memref.type} in a segment, which can move only L2 buffers that it allocates")
        indices = [self.number(v) for v in op.indices]
        if any(i is None for i in indices):
            raise error_at(op, f"uses '@{bundle.name}' at indices that are not constant")
        key = bundle.key(op, [i for i in indices if i is not None], is_put)
        walk, repeat = _without_repeats(self.walk_of(op, memref, buffer.type))
        repeat *= refeed_of(op, buffer.op, bundle) if is_put else 1
        transfer = Transfer(op, key, is_put, buffer.number, walk)
        self.tree.append(Loop(repeat, (transfer,)) if repeat > 1 else transfer)

    def keep(self, loop: loops.Loop) -> None:
        outside, self.tree = self.tree, []
        times = loop.trips(self.number)
        self.assign(loop.block.arguments, [None] * len(loop.block.arguments))
        self.run(loop.block)
        inner: Any = tuple(self.tree)
        self.tree = outside
        if inner:
            self.tree.append(Loop(times, inner))

    def undecided(self, op: ir.Operation, why: str) -> None:
        if walk_named(op, *TRANSFERS, HerdOp.OPERATION_NAME):
            super().undecided(op, why)

    def other(self, op: ir.Operation) -> None:
        if op.name == "memref.alloc" and is_in(op.results[0].type, L2):
            if op.operands:
                raise error_at(op, "allocates a buffer of dynamic size; a memtile's buffers are static")
            buffer = Buffer(len(self.contents.buffers), op.results[0].type, op)
            self.contents.buffers.append(buffer)
            self.known[op.results[0]] = buffer
        elif op.name == HerdOp.OPERATION_NAME:
            self._herd(op.opview)
        elif op.name in VIEWS or op.name == "memref.dealloc" or not _touches_memory(op):
            return
        elif op.name == "memref.alloc" and is_in(op.results[0].type, L1):
            if op.operands:
                raise error_at(op, "allocates a buffer of dynamic size; a core's buffers are static")
            self.known[op.results[0]] = OfCores(op)
        else:
            raise error_at(op, "works on memory inside a segment, where no core is; move it into a herd, or make it a transfer")

    def _herd(self, herd: HerdOp) -> None:
        numbers, allocs = {}, {}
        for argument, value in zip(herd.body_args, herd.args, strict=True):
            if (number := self.number(value)) is not None:
                numbers[argument] = number
            elif isinstance(shared := self.get(value), OfCores):
                allocs[argument] = shared.op
            elif is_in(value.type, L1):
                raise error_at(herd, "is passed a view of an L1 buffer; pass the buffer, and make the view in the herd")
        self.contents.herds.append(Placed(herd, numbers, herd.operation.block, allocs))


def _touches_memory(op: ir.Operation) -> bool:
    values = [v for o in walk_post_order(op) for v in (*o.operands, *o.results)]
    return any(isinstance(v.type, ir.MemRefType | ir.UnrankedMemRefType) for v in values)


def _without_repeats(walk: Walk) -> tuple[Walk, int]:
    """The walk without leading dimensions of stride 0, and the number of repetitions."""
    if walk.pads:
        return walk, 1
    dims, times = list(walk.dims), 1
    while len(dims) > 1 and (dims[0][1] == 0 or dims[0][0] == 1):
        times *= dims.pop(0)[0]
    return replace(walk, dims=tuple(dims)), times
