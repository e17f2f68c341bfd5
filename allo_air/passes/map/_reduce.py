"""Cuts reductions whose operands do not fit into L1: a loop in the core receives one part of the operands after another."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.schedule import schedule
from allo_air.core.walking import defining_op, is_result_of, walk_named
from allo_air.mlir import arith, ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import REDUCE, Kernel
from allo_air.passes.map._multi_sweep import EVERY, SWEEPS, loops_in_parts, parts_of_rows
from allo_air.passes.map._pads import padding
from allo_air.passes.map._plan import Part
from allo_air.passes.map._promote import L1, alloc, promote

TAKEN, PART = "allo.taken", "allo.part"
"""Attributes that the transform script looks for: operations to cut, and pads to apply part by part."""


def parts(kernel: Kernel, room: int) -> Iterator[Part]:
    """The parts in which a core with `room` bytes can take the longest reduction of a sum of products, or sweep over a row.

    Large parts come first. A padded dimension is taken as a whole, since the amount of padding would differ by part.
    """
    if SWEEPS in kernel.function.attributes:
        yield from parts_of_rows(kernel, room)
        return
    products = [n for n, op in enumerate(kernel.ops) if op.name == "linalg.generic" and any(reductions(op))]
    if len(products) != 1:
        return
    [number] = products
    op = kernel.ops[number]
    extents = loop_extents(op)
    plain_loops = {
        ir.AffineDimExpr(e).position for m in indexing_maps(op) for e in m.results if isinstance(e, ir.AffineDimExpr)
    }
    slid = {d for m in indexing_maps(op) for e in m.results if not isinstance(e, ir.AffineDimExpr) for d in loops_in(e)}
    loops = [d for d, reduces in enumerate(reductions(op)) if reduces and d in plain_loops - slid - _padded(op)]
    if loops:
        longest = max(loops, key=lambda d: extents[d])
        for size in range(extents[longest] // 2, 0, -1):
            if extents[longest] % size == 0:
                yield Part(number, sum(reductions(op)[:longest]), size)


def _padded(op: ir.Operation) -> set[int]:
    """The loops of `op` along a dimension that a tensor.pad extends."""
    pads = [(padding(v.owner), m) for v, m in zip(op.operands, indexing_maps(op), strict=True) if _is_pad(v)]
    return {
        d for sides, m in pads for side, e in zip(sides or (), m.results, strict=True) if side != (0, 0) for d in loops_in(e)
    }


def mark(kernel: Kernel, part: Part) -> None:
    """Marks the operations whose loops are taken in parts."""
    if part.op == EVERY:
        for op, sizes in loops_in_parts(kernel, part):
            op.attributes[REDUCE] = ir.DenseI64ArrayAttr.get(sizes)
        return
    op = kernel.ops[part.op]
    reduces = reductions(op)
    sizes = [part.size if reduces[d] and sum(reduces[:d]) == part.loop else 0 for d in range(len(reduces))]
    op.attributes[REDUCE] = ir.DenseI64ArrayAttr.get(sizes)


def marked_dimensions(kernel: Kernel) -> set[int]:
    """The dimensions along which marked operations reduce."""
    dimensions = Dimensions(kernel)
    ops = [op for op in kernel.ops if REDUCE in op.attributes]
    return {d for op in ops for d, reduces in zip(dimensions.loops(op), reductions(op), strict=True) if reduces}


def remove_marks(kernel: Kernel) -> None:
    """Removes the marks."""
    for op in kernel.ops:
        if REDUCE in op.attributes:
            del op.attributes[REDUCE]


def cut_reductions(function: ir.Operation) -> None:
    """Tiles the marked reductions: a loop takes one part after another, and pads the part if the operand is padded.

    Before (`allo.reduce = [0, 4]` on the operation):

        %c = linalg.generic ... ins(%a : tensor<8x64xf32>) outs(%zero : tensor<8xf32>)

    After:

        %c = scf.for %k = %c0 to %c64 step %c4 iter_args(%sum = %zero) -> (tensor<8xf32>) {
          %part = tensor.extract_slice %a[0, %k] [8, 4] [1, 1]
          %next = linalg.generic ... ins(%part : tensor<8x4xf32>) outs(%sum : tensor<8xf32>)
          scf.yield %next
        }
    """
    for op in [o for o in walk_named(function, "linalg.generic") if REDUCE in o.attributes]:
        sizes = tuple(op.attributes[REDUCE])
        del op.attributes[REDUCE]
        op.attributes[TAKEN] = ir.UnitAttr.get()
        for pad in [v.owner for v in op.operands if _is_pad(v)]:
            pad.attributes[PART] = ir.UnitAttr.get()
        schedule("cut-reduction", sizes=sizes).run(function)
        _add_offsets(function)
        for marked in walk_named(function, "linalg.generic", "tensor.pad"):
            for name in (TAKEN, PART):
                if name in marked.attributes:
                    del marked.attributes[name]


def _add_offsets(function: ir.Operation) -> None:
    """Replaces affine.apply of d0 + s0, an index plus a part's offset, by arith.addi, which can be vectorized."""
    for op in walk_named(function, "linalg.generic"):
        for apply in walk_named(op, "affine.apply"):
            [result] = apply.attributes["map"].value.results
            if len(apply.operands) == 2 and result == ir.AffineDimExpr.get(0) + ir.AffineSymbolExpr.get(0):
                with ir.InsertionPoint(apply), apply.location:
                    apply.results[0].replace_all_uses_with(arith.addi(apply.operands[1], apply.operands[0]))
                apply.erase()


def _is_pad(value: ir.Value) -> bool:
    return is_result_of(value, "tensor.pad")


def promote_parts(function: ir.Operation) -> None:
    """Copies the parts of operands that these loops read to L1, and allocates accumulators and parts of results there."""
    for loop in walk_named(function, "scf.for"):
        body = loop.regions[0].blocks[0]
        leaves = [o.operation for o in body if o.operation.name == "linalg.generic"]
        for user in leaves:
            for number, value in enumerate(user.operands):
                if is_part(value, body):
                    with ir.InsertionPoint(user), user.location:
                        user.operands[number] = alloc(value.type, L1)
        if leaves:
            promote(loop, L1, results=False)


def is_part(value: ir.Value, body: ir.Block) -> bool:
    """Whether `value` is a slice of a tensor that the loop with that body carries."""
    owner = defining_op(value, "tensor.extract_slice")
    return owner is not None and owner.operands[0].owner == body
