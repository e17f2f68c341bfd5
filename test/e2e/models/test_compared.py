"""What an importer gets wrong is found when a model is compiled, and named."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core import two_processes
from allo_air.errors import AlloAirError
from allo_air.importers.torch_modules import from_torch
from allo_air.models import against_onnx, against_torch, compared
from allo_air.models.compared import distance
from allo_air.models.model import host_model

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")


class Model(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.relu(x) * torch.sigmoid(x)


class Other(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.relu(x) * torch.tanh(x)


def test_the_operation_that_is_imported_wrong_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.linspace(-1, 1, 32)
    made = from_torch(Other(), (x,))

    def wrongly(module: Any, args: Any) -> Any:
        return from_torch(module if module(*args).min() < 0 or module(*args).max() > 1 else Model(), args)

    monkeypatch.setattr(against_torch, "from_torch", wrongly)
    with pytest.raises(
        AlloAirError, match=r"aten\.relu\.default at .*test_compared\.py:\d+ is imported incorrectly.*check=False"
    ):
        against_torch.check_import(made, host_model(made.model), Model(), (x,), {})


def test_operations_that_are_right_one_by_one() -> None:
    x = torch.linspace(-1, 1, 32)
    made = from_torch(Other(), (x,))
    with pytest.raises(AlloAirError, match="a combination of operations that are right one by one is imported incorrectly"):
        against_torch.check_import(made, host_model(made.model), Model(), (x,), {})
    against_torch.check_import(made, host_model(made.model), Other(), (x,), {})


def test_a_step_of_a_quantized_model_is_no_mistake() -> None:
    class Quantized(torch.nn.Module):
        def __init__(self, further: float = 0.0) -> None:
            super().__init__()
            self.further = further

        def forward(self, x: Any) -> Any:
            return torch.round(x * 16) / 16 + self.further

    x = torch.linspace(-1, 1, 32)
    made = from_torch(Quantized(), (x,))
    against_torch.check_import(made, host_model(made.model), Quantized(1 / 32), (x,), {})
    with pytest.raises(AlloAirError, match="combination of operations"):
        against_torch.check_import(made, host_model(made.model), Quantized(1 / 8), (x,), {})


def test_rounding_is_no_mistake() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU(), torch.nn.Linear(64, 8)).eval().to(torch.bfloat16)
    x = torch.randn(4, 64).to(torch.bfloat16)
    made = from_torch(model, (x,))
    against_torch.check_import(made, host_model(made.model), model, (x,), {})


def test_a_compilation_compares_unless_told_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()
    monkeypatch.setattr(allo_air.torch, "check_import", lambda *given: asked.append(given))
    x = torch.randn(8)
    allo_air.torch.compile(Model(), x, cache=False)
    allo_air.torch.compile(Model(), x, cache=False, check=False)
    assert len(asked) == 1


@pytest.mark.parametrize("two", [False, True])
def test_the_import_runs_while_a_model_compiles(two: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, here, right = list[Any](), os.getpid(), compared.run
    monkeypatch.setattr(compared, "run", lambda *a: runs.append(a) or [r + (os.getpid() == here) for r in right(*a)])
    monkeypatch.setattr(compared, "SHORT", -1.0)
    monkeypatch.setattr(two_processes, "can_fork", lambda: two)
    x = torch.randn(8)
    with nullcontext() if two else pytest.raises(AlloAirError, match="imported incorrectly"):
        allo_air.torch.compile(Model(), x, cache=False)
    assert bool(runs) != two, "a fork has run it"


def test_a_node_of_onnx_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = [onnx.helper.make_node("Relu", ["x"], ["y"]), onnx.helper.make_node("Sigmoid", ["y"], ["z"], name="last")]
    kinds = [onnx.helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [8]) for n in "xz"]
    path = tmp_path / "model.onnx"
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph(nodes, "g", kinds[:1], kinds[1:])), path)
    made = host_model(against_onnx.from_onnx(path))
    against_onnx.check_import(path, made)
    right = against_onnx.runs
    monkeypatch.setattr(against_onnx, "runs", lambda *a, **k: [r + 1 for r in right(*a, **k) or []])
    [expected] = against_onnx._references(
        path, {"x": against_onnx._random_input(0, made.source.function.regions[0].blocks[0].arguments[0], ())}
    )[1]
    monkeypatch.setattr(against_onnx, "_references", lambda *a: (False, [expected]))
    against_onnx.check_import(path, made)  # no node is wrong by itself, and the reference may be
    monkeypatch.setattr(against_onnx, "_references", lambda *a: (True, [expected]))
    with pytest.raises(AlloAirError, match="a combination of operations that are right one by one is imported incorrectly"):
        against_onnx.check_import(path, made)
    monkeypatch.setattr(against_onnx, "_distance_alone", lambda o, m, node, v: float(node.op_type == "Sigmoid"))
    with pytest.raises(AlloAirError, match="Sigmoid at node last is imported incorrectly"):
        against_onnx.check_import(path, made)


def test_rounding_to_16_bits_is_no_mistake() -> None:
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    kind = onnx.TensorProto.FLOAT16
    nodes = [make("Mul", ["x", "x"], ["y"]), make("Sigmoid", ["y"], ["z"]), make("Mul", ["z", "y"], ["w"])]
    graph = onnx.helper.make_graph(nodes, "g", [value("x", kind, [3, 40])], [value("w", kind, [3, 40])])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 19)], ir_version=9)
    x = np.linspace(-3, 3, 120, dtype=np.float16).reshape(3, 40)
    wide = x.astype(np.float64) ** 2
    np.testing.assert_allclose(allo_air.onnx.compile(model, device="npu2")(x)[0], wide / (1 + np.exp(-wide)), rtol=4e-3)


def test_old_operators_that_the_reference_gets_wrong_or_lacks() -> None:
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    numbers = {"s": [2.0, 1.0], "b": [1.0, 0.0], "m": [0.5, 0.1], "v": [1.0, 4.0]}
    tensors = [onnx.helper.make_tensor(n, 1, [2], v) for n, v in numbers.items()]
    tensors.append(onnx.helper.make_tensor("scale", 1, [], [0.5]))
    nodes = [
        make("BatchNormalization", ["x", *numbers], ["n"]),
        make("QuantizeLinear", ["n", "scale"], ["q"]),
        make("DequantizeLinear", ["q", "scale"], ["y"]),
    ]
    x = np.array([[1, 2], [3, -4], [8, 9]], np.float32)
    norm = (x - numbers["m"]) / np.sqrt(np.add(numbers["v"], 1e-5)) * numbers["s"] + numbers["b"]
    for opset, name, wanted in ((9, "n", norm), (11, "y", np.clip(np.rint(norm / 0.5), 0, 255) * 0.5)):
        ends = [value("x", 1, [3, 2])], [value(name, 1, [3, 2])]
        graph = onnx.helper.make_graph(nodes[: 1 if name == "n" else 3], "old", *ends, tensors)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=8)
        np.testing.assert_allclose(allo_air.onnx.compile(model, device="npu2")(x)[0], wanted, rtol=1e-5)


def test_distance() -> None:
    one = np.array([1.0, np.nan, np.inf, 4.0])
    assert distance([one], [one]) == 0
    assert distance([one + 0.5], [one]) == 0.125
    assert distance([np.array([1, 2], np.int8)], [np.array([2, 2], np.int8)]) == 0
    assert distance([np.array([1, 2])], [np.array([2, 2])]) == 0.5
    assert distance([np.ones(3)], [np.ones(4)]) == np.inf


@pytest.mark.parametrize(
    "f",
    [lambda x: x.softmax(-1).sum(-1) - 1, lambda x: (x - x.mean(-1, keepdim=True)).mean(-1), lambda x: (x - x).exp() - 1],
    ids=["sums of one", "mean of differences", "zeros"],
)
def test_results_that_cancel_out_are_right(f: Any) -> None:
    class Cancels(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return f(x)

    x = torch.randn(8, 32)
    assert torch.allclose(allo_air.torch.compile(Cancels(), x, device="npu2")(x), f(x), atol=1e-5)
