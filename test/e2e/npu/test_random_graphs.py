"""Drawn functions of linalg operations compute the same as kernels and calls of them."""

from hypothesis import given

from allo_air import asm
from allo_air.interp.run import run
from allo_air.mlir import new_context
from bounds import bounded
from helpers import piped

from .graphs import Graph, graphs

PARTITION = "simplify-linalg,generalize-movement,canonicalize,cse,partition-kernels,canonicalize,cse"


@bounded(25)
@given(graphs())
def test_kernels_and_calls_compute_what_the_function_does(graph: Graph) -> None:
    inputs = graph.inputs()
    with new_context():
        module = asm.read(graph.text, "drawn.mlir")
        expected = run(module, inputs, "main")
        results = run(piped(PARTITION, module), inputs, "main")
    graph.check(results, expected)
