"""Checkpoints of four bits: words of AWQ, GPTQ and compressed-tensors, blocks of Q4_0, against numpy and PyTorch."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import allo_air.llm  # noqa: E402
from allo_air.errors import ArgumentError  # noqa: E402
from allo_air.llm.checkpoints import read_safetensors, with_weights  # noqa: E402
from allo_air.llm.layouts import groups_of, q4_0  # noqa: E402
from allo_air.llm.model import LanguageModel, pieces  # noqa: E402
from allo_air.llm.quantized import dense  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402
from test.e2e.models import decoders  # noqa: E402

AWQ = (0, 2, 4, 6, 1, 3, 5, 7)
NAMES = {np.dtype(n): kind for n, kind in (("float32", "F32"), ("float16", "F16"), ("int32", "I32"))}


def words(numbers: Any, order: tuple[int, ...] = tuple(range(8))) -> Any:
    """Each eight numbers of the last dimension in a word, whose nibble n is number `order[n]`."""
    eights = numbers.reshape(*numbers.shape[:-1], -1, 8)
    shifted = [eights[..., order[n]].astype(np.uint32) << np.uint32(4 * n) for n in range(8)]
    return np.bitwise_or.reduce(shifted).view(np.int32)


def drawn(kind: str, rows: int, columns: int, group: int, by: Any) -> tuple[dict[str, Any], Any]:
    """The arrays of a matrix of `kind`, and the weights that they stand for, in f64."""
    numbers, zeros = by.integers(0, 16, (rows, columns)), by.integers(1, 17, (rows, columns // group))
    scales = by.uniform(0.005, 0.02, zeros.shape).astype(np.float16)
    place = np.arange(columns) // group
    if kind == "gptq, ordered":
        place = by.permutation(place)
    if kind == "awq":
        zeros %= 16
        arrays = {"qweight": words(numbers.T, AWQ), "qzeros": words(zeros.T, AWQ), "scales": scales.T}
    elif kind == "compressed":
        zeros[:] = 8
        arrays = {"weight_packed": words(numbers), "weight_scale": scales, "weight_shape": np.array([rows, columns], np.int32)}
    else:
        packed = words(numbers.reshape(rows, -1).T.reshape(-1, 8, rows).transpose(0, 2, 1))[..., 0]
        arrays = {"qweight": packed, "qzeros": words((zeros - 1).T), "scales": scales.T, "g_idx": place.astype(np.int32)}
    return arrays, (numbers - zeros[:, place]) * scales.astype(np.float64)[:, place]


def tensors(arrays: dict[str, Any]) -> dict[str, Any]:
    return {n: torch.from_numpy(np.ascontiguousarray(a)) for n, a in arrays.items()}


@pytest.mark.parametrize("kind", ["awq", "gptq", "gptq, ordered", "compressed"])
def test_words_stand_for_what_numpy_says(kind: str) -> None:
    arrays, weights = drawn(kind, 24, 64, 16, np.random.default_rng(0))
    groups = groups_of(tensors(arrays), 24, 64, "w")
    assert np.array_equal(groups.dense().numpy(), weights.astype(np.float32))
    assert (groups.order is not None) == (kind == "gptq, ordered")
    in_order = weights if groups.order is None else weights[:, groups.order]
    for group in (16, 8):
        rounded = dense(groups.packed(group, "w")).numpy()
        assert np.abs(rounded / np.where(in_order == 0, 1, in_order) - (in_order != 0)).max() <= 2.0**-8


def test_blocks_of_q4_0_and_zeros_of_the_second_version() -> None:
    by = np.random.default_rng(0)
    scales, numbers = by.uniform(0.01, 0.1, (6, 2, 1)).astype(np.float16), by.integers(0, 256, (6, 2, 16), np.uint8)
    result = q4_0(torch.from_numpy(np.concatenate((scales.view(np.uint8), numbers), 2))).dense()
    wanted = (np.concatenate((numbers & 15, numbers >> 4), 2) - 8.0) * scales
    assert np.array_equal(result.numpy(), wanted.reshape(6, 64).astype(np.float32))
    arrays, weights = drawn("gptq", 8, 32, 16, by)
    result = groups_of(tensors(arrays), 8, 32, "w", zeros_less_one=False).dense().numpy()
    more = np.repeat(arrays["scales"].T.astype(np.float64), 16, 1)
    assert np.allclose(result, weights + more, atol=1e-6)


def quantized(model: Any, kind: str, group: int) -> tuple[dict[str, Any], Any]:
    """A checkpoint of the model with matrices of `kind`, and the model with the weights that they stand for."""
    by, wanted = np.random.default_rng(1), copy.deepcopy(model)
    arrays = dict[str, Any]()
    places = np.arange(model.config.hidden_size) // group
    for name, parameter in wanted.named_parameters():
        if not name.endswith("_proj.weight"):
            arrays[f"model.{name}"] = parameter.detach().numpy()
            continue
        parts, weight = drawn(kind, *parameter.shape, group, by)
        if kind == "gptq, ordered" and ".down_proj" not in name and ".o_proj" not in name:
            plain, _ = drawn("gptq", *parameter.shape, group, np.random.default_rng(len(arrays)))
            order = np.random.default_rng(7).permutation(places)
            parts = {**plain, "g_idx": order.astype(np.int32)}
            weight = groups_of(tensors(parts), *parameter.shape, name).dense().numpy()
        arrays |= {f"model.{name.removesuffix('.weight')}{a}": array for a, array in (("." + n, p) for n, p in parts.items())}
        parameter.data = torch.from_numpy(weight.astype(np.float32))
    return arrays, wanted


class Whole(torch.nn.Module):
    """A model with its decoder below `model`, as transformers has it."""

    def __init__(self, decoder: Any) -> None:
        super().__init__()
        self.config, self.model, self.lm_head = decoder.config, decoder, decoder.lm_head

    def forward(self, tokens: Any) -> Any:
        return self.model(tokens)


def write(path: Path, arrays: dict[str, Any]) -> None:
    """A safetensors file."""
    header, data = dict[str, Any](), b""
    for name, array in arrays.items():
        own = np.ascontiguousarray(array).tobytes()
        place = [len(data), len(data) + len(own)]
        header[name] = {"dtype": NAMES[array.dtype], "shape": array.shape, "data_offsets": place}
        data += own
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


@pytest.mark.parametrize("kind", ["awq", "gptq, ordered"])
def test_a_model_has_a_checkpoints_numbers(kind: str, tmp_path: Path) -> None:
    model = decoders.made(decoders.Config(hidden_size=64, num_hidden_layers=1, intermediate_size=96))
    arrays, wanted = quantized(model, kind, 16)
    arrays["model.layers.0.self_attn.q_proj.bias"] = np.zeros(128, np.float32)
    write(tmp_path / "model.safetensors", arrays)
    filled, checkpoint = with_weights(Whole(model), read_safetensors(tmp_path))
    with torch.no_grad():
        assert torch.allclose(filled(torch.tensor([[3, 5]])), wanted(torch.tensor([[3, 5]])), atol=1e-5)
    weights = read(filled).packed("int4", 8, checkpoint)
    programs = {key: e.module for key, e in pieces(weights.form, "int4", 8, 6, 8).items()}
    assert set(weights.layers[0].orders) == (set() if kind == "awq" else {"qkv", "o", "gate_up", "down"})
    run = LanguageModel(weights, "cpu", 8, 6, "int4", 8, programs)
    rounded = copy.deepcopy(wanted)
    rounded.lm_head.weight.data = dense(weights.head)
    logits = run.prefill([3, 17, 5]), run.step(9)
    for tokens, one in zip(([3, 17, 5], [3, 17, 5, 9]), logits, strict=True):
        with torch.no_grad():
            exact = rounded.double()(torch.tensor([tokens]))[0, -1].numpy()
        assert np.abs(one - exact).max() / np.abs(exact).max() < 0.03


@pytest.mark.parametrize("kind", ["int8", "float8_e4m3fn of rows", "float8_e5m2 of blocks"])
def test_a_model_has_the_bytes_of_a_checkpoint(kind: str) -> None:
    torch.manual_seed(0)
    model = decoders.made(decoders.Config(hidden_size=64, num_hidden_layers=1, intermediate_size=96))
    wanted, held = copy.deepcopy(model).double(), dict(model.named_parameters())
    for name, parameter in wanted.named_parameters():
        if name.endswith("_proj.weight"):
            rows, columns = parameter.shape
            scale = torch.rand(rows, 1) * 0.01 + 0.001
            bytes_ = torch.randint(-127, 128, (rows, columns), dtype=torch.int8)
            if kind != "int8":
                bytes_ = (bytes_ / 16).to(getattr(torch, kind.split()[0]))
            whole = scale
            if "blocks" in kind:
                scale = torch.rand(-(-rows // 64), -(-columns // 64)) * 0.01
                whole = scale.repeat_interleave(64, 0)[:rows].repeat_interleave(64, 1)[:, :columns]
            held |= {name: bytes_, name + ("_scale_inv" if "blocks" in kind else "_scale"): scale}
            parameter.data = bytes_.double() * whole.double()
    filled, checkpoint = with_weights(Whole(model), {f"model.{n}": t for n, t in held.items()})
    weights = read(filled).packed("int8", 16, checkpoint if kind == "int8" else None)
    if kind != "int8":
        assert not checkpoint.matrices
        weights = read(filled)
    assert torch.equal(dense(weights.layers[0].o), wanted.layers[0].self_attn.o_proj.weight.float())
    gates = dense(weights.layers[0].gate_up)[:96]
    assert torch.equal(gates, wanted.layers[0].mlp.gate_proj.weight.float())
    assert kind != "int8" or torch.equal(weights.layers[0].gate_up[0][:96], held["layers.0.mlp.gate_proj.weight"])
    with pytest.raises(ArgumentError, match=r"o_proj: '(weight_scale|weight_scale_inv)' is \[3, 7, 1\]"):
        name = "layers.0.self_attn.o_proj.weight_scale" + ("_inv" if "blocks" in kind else "")
        with_weights(Whole(model), {f"model.{n}": t for n, t in {**held, name: torch.ones(3, 7, 1)}.items()})
    bare = {f"model.{n}": t for n, t in held.items() if "scale" not in n}
    with pytest.raises(ArgumentError, match=f"of {kind.split()[0]} without a scale"):
        with_weights(Whole(model), bare)
    if "blocks" in kind:
        with pytest.raises(ArgumentError, match=r"blocks? of 128 by 128; the entry weight_block_size"):
            with_weights(Whole(model), {f"model.{n}": t for n, t in held.items()}, {"weight_block_size": [128, 128]})


@pytest.mark.slow
def test_awq_on_the_array_speaks_as_pytorch_does(tmp_path: Path) -> None:
    model = decoders.made(decoders.Config(num_hidden_layers=1))
    arrays, _ = quantized(model, "awq", 32)
    write(tmp_path / "model.safetensors", arrays)
    result = allo_air.llm.compile(Whole(model), context=16, prompt=8, weights="int4", group=32, checkpoint=tmp_path)
    filled, _ = with_weights(Whole(model), read_safetensors(tmp_path))
    filled.lm_head.weight.data = dense(result.weights.head)
    assert result.generate([3, 17, 5], 4) == decoders.spoken(filled, [3, 17, 5], 4)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    arrays, _ = drawn("gptq", 24, 64, 16, np.random.default_rng(0))
    held = tensors(arrays)
    with pytest.raises(ArgumentError, match=r"w: 'qweight' is \[8, 24\] of int32; four bits for \[24, 80\] are \[10, 24\] or"):
        groups_of(held, 24, 80, "w")
    with pytest.raises(ArgumentError, match=r"'g_idx' does not give each of 4 groups 16 of 64 columns"):
        groups_of({**held, "g_idx": torch.zeros(64, dtype=torch.int32)}, 24, 64, "w")
    model = Whole(decoders.made())
    with pytest.raises(ArgumentError, match=r"the checkpoint has 'model.foo', which Whole has not"):
        with_weights(model, {"model.foo": torch.ones(3)})
    with pytest.raises(ArgumentError, match=r"the checkpoint has no 'model.embed_tokens.weight'"):
        with_weights(model, {})
    with pytest.raises(ArgumentError, match=r"weights of 8 bits"):
        with_weights(model, {}, {"bits": 8})
    with pytest.raises(ArgumentError, match=r"checkpoint is 3, expected a path, or tensors by name or None"):
        allo_air.llm.compile(model, checkpoint=3)
    (tmp_path / "a.safetensors").write_bytes(b"\x09" + b"\0" * 20)
    with pytest.raises(ArgumentError, match=r"a.safetensors is not a safetensors file"):
        allo_air.llm.compile(model, checkpoint=tmp_path / "a.safetensors")
    with pytest.raises(ArgumentError, match=r"there is no safetensors file"):
        read_safetensors(tmp_path / "b.safetensors")


@pytest.mark.parametrize(
    ("kind", "part", "size", "text"),
    [
        ("gptq", "scales", (0, 24), r"'scales' and 'qzeros' are \[0, 24\] of float16 and \[4, 3\] of int32 for \[24, 64\]"),
        ("awq", "scales", (), r"'scales' and 'qzeros' are \[\] of float16"),
        ("gptq", "qzeros", (4, 3), r"'qzeros' are \[4, 24\] of float16 and \[4, 3\] of float16"),
        ("compressed", "weight_scale", (24,), r"'weight_scale' is \[24\] of float16, which does not fit \[24, 64\]"),
        ("compressed", "weight_scale", (4, 24), r"'weight_scale' is \[4, 24\]"),
        ("compressed", "weight_scale", (24, 3), r"'weight_scale' is \[24, 3\]"),
        ("compressed", "weight_zero_point", (3, 4), r"'weight_zero_point' is \[3, 4\] of float16"),
    ],
)
def test_parts_that_do_not_fit_are_named(kind: str, part: str, size: tuple[int, ...], text: str) -> None:
    arrays, _ = drawn(kind, 24, 64, 16, np.random.default_rng(0))
    with pytest.raises(ArgumentError, match=text):
        groups_of({**tensors(arrays), part: torch.ones(size, dtype=torch.float16)}, 24, 64, "w")


@pytest.mark.parametrize(("shape", "place"), [([2, 2], [0, 0]), ([2, 2], [-16, 0]), ([-1, 2], [0, 16]), ([3, 2], [0, 16])])
def test_a_tensor_has_the_bytes_of_its_shape(shape: list[int], place: list[int], tmp_path: Path) -> None:
    text = json.dumps({"a": {"dtype": "F32", "shape": shape, "data_offsets": place}}).encode()
    file = tmp_path / "a.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + bytes(16))
    with pytest.raises(ArgumentError, match=r"a.safetensors is not a safetensors file, or is not whole: .* cannot be bytes"):
        read_safetensors(file)
