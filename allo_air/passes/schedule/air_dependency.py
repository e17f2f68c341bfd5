"""air-dependency."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import ASYNC, dep_count
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.dependence import Dependence
from allo_air.passes.schedule._ids import number_tasks
from allo_air.passes.schedule._loop_constants import constants_into_loops
from allo_air.passes.schedule._plan import Planner, is_asynchronous
from allo_air.passes.schedule._tokens import write


@dataclass(frozen=True)
class AirDependency(Pass):
    """Makes operations asynchronous; each one waits for the tokens of the earlier operations that its memory effects depend on.

    Linalg operations, calls, allocations and other accesses to buffers move into `air.execute`, each into one of its own;
    transfers and hierarchies get tokens. Two operations keep their order if they may touch the same element of a buffer and one
    writes it, if one uses a result of the other, or if they use the same end of a channel; implied dependences are left
    out. scf.for and affine.for carry a token through their iterations, which transfers and hierarchies follow in order;
    scf.parallel reduces its iterations' tokens; scf.if, scf.index_switch and affine.if yield one. Loops and branches start
    after an `air.wait_all` before them, and, without `whole-loops`, scf.for has copies of the constants that it uses. Any other
    operation with a body runs alone, between blocking waits. Existing tokens stay; a function whose operations are all
    asynchronous is unchanged, unless none of them waits for another. A function that others call waits for all of its
    operations before it returns.

    Before:

        %a = memref.alloc() : memref<32xi32, 1>
        scf.for %i = %c0 to %c64 step %c32 {
          air.dma_memcpy_nd (%a[] [] [], %m[%i] [%c32] [%c1]) {id = 1 : i32} : (...)
        }
        memref.dealloc %a : memref<32xi32, 1>

    After:

        %t, %a = air.execute -> (memref<32xi32, 1>) {
          %alloc = memref.alloc() : memref<32xi32, 1>
          air.execute_terminator %alloc : memref<32xi32, 1>
        } {id = 1 : i32}
        %0 = air.wait_all async [%t] {id = 1 : i32}
        %1 = scf.for %i = %c0 to %c64 step %c32 iter_args(%u = %0) -> (!air.async.token) {
          %3 = air.dma_memcpy_nd async [%u] (%a[] [] [], %m[%i] [%c32] [%c1]) {id = 1 : i32} : (...)
          %4 = air.wait_all async [%3] {id = 2 : i32}
          scf.yield %4 : !air.async.token
        }
        %2 = air.execute [%1] {
          memref.dealloc %a : memref<32xi32, 1>
        } {id = 2 : i32}
    """

    name = "air-dependency"
    anchor = "builtin.module"
    works_on = ("air.*", "affine.*", "func.call", "linalg.*", "memref.*", "vector.*")
    whole_loops: bool = False
    """Make loop nests and branches that only access elements one task each; functions without AIR operations are unchanged."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        functions = [f for f in walk_named(op, "func.func") if _has_air(f) or not self.whole_loops]
        called = {callee_of(c) for c in walk_named(op, "func.call")}
        plans = []
        for function in functions:
            dependence = Dependence()
            summary = dependence.summary(function)
            nothing_waits = not _has_dependences(function)
            if nothing_waits or not is_asynchronous(summary):
                is_called = sym_name_of(function) in called
                plans.append(
                    Planner(dependence, orders_all=nothing_waits, whole_loops=self.whole_loops).plan(summary, waits=is_called)
                )
        for scopes in plans:
            for scope in scopes:
                write(scope)
        if plans and not self.whole_loops:
            constants_into_loops(op)
        if plans:
            number_tasks(op)


def _has_dependences(function: ir.Operation) -> bool:
    """Whether any operation of `function` waits for another."""
    return any(dep_count(op) for op in walk_named(function, *ASYNC))


def _has_air(function: ir.Operation) -> bool:
    return _any_air(inner for region in function.regions for block in region.blocks for inner in block.operations)


def _any_air(ops: Iterable[AnyOp]) -> bool:
    for op in ops:
        if op.operation.name.startswith("air."):
            return True
        if _any_air(inner for region in op.operation.regions for block in region.blocks for inner in block.operations):
            return True
    return False
