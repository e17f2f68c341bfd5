"""Drawn functions of linalg operations compute the same as kernels and calls of them, and as programs on the simulator."""

import pytest
from hypothesis import given

import allo_air
from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.interp.run import run
from bounds import LONG, bounded
from helpers import piped

from .drawing import LARGEST
from .graphs import Graph, graphs

SIZES = (LARGEST, LARGEST, 20_000, 100_000) if LONG else (LARGEST,)
"""Elements that the largest tensors of a drawn function may have."""
LEAST = 4 if LONG else 1

PARTITION = "flatten-control,simplify-linalg,generalize-movement,canonicalize,cse,partition-kernels,canonicalize,cse"


@bounded(25)
@given(graphs(LEAST, largest=SIZES))
def test_kernels_and_calls_compute_what_the_function_does(graph: Graph) -> None:
    inputs = graph.inputs()
    with reused_context():
        module = asm.read(graph.text, "drawn.mlir")
        expected = run(module, inputs, "main")
        results = run(piped(PARTITION, module), inputs, "main")
    graph.check(results, expected)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_programs_compute_what_the_function_does(device: str) -> None:
    @bounded(4)
    @given(graphs(LEAST, largest=SIZES))
    def check(graph: Graph) -> None:
        inputs = graph.inputs()
        with reused_context():
            expected = run(asm.read(graph.text, "drawn.mlir"), inputs, "main")
        results = allo_air.compile(graph.text, "npu", device=device, cache=False)(*inputs)
        graph.check(list(results) if isinstance(results, list | tuple) else [results], expected)

    check()
