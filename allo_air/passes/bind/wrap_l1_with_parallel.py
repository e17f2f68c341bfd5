"""wrap-l1-with-parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop, parallel_loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_post_order
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, ir

L1, L2 = 2, 1
LOOPS = ("scf.parallel", "scf.forall", "affine.parallel", "air.herd")


@dataclass(frozen=True)
class WrapL1WithParallel(Pass):
    """Wraps work on L1 buffers outside of loops over cores in an scf.parallel of one iteration, for `air-par-to-herd`.

    MLIR folds a loop over a single core away. What remains is a block of a function, or of a loop over launches, that allocates
    L1 buffers itself; L2 buffers identify a loop over launches. All operations from the first to the last one on an L1 buffer
    move into the new loop, except allocations in other memory spaces, which move to before it.

    Before:

        %l2 = memref.alloc() : memref<4x4xi32, 1>
        %l1 = memref.alloc() : memref<4x4xi32, 2>
        linalg.fill ins(%c0 : i32) outs(%l1 : memref<4x4xi32, 2>)
        memref.copy %l1, %l2 : memref<4x4xi32, 2> to memref<4x4xi32, 1>

    After:

        %l2 = memref.alloc() : memref<4x4xi32, 1>
        scf.parallel (%x, %y) = (%c0, %c0) to (%c1, %c1) step (%c1, %c1) {
          %l1 = memref.alloc() : memref<4x4xi32, 2>
          linalg.fill ins(%c0 : i32) outs(%l1 : memref<4x4xi32, 2>)
          memref.copy %l1, %l2 : memref<4x4xi32, 2> to memref<4x4xi32, 1>
        }
    """

    name = "wrap-l1-with-parallel"

    def run(self, op: AnyOp, /) -> None:
        blocks: list[Any] = []
        for alloc in walk_named(op, "memref.alloc"):
            block = _block_of_core_work(alloc)
            if memory_space(alloc.results[0].type) == L1 and block not in blocks and not _has_core(block):
                blocks.append(block)
        for block in blocks:
            _wrap(block)


def _block_of_core_work(alloc: ir.Operation) -> ir.Block:
    """The block with all of a core's work on `alloc`: around its loops, but inside of a loop that allocates L2
    buffers.
    """
    block = alloc.block
    while block.owner.operation.name in ("scf.for", "affine.for") and not _allocates_l2(block.owner.operation):
        block = block.owner.operation.block
    return block


def _has_core(block: ir.Block) -> bool:
    """Whether the nearest parallel loop around `block` is a loop over cores: its body allocates no L2 buffer."""
    for parent in (block.owner.operation, *parents(block.owner.operation)):
        if parent.name in LOOPS:
            return parent.name == "air.herd" or not _allocates_l2(parent)
    return False


def _allocates_l2(loop: ir.Operation) -> bool:
    inner_ops = [o.operation for o in loop.regions[0].blocks[0].operations]
    return any(o.name == "memref.alloc" and memory_space(o.results[0].type) == L2 for o in inner_ops)


def _wrap(block: ir.Block) -> None:
    ops = [o.operation for o in block.operations]
    touching = [i for i, o in enumerate(ops) if _touches_l1(o)]
    chosen = ops[touching[0] : touching[-1] + 1]
    moved = [o for o in chosen if o.name != "memref.alloc" or memory_space(o.results[0].type) == L1]
    for op in (o for o in moved if o.name == "memref.alloc"):
        _check_uses(op, chosen)
    for op in moved:
        _check_results(op, chosen)
    for op in chosen:
        if op not in moved:
            op.move_before(chosen[0])
    location = moved[0].location
    with ir.InsertionPoint(moved[0]), location:
        zero, one = index_constant(0, location), index_constant(1, location)
        loop = Loop(parallel_loop([zero, zero], [one, one], [one, one]))
    for op in moved:
        op.move_before(loop.terminator)


def _check_uses(alloc: ir.Operation, chosen: list[Any]) -> None:
    terminator = list(alloc.block.operations)[-1].operation
    if terminator in chosen:
        raise error_at(
            alloc,
            f"passes an L1 buffer to '{terminator.name}', which stays outside of the core; copy it to a buffer in L2 or L3",
        )


def _check_results(op: ir.Operation, chosen: list[Any]) -> None:
    inside = set(chosen)
    for use in (u for r in op.results for u in r.uses):
        user = use.owner.operation
        if not any(o in inside for o in (user, *parents(user))):
            raise error_at(
                op, f"passes its result to '{user.name}', which stays outside of the core; store it to a buffer in L2 or L3"
            )


def _touches_l1(op: ir.Operation) -> bool:
    """Whether `op`, or an operation in it, allocates or uses a buffer in L1."""
    return any(_in_l1(v) for inner in walk_post_order(op) for v in (*inner.operands, *inner.results))


def _in_l1(value: ir.Value) -> bool:
    kind = value.type
    return isinstance(kind, ir.MemRefType) and isinstance(kind.memory_space, ir.IntegerAttr) and kind.memory_space.value == L1
