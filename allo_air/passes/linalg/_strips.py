"""Sends a core's tile of the result from L1 in strips of its rows, so that L1 need not hold all of the converted tile."""

from __future__ import annotations

from allo_air.core.constants import index_constant
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.linalg._operand_tiles import L1, alloc, order_of, sliced


def convert_in_strips(function: ir.Operation, count: int) -> None:
    """Converts and sends the result's tile in `count` strips of rows. The result has another element type than the sums.

    Before:

        %whole = bufferization.alloc_tensor() {memory_space = 2}
        %narrow = linalg.generic ins(%sums) outs(%whole)
        %tile = linalg.unpack %narrow ... into %slice

    After:

        %tile = scf.for %i = 0 to (blocks of rows) step (blocks / count) iter_args(%t = %slice) {
          %strip = bufferization.alloc_tensor() {memory_space = 2}
          %narrow = linalg.generic ins(%sums[0, %i, 0, 0]) outs(%strip)
          %rows = linalg.unpack %narrow ... into %t[%i * m, 0]
          tensor.insert_slice %rows into %t[%i * m, 0]
        }
    """
    from allo_air.mlir import affine, scf, tensor

    [unpack] = walk_named(function, "linalg.unpack")
    narrow = unpack.operands[0].owner.operation
    sums, whole = narrow.operands
    outer, _, (rows, _) = order_of(unpack)
    shape, axis = list(sums.type.shape), outer.index(0)
    rows_of_strip = shape[axis] // count
    with ir.InsertionPoint(unpack), unpack.location:
        loop = scf.ForOp(
            *(index_constant(v, unpack.location) for v in (0, shape[axis], rows_of_strip)), iter_args=[unpack.operands[1]]
        )
        with ir.InsertionPoint(loop.body):
            offset, into = loop.induction_variable, loop.inner_iter_args[0]
            shape_of_part = [*shape[:axis], rows_of_strip, *shape[axis + 1 :]]
            value = sliced(sums, [offset if d == axis else 0 for d in range(len(shape))], shape_of_part, shape_of_part)
            target = alloc(shape_of_part, whole.type.element_type, L1)
            clone = narrow.clone()
            clone.operands[0], clone.operands[1] = value, target
            clone.results[0].set_type(target.type)
            scaled = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) * rows])
            row = affine.AffineApplyOp(scaled, [offset]).result
            strip = [rows_of_strip * rows, into.type.shape[1]]
            place = sliced(into, [row, 0], strip, strip)
            piece = unpack.clone()
            piece.operands[0], piece.operands[1] = clone.results[0], place
            piece.results[0].set_type(place.type)
            dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
            done = tensor.InsertSliceOp(piece.results[0], into, [row], [], [], [dynamic, 0], strip, [1, 1])
            scf.yield_([done.result])
    unpack.results[0].replace_all_uses_with(loop.results[0])
    for op in (unpack, narrow, whole.owner):
        op.operation.erase()
