"""First step of air-par-to-herd: splits copies of whole L1 buffers outside of cores into the tiles of the cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.loops import PARALLEL, Dim
from allo_air.core.walking import enclosing, is_result_of, parents, walk_named
from allo_air.dialects.air import L1, L2, DmaMemcpyNdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.parallel import ParallelLoop, match
from allo_air.passes.bind._outline import apply, parallel

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class _Tiling:
    """The tiles into which a parallel loop divides a buffer. The loop's dimension dims[n] divides the buffer's dimension n, or
    is None.
    """

    loop: ParallelLoop
    dims: tuple[Dim | None, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class _Side:
    """One side of a transfer, with a list entry for each dimension."""

    memref: Any
    offsets: Sequence[Any]
    strides: Sequence[Any]


def tile_l1_dmas(root: AnyOp) -> None:
    """Puts each DMA between L1 and L2 outside of the cores' loop into a loop of its own, with one tile per iteration.

    A memref.subview of the L1 buffer in another parallel loop gives the tiles; it must divide the buffer evenly. A DMA without
    such a subview stays. Both loops then become herds of the same name.

    Before:

        air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) : (memref<4x8xi32, 2>, memref<4x8xi32, 1>)
        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          %tile = memref.subview %l1[%i, 0] [1, 8] [1, 1] : ...

    After:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          air.dma_memcpy_nd (%l1[%i, %c0] [%c1, %c8] [%c8, %c1], %l2[%i, %c0] [%c1, %c8] [%c8, %c1]) : ...
        }
        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          %tile = memref.subview %l1[%i, 0] [1, 8] [1, 1] : ...
    """
    for op in walk_named(root, DmaMemcpyNdOp.OPERATION_NAME):
        ancestors = [p.name for p in parents(op)]
        if "air.herd" in ancestors or "air.affine_if" in ancestors or sum(name in PARALLEL for name in ancestors) > 1:
            continue
        dma = DmaMemcpyNdOp(op)
        local = next((m for m in (dma.dst, dma.src) if is_in(m.type, L1)), None)
        far = next((m for m in (dma.dst, dma.src) if is_in(m.type, L2)), None)
        if local is None or far is None or dma.token is not None or dma.deps:
            continue
        tiling = _tiling_of(local, op)
        if tiling is not None:
            _tile(dma, local.type.shape, tiling)


def _tiling_of(local: ir.Value, dma: AnyOp) -> _Tiling | None:
    """The first even tiling of `local` by a parallel loop that is not around `dma`."""
    ancestors = list(parents(dma))
    for use in reversed(list(local.uses)):
        if use.owner.name != "memref.subview" or use.operand_number:
            continue
        loop = enclosing(use.owner, *PARALLEL)
        if loop is None or loop in ancestors:
            continue
        tiling = _tiling(use.owner.opview, local.type.shape, loop)
        if tiling is not None:
            return tiling
    return None


def _tiling(subview: ir.OpView, shape: Sequence[int], op: ir.Operation) -> _Tiling | None:
    """The tiling of `subview` in parallel loop `op`; None unless every element is in one tile of one iteration."""
    loop = match(op)
    if isinstance(loop, str):
        return None
    dynamic = ir.ShapedType.get_dynamic_size()
    if dynamic in subview.static_sizes or any(s != 1 for s in subview.static_strides):
        return None
    values = iter(subview.offsets)
    cut: list[Dim | None] = []
    for offset, size, extent in zip(subview.static_offsets, subview.static_sizes, shape, strict=True):
        dim = _dim(loop, next(values), size) if offset == dynamic else None
        if dim is None and (offset, size) != (0, extent):
            return None
        if dim is not None and (dim in cut or dim.lower != 0 or dim.trips * size != extent):
            return None
        cut.append(dim)
    if any(dim.trips != 1 and dim not in cut for dim in loop.grid):
        return None
    return _Tiling(loop, tuple(cut), tuple(subview.static_sizes))


def _dim(loop: ParallelLoop, offset: ir.Value, size: int) -> Dim | None:
    """The dimension of `loop` that advances `offset` by `size` in each iteration, from 0 on."""
    scale = 1
    if is_result_of(offset, "affine.apply"):
        [expression] = offset.owner.attributes["map"].value.results
        if isinstance(expression, ir.AffineMulExpr) and isinstance(expression.rhs, ir.AffineConstantExpr):
            scale, expression = expression.rhs.value, expression.lhs
        if not isinstance(expression, (ir.AffineDimExpr, ir.AffineSymbolExpr)) or len(offset.owner.operands) != 1:
            return None
        offset = offset.owner.operands[0]
    return next((dim for dim in loop.grid if dim.iv == offset and dim.step * scale == size), None)


def _tile(dma: DmaMemcpyNdOp, shape: Sequence[int], tiling: _Tiling) -> None:
    """Replaces `dma` by a parallel loop with the transfer of one tile; leaves it if a side has other dimensions."""
    location = dma.location
    with ir.InsertionPoint(dma):
        sides = [
            _full_rank_side(dma.dst, dma.dst_offsets, dma.dst_sizes, dma.dst_strides, shape, location),
            _full_rank_side(dma.src, dma.src_offsets, dma.src_sizes, dma.src_strides, shape, location),
        ]
        if None in sides:
            return
        outer_loop = parallel(tiling.loop.grid, location)
    block = outer_loop.regions[0].blocks[0]
    [terminator] = block.operations
    with ir.InsertionPoint(terminator):
        ivs = dict(zip((id(d) for d in tiling.loop.grid), block.arguments, strict=True))
        moves = [
            None if dim is None else _scaled(ivs[id(dim)], size // dim.step, location)
            for dim, size in zip(tiling.dims, tiling.sizes, strict=True)
        ]
        sizes = [index_constant(size, location) for size in tiling.sizes]
        dst, src = (
            (s.memref, [_sum(o, m, location) for o, m in zip(s.offsets, moves, strict=True)], s.strides) for s in sides if s
        )
        attributes = {name: value for name, value in dma.attributes.items() if name != "operandSegmentSizes"}
        DmaMemcpyNdOp(
            dst=dst[0],
            dst_offsets=dst[1],
            dst_sizes=sizes,
            dst_strides=dst[2],
            src=src[0],
            src_offsets=src[1],
            src_sizes=sizes,
            src_strides=src[2],
            attributes=attributes,
            loc=location,
        )
    dma.operation.erase()


def _full_rank_side(
    memref: ir.Value,
    offsets: list[ir.Value],
    sizes: list[ir.Value],
    strides: list[ir.Value],
    shape: Sequence[int],
    location: ir.Location,
) -> _Side | None:
    """The side with one entry for each of `shape`'s dimensions; None if its access has another form."""
    if sizes:
        fits = len(offsets) == len(sizes) and [constant_of(s) for s in sizes] == list(shape)
        return _Side(memref, offsets, strides) if fits else None
    if not isinstance(memref.type, ir.MemRefType) or list(memref.type.shape) != list(shape):
        return None
    steps, _ = memref.type.get_strides_and_offset()
    if ir.ShapedType.get_dynamic_size() in steps:
        return None
    return _Side(memref, [index_constant(0, location) for _ in shape], [index_constant(s, location) for s in steps])


def _scaled(iv: ir.Value, scale: int, location: ir.Location) -> ir.Value:
    return iv if scale == 1 else apply(ir.AffineDimExpr.get(0) * scale, [iv], location)


def _sum(offset: Any, move: Any, location: ir.Location) -> ir.Value:
    if move is None:
        return offset
    if constant_of(offset) == 0:
        return move
    return apply(ir.AffineDimExpr.get(0) + ir.AffineDimExpr.get(1), [offset, move], location)
