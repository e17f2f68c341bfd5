"""outline-tiled-loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.functions import call_function
from allo_air.core.loops import PARALLEL
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel

_STAY = ("memref.alloc", "memref.dealloc", "func.call", "func.return")


@dataclass(frozen=True)
class OutlineTiledLoops(Pass):
    """Outlines consecutive parallel loops of a function as kernels, so that each can use the whole array.

    Operations on buffers between two such loops become a kernel, too. Pure computations and views are copied into the kernels
    that need them, and equal kernels become one. Globals become arguments of kernels. A function stays unchanged if it would
    make only one kernel and loads no global, is a kernel itself, has such operations with results, allocates L1 or L2 buffers
    itself, or contains `air` operations.

    Before:

        func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
          scf.parallel (%i) = (%c0) to (%c4) step (%c1) { FIRST }
          scf.parallel (%i) = (%c0) to (%c2) step (%c1) { SECOND }
          return
        }

    After:

        func.func private @f_0(%a: memref<64xf32>) attributes {allo.kernel} {
          scf.parallel (%i) = (%c0) to (%c4) step (%c1) { FIRST }
          return
        }
        func.func private @f_1(%b: memref<64xf32>) attributes {allo.kernel} {
          scf.parallel (%i) = (%c0) to (%c2) step (%c1) { SECOND }
          return
        }
        func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
          call @f_0(%a) : (memref<64xf32>) -> ()
          call @f_1(%b) : (memref<64xf32>) -> ()
          return
        }
    """

    name = "outline-tiled-loops"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        names = KernelNames(op)
        for function in walk_named(op, "func.func"):
            if not function.regions[0].blocks or is_kernel(function) or _has_memories(function):
                continue
            groups = _groups(function)
            globals_ = walk_named(function, "memref.get_global")
            if (len(groups) > 1 or (groups and globals_)) and not any(len(o.results) for group in groups for o in group):
                for load in reversed(globals_):
                    load.move_before(function.regions[0].blocks[0].operations[0])
                for group in groups:
                    _outline(function, group, names)


def _has_memories(function: ir.Operation) -> bool:
    """Whether the function itself allocates L1 or L2 buffers, or contains AIR operations."""
    [block] = function.regions[0].blocks
    own = [o.operation for o in block.operations]
    near = any(memory_space(r.type) not in (0, None) for o in own for r in o.results)
    return near or any(o.name.startswith("air.") for o in walk_pre_order(function))


def _groups(function: ir.Operation) -> list[list[Any]]:
    """The groups of operations on buffers in the function's block: each operation with parallel loops is a group, others join
    their neighbours.
    """
    groups: list[list[Any]] = []
    open_ = False
    for op in [o.operation for o in function.regions[0].blocks[0].operations]:
        if op.name in _STAY or is_pure(op) or not any(True for _ in accesses(op)):
            continue
        tiled = bool(walk_named(op, *PARALLEL))
        if tiled or not open_:
            groups.append([op])
        else:
            groups[-1].append(op)
        open_ = not tiled
    return groups


def _outline(function: ir.Operation, group: list[AnyOp], names: KernelNames) -> None:
    """Replaces `group` by a call."""
    computed, value = _outer_values(group)
    with group[0].location:
        result, block, mapping = new_kernel(value, [], function)
        with ir.InsertionPoint(block):
            for op in (*computed, *group):
                clone(op, mapping)
            func.ReturnOp([])
        name, _ = names.of(result, f"{function.attributes['sym_name'].value}_0")
        call_function(name, [], value, ir.InsertionPoint(group[0]))
    for op in reversed(group):
        op.erase()


def _outer_values(group: list[AnyOp]) -> tuple[list[Any], list[Any]]:
    """The values that `group` uses from outside: operations to copy, in order, and buffers and arguments to pass."""
    inside = {v for op in group for o in walk_pre_order(op) for v in _defined_values(o)}
    computed: dict[Any, None] = {}
    values: dict[Any, None] = {}

    def take(value: ir.Value) -> None:
        if value in inside or value in values:
            return
        if not isinstance(value, ir.OpResult) or not is_pure(value.owner):
            values[value] = None
            return
        for operand in value.owner.operands:
            take(operand)
        computed[value.owner.operation] = None

    for op in group:
        for inner in walk_pre_order(op):
            for value in inner.operands:
                take(value)
    return list(computed), list(values)


def _defined_values(op: AnyOp) -> list[Any]:
    return [*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)]
