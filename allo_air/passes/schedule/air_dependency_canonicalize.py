"""air-dependency-canonicalize."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.tokens import deps_of, with_deps
from allo_air.passes.schedule._deallocations import retrace_deallocations
from allo_air.passes.schedule._draw import write_graph
from allo_air.passes.schedule._ids import renumber_tasks
from allo_air.passes.schedule._reduce import reduce_dependences

_CARRYING = ("scf.for", "affine.for", "scf.parallel", "scf.if", "scf.index_switch", "affine.if", "air.affine_if")
"""Loops and branches, which also have tokens as results."""


@dataclass(frozen=True)
class AirDependencyCanonicalize(Pass):
    """Removes redundant dependences of asynchronous operations, and renumbers the operations.

    A token is dropped from a list if another token of the list implies it, also through loop-carried and yielded tokens.
    Deallocations wait for all accesses to their buffer, and not for hierarchies that do not access it. `id` numbers hierarchies
    and transfers from 1 in program order; `air.execute` and `air.wait_all` lose their numbers. With `dump-graph`, the task
    graph of each function is written to `output-dir` (by default the working directory) as FUNCTION.dot, for graphviz.

    Before:

        %1 = air.channel.get async [%0] @a[] (%m[] [] []) : (memref<8xi32, 2>)
        %2 = air.channel.put async [%0, %1] @b[] (%m[] [] []) : (memref<8xi32, 2>)

    After:

        %1 = air.channel.get async [%0] @a[] (%m[] [] []) {id = 1 : i32} : (memref<8xi32, 2>)
        %2 = air.channel.put async [%1] @b[] (%m[] [] []) {id = 2 : i32} : (memref<8xi32, 2>)
    """

    name = "air-dependency-canonicalize"
    anchor = "builtin.module"
    dump_graph: bool = False
    """Write the task graph of each function as FUNCTION.dot, for graphviz."""
    output_dir: str = ""
    """The folder of these graphs; by default the working directory."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        functions = walk_named(op, "func.func")
        for function in functions:
            retrace_deallocations(function)
            reduce_dependences(function)
            _last_first(function)
        renumber_tasks(op)
        for function in functions if self.dump_graph else ():
            write_graph(function, self.output_dir)


def _last_first(function: ir.Operation) -> None:
    """Sorts the dependences of each `air.execute` with the last first, as mlir-air does; other operations print theirs in
    order.
    """
    token = ir.Type.parse("!air.async.token")
    order: dict[ir.Value, int] = {}
    for n, op in enumerate(walk_named(function, *ASYNC, *_CARRYING)):
        order.update((v, n) for v in op.results if v.type == token)
        deps = deps_of(op) if op.name == "air.execute" else []
        if len(deps) < 2 or any(isinstance(d, ir.BlockArgument) or d.owner.operation.block != op.block for d in deps):
            continue
        ordered = sorted(deps, key=lambda d: order.get(d, -1), reverse=True)
        if ordered != deps:
            order[with_deps(op, ordered).results[0]] = n
