"""Operators of ONNX and of com.microsoft that torch-mlir's importer has not, or takes for others, against numpy and ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air.errors import AlloAirError

onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra 'onnx')")

from onnx import helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

from allo_air.importers.onnx_files import from_onnx  # noqa: E402
from allo_air.models.model import host_model  # noqa: E402

RNG = np.random.default_rng(0)
NODE = helper.make_node


def draw(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def model(nodes: list[Any], inputs: dict[str, Any], weights: dict[str, Any], results: dict[str, Any], opset: int = 23) -> Any:
    """A model of `inputs`, whose results have the types and, where these are arrays, the shapes of `results`."""
    port = helper.make_tensor_value_info
    takes = [port(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in inputs.items()]
    gives = [port(n, helper.np_dtype_to_tensor_dtype(np.dtype(k)), s) for n, (k, s) in results.items()]
    tensors = [w if isinstance(w, onnx.TensorProto) else numpy_helper.from_array(w, n) for n, w in weights.items()]
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(helper.make_graph(nodes, "g", takes, gives, tensors), opset_imports=opsets, ir_version=10)


def run(made: Any, path: Path, *arrays: Any) -> list[Any]:
    onnx.save(made, path / "model.onnx")
    return list(host_model(from_onnx(path / "model.onnx"))(*arrays))


def test_operators_that_onnx_defines_by_others(tmp_path: Path) -> None:
    q, k, v, w = draw(1, 2, 3, 8), draw(1, 2, 7, 8), draw(1, 2, 7, 8), draw(8)
    cosine, sine = draw(3, 4), draw(3, 4)
    nodes = [
        NODE("RotaryEmbedding", ["q", "cos", "sin"], ["turned"]),
        NODE("Attention", ["turned", "new", "v", "", "past", "past"], ["y", "keys"], is_causal=1),
        NODE("RMSNormalization", ["y", "w"], ["normed"], axis=-1),
        NODE("Swish", ["normed"], ["z"]),
    ]
    inputs = {"q": q, "new": k[:, :, :3], "v": v[:, :, :3], "past": k[:, :, 3:]}
    tables = {"cos": cosine[None], "sin": sine[None], "w": w}
    made = model(nodes, inputs, tables, {"z": ("f4", q.shape), "keys": ("f4", k.shape)}, 24)
    found, keys = run(made, tmp_path, *inputs.values())
    left, right = q[..., :4] * cosine - q[..., 4:] * sine, q[..., :4] * sine + q[..., 4:] * cosine
    every = np.concatenate([inputs["past"], inputs["new"]], 2)
    scores = np.concatenate([left, right], -1) @ every.swapaxes(2, 3) / np.sqrt(8)
    scores = np.where(np.tril(np.ones((3, 7), bool), 4), scores, -np.inf)
    share = np.exp(scores - scores.max(-1, keepdims=True))
    y = share / share.sum(-1, keepdims=True) @ np.concatenate([inputs["past"], inputs["v"]], 2)
    y = y / np.sqrt((y * y).mean(-1, keepdims=True) + 1e-5) * w
    np.testing.assert_array_equal(keys, every)
    np.testing.assert_allclose(found, y / (1 + np.exp(-y)), rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_prompt_and_step_of_an_exported_language_model(tmp_path: Path) -> None:
    batch, heads, groups, size, width = 2, 4, 2, 16, 40
    cosine, sine = (f(np.outer(np.arange(9), 0.7 ** np.arange(size // 2))).astype(np.float32) for f in (np.cos, np.sin))
    packed = RNG.integers(0, 256, ((heads + 2 * groups) * size, 2, 16)).astype(np.uint8)
    scales, bias = np.abs(draw(packed.shape[0], 2)) / 16, draw(width)
    x, skip, gain = draw(batch, 6, width), draw(batch, 6, width), draw(width)

    def part(first: int, last: int, past: Any) -> list[Any]:
        given = {"x": x[:, first:last], "skip": skip[:, first:last]}
        given |= {"k0": past[0], "v0": past[1]} if past else {}
        nodes = [
            NODE(
                "SkipSimplifiedLayerNormalization", ["x", "skip", "gain", "bias"], ["n", "", "", "sum"], domain="com.microsoft"
            ),
            NODE(
                "MatMulNBits", ["n", "packed", "scales"], ["qkv"], K=width, N=len(packed), block_size=32, domain="com.microsoft"
            ),
            NODE(
                "GroupQueryAttention",
                ["qkv", "", "", *(["k0", "v0"] if past else ["", ""]), "last", "total", "cos", "sin"],
                ["y", "k", "v"],
                num_heads=heads,
                kv_num_heads=groups,
                do_rotary=1,
                domain="com.microsoft",
            ),
        ]
        ends = {"last": np.full(batch, last - 1, np.int32), "total": np.asarray(last, np.int32)}
        tables = {"packed": packed, "scales": scales, "gain": gain, "bias": bias, "cos": cosine, "sin": sine}
        cache = ("f4", (batch, groups, last, size))
        results = {"y": ("f4", (batch, last - first, heads * size)), "k": cache, "v": cache}
        return run(model(nodes, given, tables | ends, results, 17), tmp_path, *given.values())

    prompt, *cache = part(0, 5, None)
    step, *_ = part(5, 6, cache)
    numbers = np.stack([packed & 15, packed >> 4], -1).reshape(len(packed), 2, 32) - 8.0
    weight = (numbers * scales[..., None]).reshape(len(packed), -1)[:, :width].T
    total = x.astype(np.float64) + skip + bias
    sides = total / np.sqrt((total**2).mean(-1, keepdims=True) + 1e-5) * gain @ weight
    q, k, v = (
        s.reshape(batch, 6, -1, size).swapaxes(1, 2) for s in np.split(sides, [heads * size, (heads + groups) * size], -1)
    )

    def turned(t: Any) -> Any:
        a, b = t[..., : size // 2], t[..., size // 2 :]
        return np.concatenate([a * cosine[:6] - b * sine[:6], b * cosine[:6] + a * sine[:6]], -1)

    k, v = turned(k).repeat(2, 1), v.repeat(2, 1)
    scores = np.where(np.tril(np.ones((6, 6), bool)), turned(q) @ k.swapaxes(2, 3) / np.sqrt(size), -np.inf)
    share = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = (share / share.sum(-1, keepdims=True) @ v).swapaxes(1, 2).reshape(batch, 6, -1)
    np.testing.assert_allclose(np.concatenate([prompt, step], 1), wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", ["GRU", pytest.param("LSTM", marks=pytest.mark.slow)])
def test_recurrent_layers_backwards_and_both_ways(kind: str, tmp_path: Path) -> None:
    gates, x = {"GRU": 3, "LSTM": 4}[kind], draw(3, 2, 4)
    w, r, b = draw(2, gates * 5, 4) / 3, draw(2, gates * 5, 5) / 3, draw(2, gates * 10) / 3

    def layer(given: Any, sides: slice, direction: str) -> Any:
        weights = {n: a[sides] for n, a in (("w", w), ("r", r), ("b", b))}
        nodes = [NODE(kind, ["x", *weights], ["y", "h"], hidden_size=5, direction=direction)]
        count = len(weights["w"])
        made = model(nodes, {"x": given}, weights, {"y": ("f4", (3, count, 2, 5)), "h": ("f4", (count, 2, 5))}, 17)
        return run(made, tmp_path, given)

    forward, backward = layer(x, slice(0, 1), "forward"), layer(x[::-1].copy(), slice(1, 2), "forward")
    backward[0] = backward[0][::-1]
    for found, first, second in zip(layer(x, slice(0, 2), "bidirectional"), forward, backward, strict=True):
        np.testing.assert_allclose(found, np.concatenate([first, second], found.ndim - 3), rtol=0, atol=1e-6)
    for found, wanted in zip(layer(x, slice(1, 2), "reverse"), backward, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)


def test_unsigned_bytes(tmp_path: Path) -> None:
    a, b = RNG.integers(0, 256, (4, 6)).astype(np.uint8), RNG.integers(1, 256, (4, 6)).astype(np.uint8)
    bytes_, bits = ("Add", "Sub", "Mul", "Div", "Max", "Mod", "BitwiseXor"), ("Greater", "LessOrEqual")
    nodes = [NODE(kind, ["a", "b"], [kind]) for kind in (*bytes_, *bits)]
    results: dict[str, Any] = dict.fromkeys(bytes_, ("u1", a.shape)) | dict.fromkeys(bits, ("?", a.shape))
    made = model(nodes, {"a": a, "b": b}, {}, results, 18)
    for found, wanted in zip(run(made, tmp_path, a, b), ReferenceEvaluator(made).run(None, {"a": a, "b": b}), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_scaled_weights(tmp_path: Path) -> None:
    x, scale = draw(3, 8), np.abs(draw(4, 6)) / 8
    four = helper.make_tensor("w", onnx.TensorProto.INT4, (8, 6), RNG.integers(-8, 8, 48))
    channels = {
        "w": RNG.integers(0, 256, (8, 6)).astype(np.uint8),
        "s": scale[0],
        "z": RNG.integers(100, 256, 6).astype(np.uint8),
    }
    for weights, attributes in (({"w": four, "s": scale}, {"axis": 0, "block_size": 2}), (channels, {"axis": 1})):
        nodes = [NODE("DequantizeLinear", [*weights], ["f"], **attributes), NODE("MatMul", ["x", "f"], ["y"])]
        made = model(nodes, {"x": x}, weights, {"y": ("f4", (3, 6))}, 21)
        [wanted] = ReferenceEvaluator(made).run(None, {"x": x})
        np.testing.assert_allclose(run(made, tmp_path, x)[0], wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("p", [1, 2])
def test_norms_of_zeros(p: int, tmp_path: Path) -> None:
    x = draw(2, 3, 4)
    x[1, 2] = 0
    made = model([NODE("LpNormalization", ["x"], ["y"], axis=-1, p=p)], {"x": x}, {}, {"y": ("f4", x.shape)}, 22)
    norms = np.linalg.norm(x, p, -1, keepdims=True)
    wanted = np.where(norms > 0, x / np.where(norms > 0, norms, 1), 0)
    np.testing.assert_allclose(run(made, tmp_path, x)[0], wanted, rtol=1e-5)


@pytest.mark.parametrize("element", [np.uint8, np.int32])
def test_shifts_by_any_number(element: Any, tmp_path: Path) -> None:
    x = np.asarray([1, 77, 5, 200, 3, 255]).astype(element) - element(3)
    by = np.asarray([0, 1, 7, 8, 40, 3]).astype(element)
    nodes = [NODE("BitShift", ["x", "by"], [f"{d.lower()}"], direction=d) for d in ("LEFT", "RIGHT")]
    made = model(nodes, {"x": x, "by": by}, {}, dict.fromkeys(("left", "right"), (element, x.shape)), 22)
    left, right = run(made, tmp_path, x, by)
    exact = [int(n) for n in x]
    np.testing.assert_array_equal(left, np.asarray([n << int(k) for n, k in zip(exact, by, strict=True)]).astype(element))
    np.testing.assert_array_equal(right, np.asarray([n >> int(k) for n, k in zip(exact, by, strict=True)]).astype(element))


def test_what_would_be_wrong_is_refused(tmp_path: Path) -> None:
    x, grid = draw(1, 1, 4, 4), draw(1, 3, 3, 2)
    peep = [NODE("LSTM", ["x", "w", "r", "", "", "", "", "p"], ["y"], "cell", hidden_size=2)]
    near = [NODE("GridSample", ["x", "g"], ["y"], "grid", mode="nearest", padding_mode="reflection")]
    corners = [NODE("Resize", ["x", "", "s"], ["y"], "up", mode="linear", coordinate_transformation_mode="align_corners")]
    loose = [NODE("MatMulNBits", ["x", "q", "s"], ["y"], "dense", K=4, N=2, domain="com.microsoft")]
    bits = [NODE("MatMulNBits", ["x", "q", "s"], ["y"], "dense", K=32, N=2, bits=3, block_size=32, domain="com.microsoft")]
    for nodes, inputs, weights, message in (
        (
            bits,
            {"x": draw(3, 32)},
            {"q": np.zeros((2, 1, 12), np.uint8), "s": draw(2, 1)},
            r"node dense\) of com.microsoft: bits=3 is not supported",
        ),
        (
            peep,
            {"x": draw(3, 1, 4)},
            {"w": draw(1, 8, 4), "r": draw(1, 8, 2), "p": draw(1, 6)},
            r"LSTM \(node cell\) has peepholes",
        ),
        (
            [NODE("GRU", ["x", "w", "r", "", "l"], ["y"], "cell", hidden_size=2)],
            {"x": draw(3, 2, 4)},
            {"w": draw(1, 6, 4), "r": draw(1, 6, 2), "l": np.asarray([3, 1], np.int32)},
            r"GRU \(node cell\) has lengths of its sequences \(sequence_lens\)",
        ),
        (near, {"x": x, "g": grid}, {}, r"GridSample \(node grid\) takes the nearest element"),
        (
            corners,
            {"x": x},
            {"s": np.asarray([1, 1, 0.6, 0.6], np.float32)},
            r"Resize \(node up\) has scales .* with align_corners",
        ),
        (
            loose,
            {"x": draw(2, 4), "q": x.astype(np.uint8), "s": x},
            {},
            r"node dense\) of com.microsoft: input 1 \('q'\) is computed",
        ),
    ):
        with pytest.raises(AlloAirError, match=message):
            run(
                model(nodes, inputs, weights, {"y": ("f4", ("n",) * (2 if nodes in (loose, bits) else 4))}, 20),
                tmp_path,
                *inputs.values(),
            )
