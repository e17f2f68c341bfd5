"""air-exchange-shared-l1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L1, ChannelGetOp, ChannelOp, ChannelPutOp
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.names import Names

_STORES = ("memref.store", "affine.store", "vector.store", "vector.transfer_write")
_LOOPS = ("scf.for", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")


@dataclass(frozen=True)
class AirExchangeSharedL1(Pass):
    """Replaces an L1 buffer that herds on different cores share by one buffer for each herd and a channel between them.

    Herds of one name are phases of the same cores, which can share it. Core (x, y) of one herd shares with core (x, y) of the
    other; data written by a herd of one core goes to all cores of the other. Contents move from the end of the herd that wrote
    last to the start of the next one that uses them. If the first writer may leave elements out, the buffer starts from zeros,
    since the transferred data must be defined. Adjacent cores with too few DMA channels exchange the data through memory that
    both reach (`air-to-aie`).

    Before:

        %m = memref.alloc() : memref<8xi32, 2>
        air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> { WRITES }
        air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> { READS }

    After:

        air.channel @shared_0 [1, 1]

        %m = memref.alloc() : memref<8xi32, 2>
        %n = memref.alloc() : memref<8xi32, 2>
        air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
          WRITES
          air.channel.put @shared_0[%i, %j] (%a[] [] []) : (memref<8xi32, 2>)
        }
        air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%n) : memref<8xi32, 2> {
          air.channel.get @shared_0[%i, %j] (%a[] [] []) : (memref<8xi32, 2>)
          READS
        }
    """

    name = "air-exchange-shared-l1"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for alloc in walk_named(op, "memref.alloc"):
            if is_in(alloc.results[0].type, L1) and alloc.parent.operation.name != "air.herd":
                users = [use.owner.operation for use in alloc.results[0].uses]
                herds = [u for u in walk_named(alloc.parent.operation, "air.herd") if u in users]
                if len({_cores(herd) for herd in herds}) > 1:
                    _exchange(op, alloc, herds, names)


def _cores(herd: ir.Operation) -> Any:
    """A key that is equal for herds on the same cores."""
    return sym_name_of(herd) if "sym_name" in herd.attributes else herd


def _exchange(module: AnyOp, alloc: AnyOp, herds: list[ir.Operation], names: Names) -> None:
    copies = {_cores(herds[0]): alloc.results[0]}
    frees = [u.owner.operation for u in alloc.results[0].uses if u.owner.operation.name == "memref.dealloc"]
    _check(alloc, herds)
    for cores in dict.fromkeys(map(_cores, herds)):
        if cores not in copies:
            copies[cores] = alloc.clone(ip=ir.InsertionPoint(alloc)).results[0]
            for free in frees:
                free.clone(ip=ir.InsertionPoint(free)).operands[0] = copies[cores]
    valid, last = set(copies), herds[0]
    transfers = []
    looped = alloc.block != herds[0].block
    for herd in herds * 2 if looped else herds:
        if _cores(herd) not in valid:
            transfers.append((last, herd))
            valid.add(_cores(herd))
        if _writes(herd, alloc.results[0]):
            valid, last = {_cores(herd)}, herd
    order = {herd: n for n, herd in enumerate(herds)}
    if transfers and not looped and herds[0] == transfers[0][0] and _leaves_out(transfers[0][0], alloc.results[0]):
        _zeros(transfers[0][0], alloc.results[0])
    for source, target in dict.fromkeys(transfers):
        if order[source] > order[target]:
            raise error_at(
                target, "reads data in an L1 buffer that a herd on other cores wrote in the previous iteration; use a channel"
            )
        _transfer(module, alloc.results[0], source, target, names)
    for herd in herds:
        for number, value in enumerate(herd.operands):
            if value == alloc.results[0]:
                herd.operands[number] = copies[_cores(herd)]


def _check(alloc: AnyOp, herds: Sequence[AnyOp]) -> None:
    shapes = [[constant_of(v) for v in herd.opview.sizes] for herd in herds]
    for herd, shape in zip(herds, shapes, strict=True):
        if None in shape or len(shape) != len(shapes[0]):
            raise error_at(herd, f"of size {shape} shares an L1 buffer with a herd of size {shapes[0]}; they must be equal")
        if herd.block != herds[0].block:
            raise error_at(herd, "shares an L1 buffer with a herd on other cores that is in another block; use a channel")
        if herd.opview.token is not None:
            raise error_at(herd, "is asynchronous, and shares an L1 buffer with a herd on other cores; use a channel")


def _argument(herd: AnyOp, value: ir.Value) -> Any:
    view = herd.opview
    return next(inner for inner, outer in zip(view.body_args, view.args, strict=True) if outer == value)


def _writes(herd: ir.Operation, value: ir.Value) -> bool:
    buffer = _argument(herd, value)
    inside = [a for op in herd.regions[0].blocks[0].operations for a in accesses(op)]
    return any(a.kind in ("write", "update") and root_of(a.memref) == root_of(buffer) for a in inside)


def _leaves_out(herd: ir.Operation, value: ir.Value) -> bool:
    """Whether `herd` may leave elements of its buffer unwritten: none of its writes is known to reach them all."""
    buffer = _argument(herd, value)
    inside = [a for op in herd.regions[0].blocks[0].operations for a in accesses(op)]
    written = [a for a in inside if a.kind in ("write", "update") and root_of(a.memref) == root_of(buffer)]
    return all(_is_partial(a.op, buffer.type.shape) for a in written if a.memref == buffer)


def _is_partial(op: AnyOp, shape: Sequence[int]) -> bool:
    """Whether a transfer of a part, or a store, may leave out some index of a dimension, whatever loops are around it."""
    if op.name in ("air.dma_memcpy_nd", "air.channel.get"):
        return len(op.opview.dst_sizes) > 0
    if op.name not in _STORES:
        return False
    indices = list(op.operands)[2 : 2 + len(shape)]
    if len(indices) != len(shape) or any(p.name in ("scf.if", "affine.if") for p in parents(op)):
        return True
    lanes = [1] * len(shape)
    if op.name.startswith("vector."):
        vector = list(op.operands[0].type.shape)
        lanes[len(shape) - len(vector) :] = vector
    return any(_index_bound(i, n) < extent for i, n, extent in zip(indices, lanes, shape, strict=True))


def _index_bound(index: ir.Value, lanes: int) -> int:
    """The largest number of different elements that accesses of `lanes` elements at `index` can reach; 0 if unknown."""
    if constant_of(index) is not None:
        return lanes
    owner = index.owner.owner.operation if isinstance(index, ir.BlockArgument) else None
    if owner is None or owner.name not in _LOOPS or (dims := Loop(owner).dims()) is None:
        return 0
    dim = next((d for d in dims if d.iv == index), None)
    return 0 if dim is None or dim.trips < 1 else (dim.trips - 1) * min(dim.step, lanes) + lanes


def _zeros(herd: ir.Operation, value: ir.Value) -> None:
    buffer = _argument(herd, value)
    element = buffer.type.element_type
    with ir.InsertionPoint.at_block_begin(herd.regions[0].blocks[0]), herd.location:
        zero = arith.constant(element, 0 if isinstance(element, ir.IntegerType) else 0.0)
        linalg.fill(zero, outs=[buffer])


def _transfer(module: AnyOp, value: ir.Value, source: AnyOp, target: AnyOp, names: Names) -> None:
    name = names.fresh("shared")
    sizes, rest = ([constant_of(v) for v in herd.opview.sizes] for herd in (source, target))
    if sizes != rest and set(sizes) != {1}:
        raise error_at(
            target,
            f"of size {rest} reads an L1 buffer that a herd of size {sizes} writes; they must be equal, or the"
            " writer has one core",
        )
    begin = ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0])
    channel = ChannelOp(sym_name=name, size=sizes, loc=source.location, ip=begin)
    if sizes != rest:
        i64 = ir.IntegerType.get_signless(64)
        channel.attributes["broadcast_shape"] = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in rest])
    for herd, kind, side in ((source, ChannelPutOp, "src"), (target, ChannelGetOp, "dst")):
        ops = [o.operation for o in herd.regions[0].blocks[0].operations]
        ip = ir.InsertionPoint(ops[-1] if kind is ChannelPutOp else ops[0])
        lists: dict[str, Any] = {side: _argument(herd, value), **{f"{side}_{n}": [] for n in ("offsets", "sizes", "strides")}}
        kind(
            chan_name=name,
            indices=list(herd.opview.ids),
            deps=[],
            token=False,
            attributes={},
            loc=herd.location,
            ip=ip,
            **lists,
        )
