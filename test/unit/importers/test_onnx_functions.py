"""What is known of a model of ONNX before it is lowered."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

from allo_air.importers.onnx_functions import without_constants  # noqa: E402


def test_branches_that_are_taken_keep_their_constants_apart():
    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])

    def branch(number, name):
        constant = numpy_helper.from_array(np.full(4, number, np.float32), "c")
        return helper.make_graph([helper.make_node("Add", ["x", "c"], [name])], name, [], [value(name)], [constant])

    nodes = [
        helper.make_node("If", [which], [result], then_branch=branch(number, "t"), else_branch=branch(-number, "e"))
        for which, result, number in (("yes", "p", 1), ("no", "q", 3), ("yes", "r", 5))
    ]
    nodes += [helper.make_node("Mul", ["p", "q"], ["pq"]), helper.make_node("Mul", ["pq", "r"], ["y"])]
    given = [numpy_helper.from_array(np.asarray(flag), name) for name, flag in (("yes", True), ("no", False))]
    graph = helper.make_graph(nodes, "g", [value("x")], [value("y")], given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    x = np.arange(4, dtype=np.float32)
    made = without_constants(onnx, model)
    assert all(n.op_type != "If" for n in made.graph.node)
    np.testing.assert_array_equal(ReferenceEvaluator(made).run(None, {"x": x})[0], (x + 1) * (x - 3) * (x + 5))
