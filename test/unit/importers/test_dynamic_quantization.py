"""ONNX models whose activations are quantized when they run."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import allo_air.onnx


def test_a_convolution_with_a_computed_zero_point_runs_on_the_array(tmp_path: Path) -> None:
    """The zero point, a number, was an argument that no program takes."""
    random = np.random.default_rng(0)
    weights = {
        "w": random.integers(-100, 100, (4, 2, 3, 3)).astype(np.int8),
        "zero": np.array(0, np.int8),
        "t": np.array(0.01, np.float32),
    }
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        helper.make_node("ConvInteger", ["q", "w", "z", "zero"], ["i"], pads=[1, 1, 1, 1]),
        helper.make_node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["s", "t"], ["st"]),
        helper.make_node("Mul", ["f", "st"], ["y"]),
    ]
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, (1, c, 6, 6)) for n, c in (("x", 2), ("y", 4))]
    initializers = [numpy_helper.from_array(v, n) for n, v in weights.items()]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], initializers)
    file = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), file)
    x = random.standard_normal((1, 2, 6, 6)).astype(np.float32)
    q, s, z = ReferenceEvaluator(
        helper.make_model(
            helper.make_graph(
                nodes[:1],
                "q",
                values[:1],
                [
                    helper.make_tensor_value_info("q", TensorProto.UINT8, None),
                    helper.make_tensor_value_info("s", TensorProto.FLOAT, None),
                    helper.make_tensor_value_info("z", TensorProto.UINT8, None),
                ],
            )
        )
    ).run(None, {"x": x})
    padded = np.pad(q.astype(np.int64) - int(z), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    expected = np.einsum("nchwij,fcij->nfhw", windows, weights["w"].astype(np.int64)) * (s * np.float32(0.01))
    model = allo_air.onnx.compile(file, device="npu1", strict=True, cache=False)
    np.testing.assert_allclose(model(x)[0], expected, rtol=1e-5, atol=1e-5)
