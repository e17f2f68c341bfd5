"""ONNX operators that torch-mlir lacks or gets wrong: padding, pooling, regions, scans, the nearest element."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air.onnx
from allo_air.errors import AlloAirError
from allo_air.models.model import host_model

onnx = pytest.importorskip("onnx")
torch = pytest.importorskip("torch")

from allo_air.importers.onnx_files import from_onnx  # noqa: E402

FLOAT = onnx.TensorProto.FLOAT


def draw(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def on_host(tmp_path: Path, node: Any, inputs: dict[str, Any], constants: dict[str, Any] | None = None, opset: int = 19) -> Any:
    """The results of a model of one node."""
    value = onnx.helper.make_tensor_value_info
    kinds = [value(n, onnx.helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in inputs.items()]
    tensors = [onnx.numpy_helper.from_array(np.asarray(a), n) for n, a in (constants or {}).items()]
    graph = onnx.helper.make_graph([node], "g", kinds, [value(n, FLOAT, None) for n in node.output], tensors)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=9)
    onnx.save(onnx.shape_inference.infer_shapes(model), tmp_path / "one.onnx")
    return host_model(from_onnx(tmp_path / "one.onnx"))(*inputs.values())


@pytest.mark.parametrize(
    ("mode", "amounts", "axes"),
    [
        ("wrap", [0, 3, 2, 0, 1, 4], None),
        ("wrap", [0, 0, 9, 0, -2, 17], None),
        ("constant", [1, -1], [-1]),
        ("constant", [0, -1, 2, 1, -3, 0], None),
        ("edge", [-1, 2, 0, 3], [1, 2]),
        ("reflect", [2, 1], [1]),
    ],
)
def test_pads(tmp_path: Path, mode: str, amounts: list[int], axes: list[int] | None) -> None:
    x, half = draw(2, 7, 6), len(amounts) // 2
    constants = {"p": np.array(amounts), "v": np.float32(0.5)} | ({"a": np.array(axes)} if axes else {})
    node = onnx.helper.make_node("Pad", ["x", *constants], ["y"], mode=mode)
    [found] = on_host(tmp_path, node, {"x": x}, constants)
    kept, pads = [slice(None)] * 3, [(0, 0)] * 3
    for axis, begin, end in zip(axes or range(3), amounts[:half], amounts[half:], strict=True):
        kept[axis] = slice(max(-begin, 0), x.shape[axis] + min(end, 0))
        pads[axis] = max(begin, 0), max(end, 0)
    options: Any = {"constant_values": 0.5} if mode == "constant" else {}
    np.testing.assert_array_equal(found, np.pad(x[tuple(kept)], pads, mode=mode, **options))  # type: ignore[call-overload]


@pytest.mark.parametrize("counts_padding", [0, 1])
@pytest.mark.parametrize(
    ("window", "stride", "pad"), [((3, 3), (2, 2), (1, 1)), ((3, 4), (2, 3), (0, 1)), ((3, 2), (2, 1), (1, 0))]
)
def test_means_of_windows_that_stick_out(
    tmp_path: Path, window: tuple[int, int], stride: tuple[int, int], pad: tuple[int, int], counts_padding: int
) -> None:
    x = draw(1, 4, 12, 15)
    options = {"kernel_shape": window, "strides": stride, "pads": [*pad, *pad], "count_include_pad": counts_padding}
    [found] = on_host(tmp_path, onnx.helper.make_node("AveragePool", ["x"], ["y"], ceil_mode=1, **options), {"x": x})
    wanted = torch.nn.functional.avg_pool2d(torch.from_numpy(x), window, stride, pad, True, bool(counts_padding))
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-5, atol=1e-6)


def region(image: Any, box: Any, size: tuple[int, int], samples: int, scale: float, half: bool) -> Any:
    """The means of interpolated samples of one region, one by one."""
    offset, (height, width) = 0.5 if half else 0.0, image.shape[1:]
    (left, top, right, bottom), (rows, columns) = box * scale - offset, size
    high, wide = (bottom - top, right - left) if half else (max(bottom - top, 1), max(right - left, 1))
    result = np.zeros((image.shape[0], *size))
    for row, column, i, j in np.ndindex(rows, columns, samples, samples):
        y = top + (row + (i + 0.5) / samples) * high / rows
        x = left + (column + (j + 0.5) / samples) * wide / columns
        if -1 <= y <= height and -1 <= x <= width:
            y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
            a, b = min(int(y), height - 2), min(int(x), width - 2)
            corners = image[:, a : a + 2, b : b + 2]
            result[:, row, column] += corners.transpose(0, 2, 1) @ [a + 1 - y, y - a] @ [b + 1 - x, x - b]
    return result / samples**2


@pytest.mark.parametrize(("opset", "mode"), [(16, None), (16, "output_half_pixel"), (13, None)])
def test_regions(tmp_path: Path, opset: int, mode: str | None) -> None:
    boxes = np.array([[-9, 2, 20, 22], [3.3, 1, 99, 17], [30, 30, 31, 30.5]], np.float32)
    x, batch = draw(2, 3, 14, 15), np.array([0, 1, 1])
    options: dict[str, Any] = {"output_height": 3, "output_width": 4, "sampling_ratio": 2, "spatial_scale": 0.5}
    options |= {"coordinate_transformation_mode": mode} if mode else {}
    node = onnx.helper.make_node("RoiAlign", ["x", "r", "i"], ["y"], **options)
    [found] = on_host(tmp_path, node, {"x": x, "r": boxes, "i": batch}, opset=opset)
    is_half = opset == 16 and mode is None
    for number, n in enumerate(batch):
        wanted = region(x[n].astype(np.float64), boxes[number].astype(np.float64), (3, 4), 2, 0.5, is_half)
        np.testing.assert_allclose(found[number], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("rounding", "most"), [("ceil", None), ("round_prefer_ceil", None), ("floor", "align_corners")])
def test_the_nearest_element(tmp_path: Path, rounding: str, most: str | None) -> None:
    x, sizes = draw(1, 2, 7, 9), (5, 13)
    node = onnx.helper.make_node(
        "Resize",
        ["x", "", "", "z"],
        ["y"],
        mode="nearest",
        nearest_mode=rounding,
        coordinate_transformation_mode=most or "half_pixel",
    )
    [found] = on_host(tmp_path, node, {"x": x}, {"z": np.array([1, 2, *sizes])})
    places = []
    for old, new in zip(x.shape[2:], sizes, strict=True):
        place = np.arange(new) * (old - 1) / (new - 1) if most else (np.arange(new) + 0.5) * old / new - 0.5
        to = {"ceil": np.ceil(place), "floor": np.floor(place), "round_prefer_ceil": np.floor(place + 0.5)}[rounding]
        places.append(np.clip(to, 0, old - 1).astype(int))
    np.testing.assert_array_equal(found, x[:, :, places[0]][..., places[1]])


@pytest.mark.parametrize("size", [4, 5])
def test_normalization_over_channels(tmp_path: Path, size: int) -> None:
    x = draw(2, 9, 3, 4)
    node = onnx.helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.5, beta=0.7, bias=1.5)
    [result] = on_host(tmp_path, node, {"x": x})
    before, after = (size - 1) // 2, size // 2
    squares = np.pad(x.astype(np.float64) ** 2, [(0, 0), (before, after), (0, 0), (0, 0)])
    sums = np.lib.stride_tricks.sliding_window_view(squares, size, 1).sum(-1)
    np.testing.assert_allclose(result, x / (1.5 + 0.5 / size * sums) ** 0.7, rtol=1e-5)
    compiled = allo_air.onnx.compile(tmp_path / "one.onnx", cache=False)  # ONNX's reference is no reason to refuse it
    np.testing.assert_allclose(compiled(x)[0], result, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("backwards", [0, 1])
@pytest.mark.parametrize("axis", [0, 1])
def test_scans(tmp_path: Path, axis: int, backwards: int) -> None:
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph(
        [make("Add", ["s", "e"], ["t"]), make("Mul", ["t", "e"], ["o"])],
        "body",
        [value(n, FLOAT, [4]) for n in "se"],
        [value(n, FLOAT, [4]) for n in "to"],
    )
    h, x = draw(4), draw(4, 6) if axis else draw(6, 4)
    options: dict[str, Any] = {"scan_input_axes": [axis], "scan_input_directions": [backwards], "scan_output_axes": [-1]}
    node = make(
        "Scan", ["h", "x"], ["last", "all"], body=body, num_scan_inputs=1, scan_output_directions=[backwards], **options
    )
    last, found = on_host(tmp_path, node, {"h": h, "x": x})
    rows, results = (x.T if axis else x), []
    for row in rows[::-1] if backwards else rows:
        h = h + row
        results.append(h * row)
    np.testing.assert_allclose(last, h, rtol=1e-5)
    np.testing.assert_allclose(found, np.stack(results[::-1] if backwards else results, -1), rtol=1e-5, atol=1e-6)


def test_sequences(tmp_path: Path) -> None:
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    nodes = [
        make("SplitToSequence", ["x", "sizes"], ["s"], axis=1),
        make("SequenceAt", ["s", "last"], ["a"]),
        make("SequenceErase", ["s", "first"], ["t"]),
        make("ConcatFromSequence", ["t"], ["b"], axis=-1),
        make("SplitToSequence", ["x"], ["rows"], keepdims=0),
        make("SequenceConstruct", ["a", "a"], ["u"]),
        make("SequenceInsert", ["u", "c", "first"], ["v"]),
        make("ConcatFromSequence", ["v"], ["d"], axis=0, new_axis=1),
        make("ConcatFromSequence", ["rows"], ["e"], axis=1, new_axis=1),
        make("SequenceLength", ["rows"], ["n"]),
    ]
    x, c = draw(3, 6), draw(3, 2)
    constants = {"sizes": np.array([1, 3, 2]), "last": np.array(-1), "first": np.array(0), "c": c}
    tensors = [onnx.numpy_helper.from_array(a, n) for n, a in constants.items()]
    outputs = [value(n, FLOAT, None) for n in "abde"] + [value("n", onnx.TensorProto.INT64, [])]
    graph = onnx.helper.make_graph(nodes, "g", [value("x", FLOAT, [3, 6])], outputs, tensors)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(onnx.shape_inference.infer_shapes(model), tmp_path / "s.onnx")
    found = host_model(from_onnx(tmp_path / "s.onnx"))(x)
    a = x[:, 4:]
    for one, other in zip(found, (a, x[:, 1:], np.stack([c, a, a]), x.T, 3), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("axis", [None, 1])
def test_elements_that_a_known_condition_keeps(tmp_path: Path, axis: int | None) -> None:
    x, mask = draw(3, 4), np.array([False, True, True, False] if axis else [True, False] * 4)
    node = onnx.helper.make_node("Compress", ["x", "m"], ["y"], **({} if axis is None else {"axis": axis}))
    [found] = on_host(tmp_path, node, {"x": x}, {"m": mask})
    np.testing.assert_array_equal(found, np.compress(mask, x, axis))


def test_long_scans_are_refused(tmp_path: Path) -> None:
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph(
        [make("Add", ["s", "e"], ["t"])], "body", [value(n, FLOAT, [4]) for n in "se"], [value("t", FLOAT, [4])]
    )
    node = make("Scan", ["h", "x"], ["last"], name="sums", body=body, num_scan_inputs=1)
    with pytest.raises(AlloAirError, match=r"operation Scan \(node sums\) has 300 iterations; at most 256 are unrolled"):
        on_host(tmp_path, node, {"h": draw(4), "x": draw(300, 4)})


def test_operators_without_a_lowering_are_named(tmp_path: Path) -> None:
    """MLIR's messages are about the operations that torch-mlir made of them."""
    node = onnx.helper.make_node("MaxRoiPool", ["x", "r"], ["y"], name="pool", pooled_shape=[2, 2])
    boxes = np.array([[0, 1, 2, 10, 12]], np.float32)
    with pytest.raises(AlloAirError, match=r"operation MaxRoiPool \(node pool\) has no lowering"):
        on_host(tmp_path, node, {"x": draw(1, 3, 14, 15), "r": boxes})
