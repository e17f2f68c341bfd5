"""promote-tiles."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.loops import PARALLEL, Dim
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_pre_order
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import VIEWS
from allo_air.passes._analysis.kernels import called, is_kernel
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._narrow_writes import narrow_writes
from allo_air.passes.bind._outline import parallel
from allo_air.passes.bind._promote import promote_in_cores, promote_to_l2
from allo_air.passes.bind._retype import retype

L1, L2 = 2, 1
_INDICES = ("affine.apply", "affine.max", "affine.min", "arith.constant")


@dataclass(frozen=True)
class PromoteTiles(Pass):
    """Assigns memory spaces to tiles in functions whose buffers have none; those with AIR operations or calls of kernels stay.

    The innermost parallel loops are loops over cores, and those around them loops over launches; a function without
    parallel loops runs on one core. Data that an operation in a core reads or writes is copied to L1 directly after its
    view is created, and back at the end of that block if it was written. A core that stores single elements gets a view of
    these. Data that is completely written before it is read is not copied in. A view that is created between a launch loop
    and its core loop is copied to L2 in the same way. Buffers that a core loop allocates are in L1, those of a launch loop
    in L2.

    Before:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
          %v = memref.subview %a[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
          linalg.exp ins(%v : memref<16xf32, strided<[1], offset: ?>>) outs(%v : memref<16xf32, strided<[1], offset: ?>>)
        }

    After:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
          %v = memref.subview %a[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
          %l = memref.alloc() : memref<16xf32, 2 : i32>
          memref.copy %v, %l : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32, 2 : i32>
          linalg.exp ins(%l : memref<16xf32, 2 : i32>) outs(%l : memref<16xf32, 2 : i32>)
          memref.copy %l, %v : memref<16xf32, 2 : i32> to memref<16xf32, strided<[1], offset: ?>>
          memref.dealloc %l : memref<16xf32, 2 : i32>
        }
    """

    name = "promote-tiles"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if (
                not function.regions[0].blocks
                or _has_memories(function)
                or any(map(_is_of_kernel, walk_named(function, "func.call")))
            ):
                continue
            if not walk_named(function, *PARALLEL):
                _wrap(function)
            loops = walk_named(function, *PARALLEL)
            cores = [loop for loop in loops if len(walk_named(loop, *PARALLEL)) == 1]
            for core in cores:
                _move_allocations(core, L1)
                lower_affine_scope(core, branches=True)
                _hoist_views(core)
                narrow_writes(core)
                promote_in_cores(core, _space(L1))
            launches = {core: next((p for p in reversed(list(parents(core))) if p.name in PARALLEL), None) for core in cores}
            for launch in dict.fromkeys(launches.values()):
                if launch is not None:
                    promote_to_l2(launch, [core for core in cores if launches[core] == launch], _space(L2))
            for launch in (loop for loop in loops if len(walk_named(loop, *PARALLEL)) > 1):
                _move_allocations(launch, L2)


def _is_of_kernel(call: ir.Operation) -> bool:
    callee = called(call)
    return callee is not None and is_kernel(callee)


def _space(level: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), level)


def _has_memories(function: ir.Operation) -> bool:
    """Whether memory spaces or hierarchies already assign places."""
    for op in walk_pre_order(function):
        if op.name.startswith("air.") or any(memory_space(v.type) not in (0, None) for v in (*op.operands, *op.results)):
            return True
    return False


def _wrap(function: ir.Operation) -> None:
    """Wraps the body of `function` in a parallel loop of one iteration."""
    [*body, terminator] = [o.operation for o in function.regions[0].blocks[0].operations]
    moved = [op for op in body if op.name != "arith.constant"]
    if not moved:
        return
    with ir.InsertionPoint(terminator):
        loop = parallel([Dim(None, 0, 1, 1)] * 2, function.location)
    [end] = loop.regions[0].blocks[0].operations
    for op in moved:
        op.move_before(end)


def _hoist_views(core: ir.Operation) -> None:
    """Moves views out of conditionals without an else branch, so that all cores copy the same tiles.

    A transfer that some of the cores do not take would stay in its channel.
    """
    for branch in reversed(walk_named(core, "scf.if")):
        if len(branch.regions[1].blocks):
            continue
        [block] = branch.regions[0].blocks
        inside = {r for op in block.operations for r in op.operation.results}
        for op in [o.operation for o in block.operations]:
            if (op.name in VIEWS or op.name in _INDICES) and not any(v in inside for v in op.operands):
                op.move_before(branch)
                inside -= set(op.results)


def _move_allocations(loop: ir.Operation, level: int) -> None:
    for alloc in walk_named(loop, "memref.alloc"):
        if memory_space(alloc.results[0].type) == 0:
            retype(alloc.results[0], _space(level))
