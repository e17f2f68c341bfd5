"""chunk-l2-copies: copies into an L2 buffer, in pieces along the dimension that cores walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, is_result_of, parents, walk_named
from allo_air.mlir import AnyOp, affine, ir, linalg, memref, scf
from allo_air.passes.linalg._plan import L2_PIECE, piece_size
from allo_air.passes.linalg._plan_conversion import planned
from allo_air.plan.plan import UNPLANNED
from allo_air.plan.schema import plan_or_unplanned

L2 = 1
"""Entry of a plan: least number of elements that an L2 buffer holds of the dimension that the cores walk."""

RUN_BYTES = 2048
"""Smallest number of bytes of a row in a piece: external memory takes a third longer for runs of half this length."""


@dataclass(frozen=True)
class ChunkL2Copies(Pass):
    """Copies into an L2 buffer piece by piece along the dimension that the cores' loop walks.

    `air-loop-fusion` can then fuse the copy's loop with the cores' loop and shrink the buffer to the pieces in flight, so that
    the L2 buffer need not contain the whole of a long dimension. A piece has at least `elements` elements of that dimension
    (0: the number in the function's plan, 256 without a plan), in whole steps of the cores' loop, and divides the dimension.
    The copy stays unchanged if there is no such size or no such loop, and if the cores walk the buffer several times. An
    operand that arrives in slices with the steps along k (`plan-gemm`, `spread`) has as many pieces as these, even if all are
    equal (a linalg.broadcast).

    Before (`chunk-l2-copies{elements=256}`):

        %l2 = memref.alloc() : memref<64x1024xbf16, 1>
        memref.copy %l3, %l2 : memref<64x1024xbf16> to memref<64x1024xbf16, 1>
        scf.for %k = ... { memref.subview %l2[0, %k] [64, 64] [1, 1] ... }

    After:

        scf.for %c = %c0 to %c4 step %c1 {
          memref.copy %l3[0, %c * 256] [64, 256], %l2[0, %c * 256] [64, 256]   // by subviews
        }
    """

    name = "chunk-l2-copies"
    works_on = ("memref.*",)
    elements: int = 0
    """Smallest number of elements of a piece; 0 for the plan's number, or 256 without a plan."""

    def run(self, op: AnyOp, /) -> None:
        for copy in walk_named(op, "memref.copy", "linalg.broadcast"):
            source, target = copy.operands
            if copy.name == "linalg.broadcast" and not _is_sliced(copy):
                continue
            dim = _walked(target)
            if dim is None or not _is_whole_l2(target) or _is_read_again(copy, target):
                continue
            index, step = dim
            extent = target.type.shape[index]
            size = piece_size(extent, step, self.elements or _planned(copy, index))
            if size < extent:
                _chunk(copy, source, target, index, size)


def _planned(op: ir.Operation, index: int) -> int:
    """The plan's number of elements for dimension `index`, from the function around copy `op`.

    If that is the part that the cores use at a time, L2 may hold more of a row, which gives longer runs in external memory. In
    attention, keys, values and masks take turns in one channel of the memtile: each piece is one step, so that a few
    descriptors repeat.
    """
    function = enclosing(op, "func.func")
    callee_plan = UNPLANNED if function is None else plan_or_unplanned(function)
    if callee_plan.family == "attention" and callee_plan.piece:
        return callee_plan.piece
    if callee_plan.piece and callee_plan.family != "matmul":
        kind, least = op.operands[1].type, callee_plan.piece
        return max(least, RUN_BYTES * 8 // kind.element_type.width) if index == kind.rank - 1 else least
    plan = planned(function) if function is not None else None
    if plan is None:
        return L2_PIECE
    # A slice arrives with each step along k, so there are as many slices as steps.
    return int(op.operands[1].type.shape[index]) * plan.k_piece // plan.k if plan.spread else plan.k_piece


def _is_sliced(broadcast: ir.Operation) -> bool:
    """Whether the source of `broadcast` arrives in slices with the steps along k, for cores that lie along one dimension."""
    plan = next((planned(p) for p in parents(broadcast) if p.name == "func.func"), None)
    return plan is not None and plan.spread > 0


def _is_read_again(copy: ir.Operation, target: ir.Value) -> bool:
    """Whether the L2 buffer `target` is read several times after `copy`: by several loops, or by a loop that is not around the
    copy.
    """
    loops = [loop for view in _views(target) for offset in view.offsets if (loop := _source_loop(offset)) is not None]
    several = any(loop.operation != loops[0].operation for loop in loops)
    return several or any(_fors(loop) > _fors(copy) for loop in loops)


def _views(buffer: ir.Value) -> list[Any]:
    """The subviews of `buffer`, and their subviews."""
    views, todo = [], [buffer]
    while todo:
        for use in todo.pop().uses:
            if use.owner.operation.name == "memref.subview":
                views.append(use.owner.operation.opview)
                todo.append(views[-1].result)
    return views


def _fors(op: AnyOp) -> int:
    """The scf.for loops around `op`."""
    return sum(p.name == "scf.for" for p in parents(op))


def _is_whole_l2(target: ir.Value) -> bool:
    space = target.type.memory_space
    made_here = is_result_of(target, "memref.alloc")
    return made_here and isinstance(space, ir.IntegerAttr) and space.value == L2 and target.type.has_static_shape


def _walked(buffer: ir.Value) -> tuple[int, int] | None:
    """The only dimension along which subviews of `buffer` follow an scf.for, and the elements of a step; None without one."""
    results: set[tuple[int, int]] = set()
    for view in _views(buffer):
        dynamic = iter(view.offsets)
        for index, offset in enumerate(view.static_offsets):
            if offset == ir.ShapedType.get_dynamic_stride_or_offset() and _source_loop(next(dynamic)) is not None:
                results.add((index, view.static_sizes[index]))
    return results.pop() if len(results) == 1 else None


def _source_loop(value: ir.Value) -> Any:
    """The scf.for whose induction variable `value` is computed from; None without one."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        loop = owner.owner.operation
        return loop if loop.name == "scf.for" else None
    if owner.name not in ("affine.apply", "arith.muli", "arith.addi"):
        return None
    return next((loop for operand in owner.operands if (loop := _source_loop(operand)) is not None), None)


def _chunk(copy: ir.Operation, source: ir.Value, target: ir.Value, index: int, piece: int) -> None:
    shape = list(target.type.shape)
    sizes = [*shape]
    sizes[index] = piece
    with ir.InsertionPoint(copy), copy.location:
        bounds = [index_constant(v, copy.location) for v in (0, shape[index] // piece, 1)]
        loop = scf.ForOp(*bounds)
        with ir.InsertionPoint(loop.body):
            offsets: list[ir.Value | int] = [0] * len(shape)
            scaled = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) * piece])
            offsets[index] = affine.AffineApplyOp(scaled, [loop.induction_variable]).result
            if copy.name == "linalg.broadcast":  # `index` is the dimension that the broadcast adds
                linalg.broadcast(source, outs=[memref.subview(target, offsets, sizes, [1] * len(shape))], dimensions=[index])
            else:
                pieces = [memref.subview(v, offsets, sizes, [1] * len(shape)) for v in (source, target)]
                memref.CopyOp(*pieces)
            scf.yield_([])
    copy.erase()
