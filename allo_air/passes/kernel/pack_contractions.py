"""pack-contractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.arch import Contraction, Core, core_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir, linalg
from allo_air.passes._analysis.structured import indexing_maps, loop_of, reductions
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.generic import iterators_attr, maps_attr
from allo_air.passes._ir.named import generalize_named
from allo_air.passes.kernel._blocked import Blocks, Matrix, apply_layout, with_same_layout
from allo_air.passes.kernel._product_sums import PartsRoom, ProductSum, keeps_signs, product_sum

_MATMULS = ("linalg.generic", "linalg.matmul", "linalg.contract")
_LOOPS = ("parallel", "parallel", "reduction")


@dataclass(frozen=True)
class _Matmul:
    """A matrix product: A, B and the result, the layout of each, and the loops (0: m, 1: n, 2: k) of its dimensions.

    `order` gives the operands of `op` that are A and B.
    """

    op: Any
    order: tuple[int, int]
    matrices: tuple[tuple[Matrix, Blocks], ...]
    dims: tuple[tuple[int, int], ...]
    is_by_parts: bool


@dataclass(frozen=True)
class PackContractions(Pass):
    """Lays out L1 buffers of matrix products in micro-tiles, as a core's MAC instructions need them.

    The transfers that fill and drain the buffers access them in their old order: in three dimensions, which a core's DMA
    supports, and without a copy. Buffers that elementwise operations and copies connect to these get the same layout. A
    product stays unchanged if another operation accesses one of its buffers, if no micro-tile divides its sizes, or if the
    device has no instruction for its type, or none that keeps its signs. f32 is multiplied as bf16 parts, and i32 as halves,
    if a core has room for them (emulate-contractions).

    Before:

        air.channel.get @a[] (%a[] [] []) : (memref<32x64xbf16, 2>)
        air.channel.get @b[] (%b[] [] []) : (memref<64x32xbf16, 2>)
        linalg.matmul ins(%a, %b : memref<32x64xbf16, 2>, memref<64x32xbf16, 2>) outs(%c : memref<32x32xf32, 2>)

    After:

        air.channel.get @a[] (%a[0, 0, 0] [32, 8, 8] [8, 256, 1]) : (memref<8x8x4x8xbf16, 2>)
        air.channel.get @b[] (%b[0, 0, 0] [64, 8, 4] [4, 256, 1]) : (memref<8x8x8x4xbf16, 2>)
        linalg.generic {(i, j, l, m, n, k) -> (l, i, m, k), (j, l, k, n), (j, i, m, n)} ["parallel", "parallel", ...]
            ins(%a, %b : memref<8x8x4x8xbf16, 2>, memref<8x8x8x4xbf16, 2>) outs(%c : memref<8x8x4x4xf32, 2>)
    """

    name = "pack-contractions"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        results = {o: m for o in walk_named(op, *_MATMULS) if (m := _matmul(o, device)) is not None}
        if results:
            generalize_named(
                op, [o for o in walk_named(op, "linalg.broadcast") if not o.results and Matrix.of(o.operands[1]) is not None]
            )
        room = PartsRoom(device)
        while results:
            first = next(iter(results))
            matrices, of = _joined(first, results)
            products = [results.pop(product) for product in of]
            if matrices and all(room.takes(product.op) for product in products if product.is_by_parts):
                apply_layout(matrices)
                for product in products:
                    _pack(product)


def _joined(first: AnyOp, matmuls: dict[Any, _Matmul]) -> tuple[dict[Matrix, Blocks], list[Any]]:
    """The layouts of the matrices that are connected with `first`, and the products among `matmuls` that use them; empty if
    there are none.
    """
    matrices: dict[Matrix, Blocks] = {}
    products, can = {first: None}, True
    todo = list(matmuls[first].matrices)
    while todo:
        matrix, blocks = todo.pop()
        if matrix in matrices:
            can = can and matrices[matrix] == blocks
            continue
        matrices[matrix] = blocks
        can = can and not any(size % part for size, part in zip(matrix.shape, blocks, strict=True))
        for user in matrix.users():
            if user in matmuls:
                if user not in products:
                    products[user] = None
                    todo += matmuls[user].matrices
            elif (rest := with_same_layout(user, blocks)) is None:
                can = False
            else:
                todo += [(operand, blocks) for operand in rest]
    return matrices if can else {}, list(products)


def _matmul(op: ir.Operation, device: Device) -> _Matmul | None:
    """`op` as a product of two matrices in L1; None for other operations, and if no micro-tile divides their sizes."""
    if len(op.operands) != 3 or len(op.results) or reductions(op) != [False, False, True]:
        return None
    matrices = [Matrix.of(v) for v in op.operands]
    places = [[loop_of(e) for e in m.results] for m in indexing_maps(op)]
    result = product_sum(op)
    if result is None or None in matrices or sorted(places[2]) != [0, 1]:
        return None
    names = {places[2][0]: 0, places[2][1]: 1, 2: 2}
    dims = [[names.get(p, -1) for p in place] for place in places]
    order = next((o for o in ((0, 1), (1, 0)) if sorted(dims[o[0]]) == [0, 2] and sorted(dims[o[1]]) == [1, 2]), None)
    if order is None:
        return None
    sizes = {d: n for m, two in zip(matrices, dims, strict=True) if m for d, n in zip(two, m.shape, strict=True)}
    micro = _micro(core_of(device.arch), result, (sizes[0], sizes[2], sizes[1]))
    if micro is None:
        return None
    of = dict(zip((0, 2, 1), micro, strict=True))
    laid = [(matrices[number], Blocks(*(of[d] for d in dims[number]))) for number in (*order, 2)]
    loops = tuple((dims[number][0], dims[number][1]) for number in (*order, 2))
    return _Matmul(op, order, tuple((m, b) for m, b in laid if m), loops, result.is_by_parts)


def _micro(core: Core, item: ProductSum, sizes: Sequence[int]) -> tuple[int, int, int] | None:
    """The micro-tile (m, k, n) whose instruction does the most multiplications, for a product of size `sizes` (M, K, N)."""

    def fits(contraction: Contraction) -> bool:
        divides = not any(size % part for size, part in zip(sizes, contraction.shape, strict=True))
        same = (contraction.element, contraction.total, contraction.blocks) == (item.factor, item.total, False)
        return divides and same and keeps_signs(item, contraction)

    best = max(filter(fits, core.contractions), key=lambda contraction: contraction.macs, default=None)
    return best.shape if best is not None else None


def _pack(matmul: _Matmul) -> None:
    """Emits a product of matrices in blocked layout, over blocks and within them."""
    op, (a, b) = matmul.op, matmul.order
    block = op.regions[0].blocks[0]
    maps = []
    for rows, columns in matmul.dims:
        results = [ir.AffineDimExpr.get(d) for d in (columns, rows, _inner(rows), _inner(columns))]
        maps.append(ir.AffineMap.get(6, 0, results))
    left, right, out = (op.operands[number] for number in (a, b, 2))
    iterators = iterators_attr((*_LOOPS, *_LOOPS))
    with op.location, ir.InsertionPoint(op):
        result = linalg.GenericOp([], [left, right], [out], maps_attr(maps), iterators)
    if a > b:
        _swap(*block.arguments[:2])
    block.append_to(result.regions[0])
    op.erase()


def _inner(loop: int) -> int:
    """The loop within blocks that belongs to a loop over blocks."""
    return 3 + loop


def _swap(first: ir.Value, second: ir.Value) -> None:
    """Exchanges the uses of two values."""
    uses = [(use.owner, use.operand_number, new) for old, new in ((first, second), (second, first)) for use in old.uses]
    for user, number, new in uses:
        user.operands[number] = new
