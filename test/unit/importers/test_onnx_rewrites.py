"""What is rewritten before torch-mlir reads an ONNX model computes the same."""

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
reference = pytest.importorskip("onnx.reference")

from onnx import helper, numpy_helper  # noqa: E402

from allo_air.errors import AlloAirError  # noqa: E402
from allo_air.importers import onnx_integers, onnx_operators, onnx_refusals  # noqa: E402

RNG = np.random.default_rng(0)


def model(
    nodes: list[Any], inputs: dict[str, Any], kind: int, shape: tuple[int, ...], opset: int = 21, **constants: Any
) -> Any:
    kinds = {n: helper.np_dtype_to_tensor_dtype(a.dtype) for n, a in inputs.items()}
    takes = [helper.make_tensor_value_info(n, kinds[n], a.shape) for n, a in inputs.items()]
    tensors = [numpy_helper.from_array(a, n) for n, a in constants.items()]
    graph = helper.make_graph(nodes, "g", takes, [helper.make_tensor_value_info("y", kind, shape)], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def results(source: Any, inputs: dict[str, Any]) -> Any:
    return reference.ReferenceEvaluator(source).run(None, inputs)[0]


@pytest.mark.parametrize("axis", [1, -2, 2])
def test_softmax_of_flattened_dimensions(axis: int) -> None:
    x = RNG.standard_normal((2, 3, 4)).astype(np.float32)
    source = model([helper.make_node("Softmax", ["x"], ["y"], axis=axis)], {"x": x}, 1, x.shape, 11)
    result = onnx_operators.rewritten(onnx, source)
    shares = np.exp(x).reshape(*x.shape[:axis], -1)
    wanted = (shares / shares.sum(-1, keepdims=True)).reshape(x.shape)
    np.testing.assert_allclose(results(result, {"x": x}), wanted, rtol=1e-5)
    assert len(result.graph.node) == (1 if axis == 2 else 5)


@pytest.mark.parametrize("element", [np.uint8, np.int8, np.int16])
@pytest.mark.parametrize("axis", [-2, 1])
def test_scales_for_each_channel(element: Any, axis: int) -> None:
    x = RNG.standard_normal((2, 5, 6)).astype(np.float32)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=axis),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=axis),
    ]
    scale, zero = np.array([0.02, 0.01, 0.3, 0.001, 0.05], np.float32), np.array([3, 0, 9, 100, 127], element)
    source = model(nodes, {"x": x}, 1, x.shape, s=scale, z=zero)
    result = onnx_integers.rewritten(onnx, source)
    np.testing.assert_allclose(results(result, {"x": x}), results(source, {"x": x}), rtol=1e-6, atol=1e-6)
    assert "QuantizeLinear" not in {n.op_type for n in result.graph.node}
    assert all(a.i >= 0 for n in result.graph.node for a in n.attribute if a.name == "axis")


def test_random_numbers_are_refused() -> None:
    x = np.zeros((2, 3), np.float32)
    source = model([helper.make_node("RandomNormalLike", ["x"], ["y"])], {"x": x}, 1, x.shape)
    with pytest.raises(AlloAirError, match=r"m: operation RandomNormalLike \(node y\) draws random numbers"):
        onnx_refusals.check(onnx, source, "m")


def test_windows_that_begin_in_the_padding_are_no_results() -> None:
    """As in PyTorch; shape inference counts them, where the model does not say the sizes."""
    x = np.zeros((1, 1, 7, 8), np.float32)
    node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2], pads=[1] * 4, ceil_mode=1)
    onnx_refusals.check(onnx, model([node], {"x": x}, 1, (1, 1, 4, 5)), "m")
    with pytest.raises(AlloAirError, match=r"m: operation AveragePool \(node y\) has windows that begin in the padding"):
        onnx_refusals.check(onnx, model([node], {"x": x}, 1, (1, 1, 5, 5)), "m")
