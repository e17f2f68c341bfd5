"""Rewritten convolutions, transforms and samplings of ONNX compute what ONNX's reference computes."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
reference = pytest.importorskip("onnx.reference")

from allo_air.importers.onnx_operators import rewritten  # noqa: E402

SIGNAL, SPECTRUM, IMAGE = (2, 10, 3, 1), (2, 6, 3, 2), (1, 2, 5, 6)


def numbers(*values):
    return np.asarray(values if len(values) > 1 else values[0], np.int64)


def model_of(kind, shape, rest, attributes, opset):
    """A model of one node, whose operands but the first are constants."""
    helper, names = onnx.helper, ["" if r is None else f"w{n}" for n, r in enumerate(rest)]
    weights = [onnx.numpy_helper.from_array(r, n) for n, r in zip(names, rest, strict=True) if n]
    node = helper.make_node(kind, ["x", *names], ["y"], **attributes)
    ports = [helper.make_tensor_value_info(n, 1, s) for n, s in (("x", shape), ("y", None))]
    graph = helper.make_graph([node], "g", ports[:1], ports[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


@pytest.mark.parametrize(
    ("kind", "shape", "rest", "attributes", "opset"),
    [
        ("DFT", SIGNAL, [], {"axis": 1, "onesided": 1}, 17),
        ("DFT", SIGNAL, [numbers(8)], {"axis": 1}, 17),
        ("DFT", SPECTRUM, [None, numbers(1)], {"inverse": 1}, 20),
        ("STFT", (2, 40, 1), [numbers(4), np.hanning(12).astype(np.float32)], {}, 17),
        ("Col2Im", (1, 4, 12), [numbers(5, 6), numbers(2, 2)], {"strides": [1, 2], "pads": [0, 1, 0, 0]}, 18),
        ("DepthToSpace", (1, 12, 3, 2), [], {"blocksize": 2, "mode": "CRD"}, 13),
        ("ConvTranspose", IMAGE, [(2, 3, 3, 3)], {"auto_pad": "SAME_LOWER", "strides": [2, 2]}, 11),
        ("ConvTranspose", IMAGE, [(2, 3, 3, 3), (3,)], {"pads": [1, 0, 0, 2], "dilations": [2, 1]}, 11),
        ("Gelu", IMAGE, [], {"approximate": "tanh"}, 20),
        ("GridSample", IMAGE, [(1, 4, 3, 2)], {}, 20),
        ("GridSample", IMAGE, [(1, 4, 3, 2)], {"padding_mode": "border", "align_corners": 1}, 20),
        ("GridSample", IMAGE, [(1, 4, 3, 2)], {"mode": "nearest"}, 20),
    ],
)
def test_same_numbers(kind, shape, rest, attributes, opset):
    draw = np.random.default_rng(0)
    rest = [draw.standard_normal(r).astype(np.float32) if isinstance(r, tuple) else r for r in rest]
    source = model_of(kind, shape, rest, attributes, opset)
    result = rewritten(onnx, source)
    assert [n.op_type for n in result.graph.node] != [kind]
    pads = [a.ints for n in result.graph.node if n.op_type == "ConvTranspose" for a in n.attribute if a.name == "pads"]
    assert all(p[: len(p) // 2] == p[len(p) // 2 :] for p in pads)  # torch-mlir lowers no others
    x = draw.standard_normal(shape).astype(np.float32)
    found, wanted = (reference.ReferenceEvaluator(m).run(None, {"x": x})[0] for m in (result, source))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "shape", "rest", "attributes", "opset"),
    [
        ("DFT", SPECTRUM, [], {"axis": 3}, 17),
        ("STFT", (2, 40, 1), [numbers(0), np.ones(12, np.float32)], {}, 17),
        ("STFT", (2, 8, 1), [numbers(4), np.ones(12, np.float32)], {}, 17),
        ("STFT", (2, 40, 1), [numbers(4), np.ones(12, np.float32), numbers(16)], {}, 17),
        ("Col2Im", (1, 4, 11), [numbers(5, 6), numbers(2, 2)], {}, 18),
    ],
)
def test_sizes_that_do_not_fit_stay(kind, shape, rest, attributes, opset):
    assert [n.op_type for n in rewritten(onnx, model_of(kind, shape, rest, attributes, opset)).graph.node] == [kind]


def test_sizes_may_be_arrays_of_one_element():
    source = model_of("DFT", SIGNAL, [np.asarray([8]), np.asarray([1])], {}, 20)
    x = np.random.default_rng(0).standard_normal(SIGNAL).astype(np.float32)
    [found] = reference.ReferenceEvaluator(rewritten(onnx, source)).run(None, {"x": x})
    exact = np.fft.fft(x[..., 0], 8, axis=1)
    np.testing.assert_allclose(found, np.stack([exact.real, exact.imag], -1), rtol=1e-4, atol=1e-5)


def test_places_that_are_no_numbers_are_outside_of_the_image():
    grid = np.asarray([[[[np.inf, 0], [np.nan, 0], [3e38, -3e38], [0, 0]]]], np.float32)
    x = np.ones((1, 1, 5, 6), np.float32)
    [found] = reference.ReferenceEvaluator(rewritten(onnx, model_of("GridSample", x.shape, [grid], {}, 20))).run(None, {"x": x})
    assert found.ravel().tolist() == [0, 0, 0, 1]
