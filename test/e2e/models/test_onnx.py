"""ONNX files: in Python, on the command line, and what is wrong with some."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.tools import allo_import, allo_run

onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra 'onnx')")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

import allo_air.onnx  # noqa: E402
from allo_air.importers.onnx_files import from_onnx  # noqa: E402
from allo_air.models.model import host_model  # noqa: E402

RNG = np.random.default_rng(0)
WEIGHT, BIAS = RNG.standard_normal((24, 10), np.float32), RNG.standard_normal(10, np.float32)


def written(path: Path, nodes: list[Any], weights: dict[str, Any], sizes: list[Any], result: list[Any], opset: int = 17) -> str:
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, sizes)]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(w, n) for n, w in weights.items()])
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("custom", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return str(path)


@pytest.fixture
def dense(tmp_path: Path) -> str:
    """A linear layer with a softmax, of an open batch."""
    nodes = [helper.make_node("Gemm", ["x", "w", "b"], ["h"]), helper.make_node("Softmax", ["h"], ["y"])]
    return written(tmp_path / "dense.onnx", nodes, {"w": WEIGHT, "b": BIAS}, ["batch", 24], ["batch", 10])


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_a_model_in_memory_is_named_by_its_graph(dense: str) -> None:
    model = onnx.load(dense)
    model.graph.name = "text/encoder:1"
    with pytest.raises(AlloAirError, match=r"^text/encoder:1: input 'x' is of open size"):
        allo_air.onnx.compile(model)
    made = allo_air.onnx.compile(model, shapes={"x": (6, 24)}, device="npu2", check=False)
    assert made.source.name == "text/encoder:1"


@pytest.mark.parametrize(("dtype", "most"), [(None, 1e-5), ("bf16", 2e-2)])
def test_model(dense: str, dtype: str | None, most: float) -> None:
    x = RNG.standard_normal((6, 24), np.float32)
    model = allo_air.onnx.compile(dense, shapes={"x": (6, 24)}, device="npu2", dtype=dtype)
    [y] = model(x)
    np.testing.assert_allclose(y, softmax(x.astype(np.float64) @ WEIGHT + BIAS), rtol=0, atol=most)
    with pytest.raises(AlloAirError, match="input x is 6x20 of float32, it was compiled for 6x24 of float32"):
        model(x[:, :20])


def test_tools(dense: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mlir = tmp_path / "dense.mlir"
    assert allo_import.main([dense, "--shape", "x=6x24", "-o", str(mlir)]) == 0
    assert "tensor<6x24xf32>" in mlir.read_text()
    fixed = written(tmp_path / "fixed.onnx", [helper.make_node("Relu", ["x"], ["y"])], {}, [5, 7], [5, 7])
    assert allo_run.main([fixed]) == 0
    assert "correct" in capsys.readouterr().out
    assert allo_import.main([dense, "--shape", "x=6y24"]) == 2
    assert allo_import.main([dense]) == 1
    assert "input 'x' is of open size (batch, 24); fix it with" in capsys.readouterr().err


def test_operators_of_old_opsets(tmp_path: Path) -> None:
    weights = {n: np.arange(1, 4, dtype=np.float32) for n in ("scale", "bias", "mean", "variance")}
    node = helper.make_node("BatchNormalization", ["x", *weights], ["y"], epsilon=0.0)
    path = written(tmp_path / "old.onnx", [node], weights, [2, 3, 1, 1], [2, 3, 1, 1], 11)
    x = RNG.standard_normal((2, 3, 1, 1), np.float32)
    [y] = host_model(from_onnx(path))(x)
    scale = weights["scale"].reshape(3, 1, 1)
    np.testing.assert_allclose(y, (x - scale) / np.sqrt(scale) * scale + scale, rtol=1e-6)


def test_recurrent_layer_is_written_out(tmp_path: Path) -> None:
    shapes = {"w": (1, 20, 6), "r": (1, 20, 5), "b": (1, 40)}
    weights = {name: RNG.uniform(-0.3, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    node = helper.make_node("LSTM", ["x", *weights], ["y"], hidden_size=5)
    model = from_onnx(written(tmp_path / "lstm.onnx", [node], weights, [4, 2, 6], [4, 1, 2, 5]))
    assert not walk_named(model.module.operation, "scf.for")
    x, hidden, cell = RNG.standard_normal((4, 2, 6), np.float32), np.zeros((2, 5)), np.zeros((2, 5))
    [found] = host_model(model)(x)
    for step, given in zip(found[:, 0], x, strict=True):
        sums = given @ weights["w"][0].T + hidden @ weights["r"][0].T + weights["b"][0, :20] + weights["b"][0, 20:]
        i, o, f, c = np.split(sums, 4, 1)
        cell = cell / (1 + np.exp(-f)) + np.tanh(c) / (1 + np.exp(-i))
        hidden = np.tanh(cell) / (1 + np.exp(-o))
        np.testing.assert_allclose(step, hidden, rtol=0, atol=1e-5)


@pytest.mark.parametrize("opset", [9, 13])
def test_dropout_and_results_without_a_shape(opset: int, tmp_path: Path) -> None:
    drop = helper.make_node("Dropout", ["x"], ["a", "m"], **({"ratio": 0.3} if opset < 12 else {}))
    cast = helper.make_node("Cast", ["m"], ["b"], to=TensorProto.FLOAT)
    nodes = [drop, cast, helper.make_node("Mul", ["a", "b"], ["c"]), helper.make_node("Dropout", ["c"], ["y", ""])]
    made = onnx.load(written(tmp_path / "m.onnx", nodes, {}, [2, 3], [2, 3], opset))
    if opset == 13:
        made.graph.output[0].type.tensor_type.ClearField("shape")
    onnx.save(made, tmp_path / "m.onnx")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    [found] = host_model(from_onnx(tmp_path / "m.onnx"))(x)
    np.testing.assert_array_equal(found, x)


def test_weights_that_an_old_file_lists_as_inputs(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    weights = {n: rng.random(s, np.float32) for n, s in (("w", (6, 4)), *((n, 6) for n in ("b", "s", "m", "v")))}
    dense = helper.make_node("Gemm", ["x", "w", "b"], ["a"], transB=1)
    norm = helper.make_node("BatchNormalization", ["a", "s", "b", "m", "v"], ["c"])
    made = onnx.load(
        written(tmp_path / "m.onnx", [dense, norm, helper.make_node("Neg", ["c"], ["y"])], weights, [3, 4], [3, 6], 9)
    )
    made.graph.input.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, w.shape) for n, w in weights.items())
    made.ir_version = 3
    onnx.save(made, tmp_path / "m.onnx")
    x = rng.random((3, 4), np.float32)
    w, b, s, m, v = weights.values()
    [found] = host_model(from_onnx(tmp_path / "m.onnx"))(x)
    np.testing.assert_allclose(found, -((x @ w.T + b - m) / np.sqrt(v + 1e-5) * s + b), rtol=1e-4)


def test_positions_of_maxima_count_in_the_whole_input(tmp_path: Path) -> None:
    pool = helper.make_node("MaxPool", ["x"], ["v", "i"], kernel_shape=[2, 2], strides=[2, 2])
    nodes = [pool, helper.make_node("Cast", ["i"], ["y"], to=TensorProto.FLOAT)]
    path = written(tmp_path / "m.onnx", nodes, {}, [2, 3, 4, 6], [2, 3, 2, 3])
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 6), np.float32)
    [wanted] = ReferenceEvaluator(path).run(None, {"x": x})
    [found] = host_model(from_onnx(path))(x)
    np.testing.assert_array_equal(found, wanted)


def test_mistakes(dense: str, tmp_path: Path) -> None:
    custom = written(tmp_path / "c.onnx", [helper.make_node("Foo", ["x"], ["y"], "n", domain="custom")], {}, [3], [3])
    unknown = written(tmp_path / "u.onnx", [helper.make_node("Foo", ["x"], ["y"], "n")], {}, [3], [3])
    newer = written(tmp_path / "v.onnx", [helper.make_node("Relu", ["x"], ["y"])], {}, [3], [3], opset=99)
    mixed = written(tmp_path / "t.onnx", [helper.make_node("Add", ["x", "w"], ["y"])], {"w": np.zeros(3)}, [3], [3])
    apart = written(tmp_path / "a.onnx", [helper.make_node("Add", ["x", "w"], ["y"])], {"w": np.zeros(2, np.float32)}, [3], [3])
    draws = [helper.make_node("Dropout", ["x", "r", "t"], ["y"])]
    training = written(tmp_path / "d.onnx", draws, {"r": np.float32(0.5), "t": np.bool_(True)}, [3], [3])
    rankless = onnx.load(newer)
    rankless.opset_import[0].version = 17
    rankless.graph.input[0].type.tensor_type.ClearField("shape")
    assert allo_air.onnx.compile(rankless, shapes={"x": (3,)}, check=False)(np.float32([-1, 0, 1]))[0].tolist() == [0, 0, 1]
    listed = onnx.load(newer)
    listed.opset_import[0].version = 17
    listed.graph.input[0].CopyFrom(helper.make_tensor_sequence_value_info("x", 1, [3]))
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(Path(dense).read_bytes()[:300])
    for path, shapes, message in (
        (dense, {"z": (1,)}, "has no input 'z'; it has x"),
        (dense, {"x": (1, 2, 3)}, "has 2 dimensions, shapes= gives 3"),
        (dense, {"x": (6, 20)}, "has size 24 where shapes= gives 20"),
        (dense, {"x": "6x24"}, "shapes is {'x': '6x24'}, expected sizes by the names of inputs"),
        (dense, [6, 24], r"shapes is \[6, 24\], expected"),
        (unknown, {}, r"is not a valid ONNX model: .*Foo.* \(node n, Foo\)"),
        (custom, {}, r"operation Foo \(node n\) has no lowering to linalg"),
        (newer, {}, r"operators are of opset 99 of ai.onnx, and the newest that onnx [\d.]+ defines is \d+; export it"),
        (mixed, {}, r"types of operands .* \(op_type:Add, node name: y\): B has inconsistent type tensor\(double\)"),
        (apart, {}, r"shapes do not fit together: .*\(op_type:Add, node name: y\): Incompatible dimensions"),
        (training, {}, r"Dropout \(node y\) draws random numbers, since its training_mode is true"),
        (rankless, {}, r"input 'x' is of no known rank; fix its sizes with shapes="),
        (listed, {}, "input 'x' is a sequence, and a program takes tensors"),
        (damaged, {}, "is not a valid ONNX model"),
        (tmp_path / "none.onnx", {}, "cannot read .*: No such file"),
    ):
        with pytest.raises(AlloAirError, match=message):
            allo_air.onnx.compile(path, shapes=shapes)


@pytest.mark.slow
def test_second_process_compiles_nothing(tmp_path: Path) -> None:
    weights = {"w": RNG.standard_normal((64, 48)).astype(np.float32)}
    path = written(
        tmp_path / "m.onnx",
        [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])],
        weights,
        [32, 64],
        [32, 48],
    )
    source = f"import allo_air.onnx; print([p.cached for p in allo_air.onnx.compile({path!r}).programs])"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for wanted in ("[False]", "[True]"):
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=environment, check=True)
        assert done.stdout.strip() == wanted


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    from allo_air.importers.torch_modules import torch_package

    for package in ("onnx", "torch"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(AlloAirError, match=r"models of ONNX need the package onnx: pip install 'allo-air\[onnx\]'"):
        from_onnx("model.onnx")
    with pytest.raises(AlloAirError, match=r"models of PyTorch need the package torch: pip install 'allo-air\[torch\]'"):
        torch_package()


def test_crash_of_the_importer_is_an_error(tmp_path: Path) -> None:
    ports = [helper.make_tensor_value_info(name, TensorProto.UINT64, [4]) for name in "xy"]
    nodes = [helper.make_node("Identity", ["x"], ["n"]), helper.make_node("Add", ["n", "x"], ["y"])]
    graph = helper.make_graph(nodes, "g", ports[:1], ports[1:])
    path = tmp_path / "crash.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    with pytest.raises(
        AlloAirError, match=r"crash.onnx: torch-mlir's passes crash on operation Add \(node y\): .*Unhandled type .* ui64"
    ):
        from_onnx(path)
    assert from_onnx(written(tmp_path / "fine.onnx", [helper.make_node("Relu", ["x"], ["y"])], {}, [5], [5])).inputs == ("x",)


def test_sizes_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from allo_air.tools import allo_run

    path = tmp_path / "open.onnx"
    ports = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Softsign", ["x"], ["y"])], "open", ports[:1], ports[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), path)
    assert allo_run.main([str(path), "--shape", "x=2x4"]) == 0
    assert "correct" in capsys.readouterr().out
    for given, message in (("x=2x5", "has size 4 where shapes= gives 5"), ("x=2,4", "expected INPUT=SIZES")):
        assert allo_run.main([str(path), "--shape", given]) != 0
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("device", ["host", "npu2"])
@pytest.mark.parametrize("sizes", [(1, 40, 1), (2, 4, 12), (17,)])
def test_reflections_read_what_was_there_before(tmp_path: Path, sizes: tuple[int, ...], device: str) -> None:
    """torch-mlir writes the mirrored elements over the tensor that it reads them from."""
    pads = [0] * len(sizes)
    pads[sizes.index(max(sizes))] = 5
    node = onnx.helper.make_node("Pad", ["x", "pads"], ["y"], mode="reflect")
    result = [s + 2 * p for s, p in zip(sizes, pads, strict=True)]
    path = written(tmp_path / "m.onnx", [node], {"pads": np.array(pads * 2)}, list(sizes), result)
    x = np.random.default_rng(0).standard_normal(sizes).astype(np.float32)
    model = host_model(from_onnx(path)) if device == "host" else allo_air.onnx.compile(path, device=device)
    np.testing.assert_array_equal(model(x)[0], np.pad(x, [(p, p) for p in pads], mode="reflect"))


def test_open_sizes_and_pads_that_are_computed(tmp_path: Path) -> None:
    """A size of -1 is an open one; pads that a chain of operations makes are known where `shapes` fixes what they come from."""
    make = onnx.helper.make_node
    nodes = [
        make("Concat", ["ends", "zeros"], ["row"], axis=0),
        make("Reshape", ["row", "pairs"], ["two"]),
        make("Transpose", ["two"], ["turned"], perm=[1, 0]),
        make("Reshape", ["turned", "flat"], ["pads"]),
        make("Pad", ["x", "pads"], ["y"], mode="constant"),
    ]
    weights = {"ends": [0, 3], "zeros": [0, 2], "pairs": [-1, 2], "flat": [-1]}
    path = written(tmp_path / "m.onnx", nodes, {n: np.array(v) for n, v in weights.items()}, [-1, 6], [-1, -1])
    x = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    found = allo_air.onnx.compile(path, shapes={"x": (4, 6)}, device="npu2")(x=x)[0]
    np.testing.assert_array_equal(found, np.pad(x, ((0, 3), (0, 2))))


@pytest.mark.parametrize(
    "zero", [np.arange(6, dtype=np.uint8), np.arange(6, dtype=np.uint8).reshape(6, 1), np.array(3, np.uint8)]
)
@pytest.mark.parametrize("other", [(), np.arange(8, dtype=np.int8)])
def test_products_of_integers_with_a_zero_point_for_each_row(tmp_path: Path, zero: Any, other: Any) -> None:
    weights = {"za": zero} | ({"zb": other} if len(other) else {})
    kinds = {"a": (TensorProto.UINT8, [6, 20]), "b": (TensorProto.INT8, [20, 8]), "y": (TensorProto.INT32, [6, 8])}
    a_info, b_info, y_info = (helper.make_tensor_value_info(name, *kind) for name, kind in kinds.items())
    node = helper.make_node("MatMulInteger", ["a", "b", *weights], ["y"])
    graph = helper.make_graph(
        [node], "g", [a_info, b_info], [y_info], [numpy_helper.from_array(w, n) for n, w in weights.items()]
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=9), tmp_path / "m.onnx")
    a, b = RNG.integers(0, 256, (6, 20)).astype(np.uint8), RNG.integers(-128, 128, (20, 8)).astype(np.int8)
    left = a.astype(np.int32) - (zero.reshape(-1, 1) if zero.ndim == 1 else zero).astype(np.int32)
    wanted = left @ (b.astype(np.int32) - (other.astype(np.int32) if len(other) else 0))
    np.testing.assert_array_equal(allo_air.onnx.compile(tmp_path / "m.onnx", device="npu2")(a, b)[0], wanted)


def test_a_batch_norm_behind_another_operation_stays(tmp_path: Path) -> None:
    norm = {name: RNG.uniform(1, 2, 4).astype(np.float32) for name in ("scale", "shift", "mean", "variance")}
    nodes = [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("BatchNormalization", ["r", *norm], ["y"])]
    path, x = (
        written(tmp_path / "m.onnx", nodes, norm, [2, 4, 6, 6], [2, 4, 6, 6]),
        RNG.standard_normal((2, 4, 6, 6), np.float32),
    )
    [wanted] = ReferenceEvaluator(path).run(None, {"x": x})
    np.testing.assert_allclose(allo_air.onnx.compile(path, device="npu2")(x)[0], wanted, rtol=1e-4, atol=1e-4)


def test_batch_norms_are_folded(tmp_path: Path) -> None:
    def drawn(*sizes: int) -> Any:
        return RNG.standard_normal(sizes, np.float32)

    make = helper.make_node
    weights = {"w": drawn(8, 4, 3, 3), "b": drawn(8), "w2": drawn(8, 6, 2, 2), "g": drawn(5, 6), "gb": drawn(5)}
    nodes, last = list[Any](), "x"
    layers = [("Conv", ["w", "b"], 8, {"pads": [1] * 4}), ("ConvTranspose", ["w2"], 6, {"strides": [2, 2]})]
    for n, (kind, names, channels, attributes) in enumerate([*layers, ("Gemm", ["g", "gb"], 5, {"transB": 1})]):
        norm = {f"{name}{n}": drawn(channels) for name in ("scale", "shift", "mean")} | {f"v{n}": drawn(channels) ** 2 + 0.1}
        weights |= norm
        result = "y" if kind == "Gemm" else f"r{n}"
        nodes += [make(kind, [last, *names], [f"o{n}"], **attributes)]
        nodes += [make("BatchNormalization", [f"o{n}", *norm], [result], epsilon=1e-3)]
        last = result
        if kind == "ConvTranspose":
            nodes += [make("GlobalAveragePool", [last], ["pool"]), make("Flatten", ["pool"], ["flat"])]
            last = "flat"
    path = written(tmp_path / "m.onnx", nodes, weights, [2, 4, 6, 6], [2, 5])
    x = drawn(2, 4, 6, 6)
    [wanted] = ReferenceEvaluator(path).run(None, {"x": x})
    compiled = allo_air.onnx.compile(path, device="npu2")
    assert not walk_named(compiled.source.module, "math.rsqrt", "math.sqrt")
    np.testing.assert_allclose(compiled(x)[0], wanted, rtol=1e-4, atol=1e-4)
