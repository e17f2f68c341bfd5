"""Splits linalg.pack and linalg.unpack on memrefs whose tiles do not divide the shape into several whose tiles do."""

from __future__ import annotations

from itertools import product
from typing import Any

from allo_air.dialects.air import L1
from allo_air.mlir import ir, linalg, memref
from allo_air.passes._analysis.memory import is_in


def even_parts(op: ir.Operation) -> list[ir.Operation]:
    """The parts of `op`: itself if its tiles divide the shape, else one for the whole tiles and one for each edge.

    A pack that pads fills its destination first; only a core can do that, so it is split if it packs into L1.
    Before: `linalg.pack %a padding_value(%v : i8) inner_dims_pos = [0] inner_tiles = [4] into %b : memref<15xi8> -> ...`
    After, of views of %a and %b: a fill with %v, a pack of 3 tiles of 4, and one of a tile of 3.
    """
    pack = op.opview
    packs = op.name == "linalg.pack"
    unpacked, packed = (pack.source, pack.dest) if packs else (pack.dest, pack.source)
    sizes = list(pack.static_inner_tiles)
    if not unpacked.type.has_static_shape or not packed.type.has_static_shape or any(s < 0 for s in sizes):
        return [op]
    tiles = dict(zip(pack.inner_dims_pos, sizes, strict=True))
    if not any(unpacked.type.shape[d] % t for d, t in tiles.items()) or (packs and not is_in(packed.type, L1)):
        return [op]
    order = list(pack.outer_dims_perm or []) or list(range(unpacked.type.rank))
    ops: list[ir.Operation] = []
    with ir.InsertionPoint(op), op.location:
        if packs and pack.padding_value is not None:
            linalg.fill(pack.padding_value, outs=[packed])
        for part in product(*(_ranges(unpacked.type.shape[d], tiles.get(d)) for d in range(unpacked.type.rank))):
            starts, counts = [p[0] for p in part], [p[1] * p[2] for p in part]
            some = memref.subview(unpacked, starts, counts, [1] * len(starts))
            cut = list(tiles)
            begin = [starts[d] // tiles.get(d, 1) for d in order] + [0] * len(cut)
            size = [part[d][1] for d in order] + [part[d][2] for d in cut]
            into = memref.subview(packed, begin, size, [1] * len(begin))
            source, target = (some, into) if packs else (into, some)
            inner = ir.DenseI64ArrayAttr.get([part[d][2] for d in cut])
            attributes: dict[str, Any] = {"static_inner_tiles": inner, "inner_dims_pos": op.attributes["inner_dims_pos"]}
            attributes["outer_dims_perm"] = ir.DenseI64ArrayAttr.get(order)
            if packs:
                attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 1, 0, 0])
            ops.append(ir.Operation.create(op.name, [], [source, target], attributes))
    op.erase()
    return ops


def _ranges(size: int, tile: int | None) -> list[tuple[int, int, int]]:
    """The start, the count and the size of the whole tiles of a dimension, and the same of the edge."""
    if tile is None:
        return [(0, size, 1)]
    whole = size // tile
    return [r for r in ((0, whole, tile), (whole * tile, 1, size % tile)) if r[1] and r[2]]
