"""Interpolation of ONNX as sums of neighbours is that of ONNX's reference."""

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
reference = pytest.importorskip("onnx.reference")

from allo_air.importers.onnx_operators import rewritten  # noqa: E402


def model(
    shape: list[int],
    *,
    sizes: list[int] | None = None,
    scales: list[float] | None = None,
    with_empty_scales: bool = False,
    **attributes: Any,
) -> Any:
    helper = onnx.helper
    result = sizes or [int(n * scale) for n, scale in zip(shape, scales or [], strict=True)]
    numbers = [
        helper.make_tensor("n", 7 if sizes else 1, [len(shape)], sizes or scales),
        helper.make_tensor("none", 1, [0], []),
    ]
    inputs = ["x", "", "none" if with_empty_scales else "", "n"] if sizes else ["x", "", "n"]
    node = helper.make_node("Resize", inputs, ["y"], **{"mode": "linear"} | attributes)
    values = [helper.make_tensor_value_info(name, 1, dims) for name, dims in (("x", shape), ("y", result))]
    graph = helper.make_graph([node], "g", values[:1], values[1:], numbers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def places(name: str) -> dict[str, str]:
    return {"coordinate_transformation_mode": name}


@pytest.mark.parametrize(
    "case",
    [
        {"shape": [1, 3, 5, 7], "sizes": [1, 3, 10, 13]},
        {"shape": [1, 3, 5, 7], "scales": [1.0, 1.0, 2.0, 1.5]},
        {"shape": [2, 4, 6], "sizes": [2, 1, 6], **places("pytorch_half_pixel")},
        {"shape": [1, 3, 5, 7], "sizes": [1, 3, 9, 3], **places("align_corners")},
        {"shape": [1, 2, 4, 6], "scales": [1.0, 1.0, 1.0, 2.0], **places("asymmetric")},
        {"shape": [1, 3, 5, 7], "sizes": [1, 6, 5, 7]},
        {"shape": [1, 4, 4, 4], "scales": [1.0, 1.2, 2.0, 2.0]},
        {"shape": [1, 4, 4], "sizes": [1, 8, 8], "with_empty_scales": True},
        {"shape": [1, 4, 4], "sizes": [1, 8, 8], "with_empty_scales": True, **places("align_corners")},
        {"shape": [1, 3, 5, 7], "sizes": [1, 3, 3, 4], "antialias": 1},
        {"shape": [1, 2, 5, 7], "sizes": [1, 2, 8, 5], "mode": "cubic"},
        {"shape": [1, 2, 5, 6], "scales": [1.0, 1.0, 0.4, 1.5], "mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1},
        {"shape": [1, 9, 8], "scales": [1.0, 0.4, 0.5], "mode": "cubic", "antialias": 1, **places("half_pixel_symmetric")},
    ],
)
def test_weights(case: dict[str, Any]) -> None:
    source = model(**case)
    result = rewritten(onnx, source)
    assert {n.op_type for n in result.graph.node} == {"Constant", "Gather", "Mul", "Sum"}
    x = np.random.default_rng(0).standard_normal(case["shape"]).astype(np.float32)
    found, wanted = (reference.ReferenceEvaluator(m).run(None, {"x": x})[0] for m in (result, source))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", ["asymmetric", "half_pixel"])
@pytest.mark.parametrize("rounding", ["floor", "round_prefer_floor"])
@pytest.mark.parametrize("sizes", [[1, 3, 10, 21], [1, 3, 8, 4]])
def test_the_nearest_element_is_gathered(mode: str, rounding: str, sizes: list[int]) -> None:
    source = model([1, 3, 5, 7], sizes=sizes, mode="nearest", nearest_mode=rounding, **places(mode))
    result = rewritten(onnx, source)
    assert {n.op_type for n in result.graph.node} == {"Constant", "Gather"}
    x = np.random.default_rng(0).standard_normal((1, 3, 5, 7)).astype(np.float32)
    found, wanted = (reference.ReferenceEvaluator(m).run(None, {"x": x})[0] for m in (result, source))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "case",
    [
        {"shape": [1, 3, 5, 7], "sizes": [1, 3, 10, 14], "keep_aspect_ratio_policy": "not_larger"},
        {"shape": [1, 3, 5, 7], "scales": [1.0, 1.0, 2.0, 2.0], **places("align_corners")},
    ],
)
def test_what_is_left_to_torch_mlir(case: dict[str, Any]) -> None:
    assert [n.op_type for n in rewritten(onnx, model(**case)).graph.node] == ["Resize"]


def test_an_infinite_element_changes_its_neighbours_alone() -> None:
    x = np.zeros((1, 4, 4), np.float32)
    x[0, 0, 0] = np.inf
    result = rewritten(onnx, model([1, 4, 4], sizes=[1, 8, 8]))
    y = onnx.reference.ReferenceEvaluator(result).run(None, {"x": x})[0]
    assert np.isinf(y).sum() == 9
    assert np.isfinite(y).sum() == 55
