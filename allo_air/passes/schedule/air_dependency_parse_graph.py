"""air-dependency-parse-graph."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk, walk_named
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp
from allo_air.passes.schedule._draw import write_graph


@dataclass(frozen=True)
class AirDependencyParseGraph(Pass):
    """Writes the task graph of each function as FUNCTION.dot for graphviz, and removes the task numbers (`id`).

    It is the graph of `air-dependency-canonicalize{dump-graph=true}`, of the dependences as they are.

    Before:

        %1 = air.channel.put async [%0] @a[] (%m[] [] []) {id = 2 : i32} : (memref<8xi32, 2>)

    After, and `n0 -> n1;` in the graph:

        %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<8xi32, 2>)
    """

    name = "air-dependency-parse-graph"
    anchor = "builtin.module"
    works_on = ("air.*",)
    output_dir: str = ""
    """The folder of the graphs; by default the working directory."""
    show_cores: bool = False
    """Draw a box for each core of a herd of constant size."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for function in walk_named(op, "func.func"):
            write_graph(function, self.output_dir, cores=self.show_cores)
        for inner in (o.operation for o in walk(op)):
            if inner.name in ASYNC and "id" in inner.attributes:
                del inner.attributes["id"]
