"""Creates the segment's ends of DMA copies between herds and L2, before or after the herd, for each core."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import defining_op, parents, walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelPutOp
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import is_pure

_LOOPS = ("scf.for", "affine.for")


def segment_ends(op: AnyOp, herd: Any, channel: str, *, reads: bool) -> list[AnyOp]:
    """Puts on `channel` for the L2 data that DMA `op` of `herd` reads, or gets for the data that it writes; returns the new
    operations. Loops around `op` are also created around its ends. All puts precede the herd and all gets follow it, so a
    herd may not read data that it writes.
    """
    _check_direction(op, herd, reads=reads)
    outwards = list(parents(op))
    path = outwards[: outwards.index(herd.operation)][::-1]
    for outer in path:
        if outer.name not in _LOOPS:
            raise error_at(op, f"copies from or to L2 inside {outer.name}; run air-dma-to-channel before air-to-aie")
    sizes = [constant_of(v) for v in herd.sizes]
    block = herd.operation.block
    place = ir.InsertionPoint(herd.operation) if reads else ir.InsertionPoint.after(herd.operation)
    before = {o.operation for o in block.operations}
    for ids in product(*(range(n) for n in sizes if n is not None)):
        with place, op.location:
            values: dict[Any, Any] = dict(zip(herd.body_args, herd.args, strict=True))
            values |= dict(zip(herd.size_args, herd.sizes, strict=True))
            values |= {v: index_constant(n, op.location) for v, n in zip(herd.ids, ids, strict=True)}
            _end(op, path, channel, [values[v] for v in herd.ids], values, reads=reads)
    return [o.operation for o in block.operations if o.operation not in before]


def _check_direction(op: AnyOp, herd: Any, *, reads: bool) -> None:
    near, far = ("dst", "src") if reads else ("src", "dst")
    root = root_of(getattr(op.opview, far))
    for transfer in walk_named(herd.operation, "air.dma_memcpy_nd"):
        if transfer != op and root_of(getattr(transfer.opview, near)) == root:
            does, also = ("reads", "writes") if reads else ("writes", "reads")
            wrong = f"{does} a buffer in L2 that its herd also {also}; their order would be lost"
            raise error_at(op, f"{wrong}: run air-dma-to-channel before air-to-aie")


def _end(op: AnyOp, path: Sequence[AnyOp], channel: str, indices: list[Any], values: dict[Any, Any], *, reads: bool) -> None:
    if path:
        loop = path[0]
        if loop.name == "scf.for":
            bounds = [_value(v, op, values) for v in list(loop.operands)[:3]]
            body = scf.ForOp(*bounds).body
        else:
            count = len(loop.operands) - len(loop.results)
            attributes = {n: a for n, a in loop.attributes.items() if n != "operandSegmentSizes"}
            segments = list(loop.attributes["operandSegmentSizes"])
            attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([*segments[:2], 0])
            bounds = [_value(v, op, values) for v in list(loop.operands)[:count]]
            new = ir.Operation.create("affine.for", [], bounds, attributes, regions=1)
            body = new.regions[0].blocks.append(ir.IndexType.get(), arg_locs=[op.location])
        values[loop.regions[0].blocks[0].arguments[0]] = body.arguments[0]
        with ir.InsertionPoint(body):
            _end(op, path[1:], channel, indices, values, reads=reads)
            ir.Operation.create(f"{loop.name[: loop.name.index('.')]}.yield")
        return
    view, side = op.opview, "src" if reads else "dst"
    parts = [f"{side}_{part}" for part in ("offsets", "sizes", "strides")]
    fields = {p: [_value(v, op, values) for v in getattr(view, p)] for p in parts}
    fields[side] = _value(getattr(view, side), op, values)
    (ChannelPutOp if reads else ChannelGetOp)(deps=[], indices=indices, chan_name=channel, token=False, **fields)


def _value(value: ir.Value, op: AnyOp, values: dict[Any, Any]) -> Any:
    """`value` of a herd, recomputed in its segment."""
    if value in values:
        return values[value]
    owner = defining_op(value)
    if owner is None or not is_pure(owner):
        raise error_at(op, "has an address in L2 that depends on data; compute it from ids and loop counters")
    for operand in owner.operands:
        _value(operand, op, values)
    clone(owner, values)
    return values[value]
