"""Turns linalg.pack and linalg.unpack on memrefs into views: the order in which a DMA walks the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.errors import PassError
from allo_air.mlir import ir, memref

if TYPE_CHECKING:
    from allo_air.mlir import linalg


def pack_as_view(pack: linalg.PackOp) -> ir.OpResult:
    """The source of `pack` in the order of its destination: each tiled dimension split in two, then transposed.

    Before: `linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %b : memref<16x32xi8> -> memref<4x4x4x8xi8, 1>`
    After, the value returned:

        %e = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [4, 4, 4, 8] : memref<16x32xi8> into memref<4x4x4x8xi8>
        %t = memref.transpose %e (d0, d1, d2, d3) -> (d0, d2, d1, d3)
    """
    tiles = _tiles(pack, pack.source.type)
    return _transposed(_split(pack.source, tiles), _order(pack, tiles))


def unpack_as_view(unpack: linalg.UnPackOp) -> ir.OpResult:
    """The source of `unpack` in the order of its destination: tiles next to the dimension they are part of."""
    tiles = _tiles(unpack, unpack.dest.type)
    order = _order(unpack, tiles)
    return _transposed(unpack.source, [order.index(n) for n in range(len(order))])


def _tiles(op: ir.OpView, plain_type: ir.MemRefType) -> dict[int, int]:
    """Tile size of each tiled dimension, in the order of the tile dimensions."""
    sizes = list(op.static_inner_tiles)
    if ir.ShapedType.get_dynamic_size() in sizes:
        raise _unsupported(op, "has a tile size that is not constant, and a DMA is programmed with numbers; use constant tiles")
    tiles = dict(zip(op.inner_dims_pos, sizes, strict=True))
    for dim, tile in tiles.items():
        size = plain_type.shape[dim]
        if size == ir.ShapedType.get_dynamic_size() or size % tile:
            pads = "pack into L1, where a core pads, or " if op.name == "linalg.pack" else ""
            shown = "?" if size == ir.ShapedType.get_dynamic_size() else size
            raise _unsupported(
                op,
                f"tiles dimension {dim} of size {shown} by {tile}, which does not divide it;"
                f" {pads}pad the buffer to a multiple of the tile",
            )
    return tiles


def _order(op: ir.OpView, tiles: dict[int, int]) -> list[int]:
    """For each dimension of the packed memref, the corresponding dimension of the split one."""
    rank = len(op.source.type.shape if op.name == "linalg.pack" else op.dest.type.shape)
    start = [d + sum(t < d for t in tiles) for d in range(rank)]
    outer = list(op.outer_dims_perm or []) or list(range(rank))
    return [start[d] for d in outer] + [start[d] + 1 for d in tiles]


def _split(source: ir.Value, tiles: dict[int, int]) -> ir.Value:
    """memref.expand_shape of each dimension in `tiles` into (size / tile, tile)."""
    kind = source.type
    strides, offset = kind.get_strides_and_offset()
    groups: list[list[int]] = []
    shape: list[int] = []
    steps: list[int] = []
    for dim, (size, stride) in enumerate(zip(kind.shape, strides, strict=True)):
        tile = tiles.get(dim)
        parts = [size] if tile is None else [size // tile, tile]
        groups.append(list(range(len(shape), len(shape) + len(parts))))
        shape += parts
        steps += (
            [stride]
            if tile is None
            else [ir.ShapedType.get_dynamic_size() if stride == ir.ShapedType.get_dynamic_size() else stride * tile, stride]
        )
    strided = None if isinstance(kind.layout, ir.AffineMapAttr) else ir.StridedLayoutAttr.get(offset, steps)
    result = ir.MemRefType.get(shape, kind.element_type, strided, kind.memory_space)
    i64 = ir.IntegerType.get_signless(64)
    reassociation = ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(i64, i) for i in group]) for group in groups])
    return memref.expand_shape(result, source, reassociation, [], shape)


def _transposed(source: ir.Value, order: list[int]) -> Any:
    """memref.transpose whose dimension n is dimension order[n] of `source`."""
    if order == sorted(order):
        return source
    kind = source.type
    strides, offset = kind.get_strides_and_offset()
    strided = ir.StridedLayoutAttr.get(offset, [strides[n] for n in order])
    result = ir.MemRefType.get([kind.shape[n] for n in order], kind.element_type, strided, kind.memory_space)
    return memref.transpose(result, source, ir.AffineMap.get_permutation(order))


def _unsupported(op: ir.OpView, why: str) -> PassError:
    return PassError(why, op.location, op.name)
