"""Cascade channels: a put streams its buffer, 512 bits at a time, to the neighbouring core, whose get stores it."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.dialects import aie
from allo_air.mlir import ir


def lower(op: Any, memref: Any, bits: int, core: Any) -> None:
    """Puts the loop for `op`, a put or get of all of `memref` on a cascade of `bits` bits, into core program `core`."""
    kind = memref.type
    element = kind.element_type
    put = op.OPERATION_NAME.endswith("put")
    if any(len(v) for v in ((op.src_sizes, op.src_offsets) if put else (op.dst_sizes, op.dst_offsets))):
        raise error_at(op, "moves part of its buffer through a cascade; a cascade takes whole buffers in their order")
    lanes, size = bits // element.width, prod(kind.shape)
    if size % lanes:
        raise error_at(
            op, f"moves {size} elements of {element} through a cascade, which takes multiples of {lanes} ({bits} bits)"
        )
    ip = ir.InsertionPoint(core.block)
    flat = memref
    if kind.rank != 1:
        groups = ir.Attribute.parse("[[" + ", ".join(f"{i} : i64" for i in range(kind.rank)) + "]]")
        flat_type = ir.MemRefType.get([size], element, memory_space=kind.memory_space)
        flat = ir.Operation.create(
            "memref.collapse_shape", [flat_type], [memref], {"reassociation": groups}, loc=op.location, ip=ip
        ).results[0]
    index = ir.IndexType.get()
    bounds = [core._constant(index, n) for n in (0, size, lanes)]
    loop = ir.Operation.create("scf.for", [], bounds, regions=1, loc=op.location, ip=ip)
    block = loop.regions[0].blocks.append(index, arg_locs=[op.location])
    inner = ir.InsertionPoint(block)
    vector = ir.VectorType.get([lanes], element)
    at = block.arguments[0]
    if put:
        value = ir.Operation.create("vector.load", [vector], [flat, at], loc=op.location, ip=inner).results[0]
        aie.PutCascadeOp(cascade_value=value, loc=op.location, ip=inner)
    else:
        value = aie.GetCascadeOp(cascade_value=vector, loc=op.location, ip=inner).cascade_value
        ir.Operation.create("vector.store", [], [value, flat, at], loc=op.location, ip=inner)
    ir.Operation.create("scf.yield", loc=op.location, ip=inner)
