"""Loops of ONNX with a known number of iterations are copies of their bodies."""

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
reference = pytest.importorskip("onnx.reference")

from onnx import helper, numpy_helper  # noqa: E402

from allo_air.errors import AlloAirError  # noqa: E402
from allo_air.importers.onnx_loops import unrolled  # noqa: E402

X = np.arange(1, 7, dtype=np.float32)
NODE, VALUE = helper.make_node, helper.make_tensor_value_info


def loop(count: Any, condition: list[Any], after: str, *, collects: bool = False, opset: int = 17) -> Any:
    """x is halved and, with `outer`, increased in each iteration; `condition` computes `after`."""
    nodes = [NODE("Mul", ["x", "half"], ["low"]), NODE("Add", ["low", "outer"], ["next"]), *condition]
    inputs = [VALUE("i", 7, []), VALUE("going", 9, []), VALUE("x", 1, [6])]
    outputs = [VALUE(after, 9, []), VALUE("next", 1, [6]), *([VALUE("low", 1, [6])] if collects else [])]
    body = helper.make_graph(nodes, "body", inputs, outputs, [numpy_helper.from_array(np.float32(0.5), "half")])
    names = ["y", "rows"] if collects else ["y"]
    results = [VALUE("y", 1, [6]), VALUE("rows", 1, [3, 6])][: len(names)]
    constants = [numpy_helper.from_array(np.float32(1), "outer")]
    given = [VALUE("start", 1, [6])]
    if count is None:
        given.append(VALUE("count", 7, []))
    else:
        constants.append(numpy_helper.from_array(np.array(count), "count"))
    graph = helper.make_graph([NODE("Loop", ["count", "", "start"], names, body=body)], "g", given, results, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


@pytest.mark.parametrize("opset", [11, 17])
def test_results_of_all_iterations(opset: int) -> None:
    result = unrolled(onnx, loop(3, [], "going", collects=True, opset=opset), "m")
    y, rows = reference.ReferenceEvaluator(result).run(None, {"start": X})
    lows = [X / 2, (X / 2 + 1) / 2, ((X / 2 + 1) / 2 + 1) / 2]
    np.testing.assert_allclose(y, lows[2] + 1)
    np.testing.assert_allclose(rows, lows)


def test_a_computed_condition_ends_it() -> None:
    sums = [NODE("ReduceSum", ["next"], ["sum"], keepdims=0), NODE("Greater", ["sum", "outer"], ["large"])]
    ends = [*sums, NODE("Not", ["large"], ["small"])]
    for condition, after, wanted in ((sums, "large", (X - 2) / 8 + 2), (ends, "small", X / 2 + 1)):
        result = unrolled(onnx, loop(3, condition, after), "m")
        [y] = reference.ReferenceEvaluator(result).run(None, {"start": X})
        np.testing.assert_allclose(y, wanted)


def test_refused() -> None:
    with pytest.raises(AlloAirError, match=r"m: operation Loop \(node y\) has a number of iterations that depends on data"):
        unrolled(onnx, loop(None, [], "going"), "m")
    with pytest.raises(AlloAirError, match="has 1000 iterations; at most 256 are unrolled"):
        unrolled(onnx, loop(1000, [], "going"), "m")
    data = [NODE("ReduceSum", ["next"], ["sum"], keepdims=0), NODE("Greater", ["sum", "outer"], ["large"])]
    with pytest.raises(AlloAirError, match="concatenates values of iterations whose number depends on data"):
        unrolled(onnx, loop(3, data, "large", collects=True), "m")


def test_constants_of_branches_are_those_of_the_iteration() -> None:
    """A branch within the body has constants of its own, whose names are those of no other iteration."""
    made = loop(3, [], "going")
    body = made.graph.node[0].attribute[0].g
    branches = {
        name: helper.make_graph([NODE(kind, ["low", "by"], ["way"])], name, [], [VALUE("way", 1, [6])], [by])
        for name, kind, by in (
            ("then_branch", "Mul", numpy_helper.from_array(np.float32(2), "by")),
            ("else_branch", "Add", numpy_helper.from_array(np.float32(5), "by")),
        )
    }
    del body.node[1:]
    body.initializer.append(numpy_helper.from_array(np.array(1), "first"))
    body.node.extend([NODE("Less", ["i", "first"], ["early"]), NODE("If", ["early"], ["next"], **branches)])
    [y] = reference.ReferenceEvaluator(unrolled(onnx, made, "m")).run(None, {"start": X})
    np.testing.assert_allclose(y, (X / 2 + 5) / 2 + 5)
