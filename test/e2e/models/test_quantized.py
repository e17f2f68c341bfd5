"""Quantized models of ONNX and PyTorch: products are of integers, results those of the reference."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.simplify.fold_quantization import FoldQuantization

onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra 'onnx')")

from onnx import helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

import allo_air.onnx  # noqa: E402

RNG = np.random.default_rng(0)
NODE = helper.make_node


def bytes_of(*shape: int) -> Any:
    return RNG.integers(-127, 128, shape).astype(np.int8)


def number(value: float, dtype: Any = np.float32) -> Any:
    return np.array(value, dtype)


WEIGHTS = {
    "w": bytes_of(5, 3, 3, 3), "ws": RNG.uniform(0.002, 0.02, 5).astype(np.float32), "wz": np.zeros(5, np.int8),
    "b": RNG.integers(-900, 900, 5).astype(np.int32), "v": bytes_of(45, 7), "vs": number(0.01), "vz": number(9, np.int8),
    "xs": number(0.02), "xz": number(131, np.uint8), "hs": number(0.04), "hz": number(90, np.uint8), "ys": number(0.3),
    "yz": number(-5, np.int8), "shape": np.array([2, 45], np.int64), "bs": number(0),
}  # fmt: skip
WEIGHTS["bs"] = WEIGHTS["xs"] * WEIGHTS["ws"]

WITH_DEQUANTIZATIONS = [
    NODE("QuantizeLinear", ["x", "xs", "xz"], ["q"]),
    NODE("DequantizeLinear", ["q", "xs", "xz"], ["d"]),
    NODE("DequantizeLinear", ["w", "ws", "wz"], ["dw"], axis=0),
    NODE("DequantizeLinear", ["b", "bs"], ["db"], axis=0),
    NODE("Conv", ["d", "dw", "db"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2]),
    NODE("Relu", ["c"], ["r"]),
    NODE("QuantizeLinear", ["r", "hs", "hz"], ["h"]),
    NODE("DequantizeLinear", ["h", "hs", "hz"], ["dh"]),
    NODE("Reshape", ["dh", "shape"], ["f"]),
    NODE("DequantizeLinear", ["v", "vs", "vz"], ["dv"]),
    NODE("MatMul", ["f", "dv"], ["y"]),
]
OF_INTEGERS = [
    NODE("QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "hs", "hz", "b"], ["h"], pads=[1, 1, 1, 1], strides=[2, 2]),
    NODE("Reshape", ["h", "shape"], ["f"]),
    NODE("QLinearMatMul", ["f", "hs", "hz", "v", "vs", "vz", "ys", "yz"], ["y"]),
]


@pytest.mark.parametrize(
    ("nodes", "device", "took", "gave"),
    [(WITH_DEQUANTIZATIONS, "npu2", np.float32, np.float32), (OF_INTEGERS, "npu1", np.uint8, np.int8)],
    ids=["npu2 dequantizations", "npu1 integers"],
)
def test_network(nodes: list[Any], device: str, took: Any, gave: Any, tmp_path: Path) -> None:
    kinds = [helper.np_dtype_to_tensor_dtype(np.dtype(d)) for d in (took, gave)]
    inputs = [helper.make_tensor_value_info("x", kinds[0], (2, 3, 5, 6))]
    outputs = [helper.make_tensor_value_info("y", kinds[1], (2, 7))]
    used = {n for node in nodes for n in node.input}
    weights = [numpy_helper.from_array(a, n) for n, a in WEIGHTS.items() if n in used]
    graph = helper.make_graph(nodes, "quantized", inputs, outputs, weights)
    saved = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    path = tmp_path / "quantized.onnx"
    onnx.save(saved, path)
    x = (
        RNG.integers(0, 256, (2, 3, 5, 6)).astype(np.uint8)
        if took is np.uint8
        else RNG.standard_normal((2, 3, 5, 6), np.float32)
    )
    model = allo_air.onnx.compile(path, device=device)
    [found] = model(x)
    [wanted] = ReferenceEvaluator(saved).run(None, {"x": x})
    assert found.dtype == wanted.dtype and all(r.where == "array" for r in model.rows)
    step = 1 if gave is np.int8 else 0.04 * 0.01 * np.abs(WEIGHTS["v"].astype(float) - 9).max()
    np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=0, atol=step)
    assert (found != wanted).mean() < 0.1 or gave is np.float32
    assert "of float64's, relative to the largest" in model.report().text().replace("\n", " ")


def test_export_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed (extra 'torch')")
    importlib.import_module("torch.ao.quantization.fx._decomposed")  # declares the operations
    from allo_air.importers.torch_modules import from_torch

    quantized = torch.ops.quantized_decomposed

    class Linear(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("weight", torch.from_numpy(bytes_of(10, 24)))
            self.register_buffer("scales", torch.rand(10) / 50 + 0.01)
            self.register_buffer("zeros", torch.zeros(10, dtype=torch.int64))

        def forward(self, x: Any) -> Any:
            x = quantized.quantize_per_tensor(x, 0.03, 3, -128, 127, torch.int8)
            x = quantized.dequantize_per_tensor(x, 0.03, 3, -128, 127, torch.int8)
            weight = quantized.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -127, 127, torch.int8)
            return torch.nn.functional.linear(x, weight)

    model = from_torch(Linear().eval(), (torch.randn(6, 24),)).model
    with model.context, ir.Location.unknown():
        FoldQuantization().run(model.module.operation)
        [product] = walk_named(model.module.operation, "linalg.matmul")
        assert [str(v.type) for v in product.operands] == ["tensor<6x24xi8>", "tensor<24x10xi8>", "tensor<6x10xi32>"]
