"""An ONNX model with a convolution and a pooling, checked against ONNX's own reference."""

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import allo_air.onnx

rng = np.random.default_rng(2)
weights = rng.standard_normal((8, 4, 3, 3), dtype=np.float32)
nodes = [
    helper.make_node("Conv", ["image", "weights"], ["features"], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["features"], ["active"]),
    helper.make_node("MaxPool", ["active"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
]
graph = helper.make_graph(
    nodes,
    "features",
    [helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, [1, 4, 12, 12])],
    [helper.make_tensor_value_info("pooled", onnx.TensorProto.FLOAT, [1, 8, 6, 6])],
    [numpy_helper.from_array(weights, "weights")],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
image = rng.standard_normal((1, 4, 12, 12), dtype=np.float32)
[result] = allo_air.onnx.compile(model)(image)
[expected] = ReferenceEvaluator(model).run(None, {"image": image})
np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
print("PASS")
