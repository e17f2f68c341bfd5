"""Causal language models: prompts and tokens on the simulator against PyTorch, weights of few bits, estimates, errors."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import allo_air  # noqa: E402
import allo_air.llm  # noqa: E402
from allo_air.errors import AlloAirError, ArgumentError, OptionError, UnknownNameError  # noqa: E402
from allo_air.importers.torch_arrays import array_of  # noqa: E402
from allo_air.llm import attention, int4  # noqa: E402
from allo_air.llm.cached_attention import cached_attention  # noqa: E402
from allo_air.llm.checked import check_form  # noqa: E402
from allo_air.llm.decoding import _operations_text, arrangement, is_one_design, token_design  # noqa: E402
from allo_air.llm.examples import examples  # noqa: E402
from allo_air.llm.int4 import Nibbles  # noqa: E402
from allo_air.llm.model import LanguageModel, pieces  # noqa: E402
from allo_air.llm.one_dispatch import microseconds, several, token_steps  # noqa: E402
from allo_air.llm.pieces import WholeProduct  # noqa: E402
from allo_air.llm.planes import columns_of  # noqa: E402
from allo_air.llm.predicted import BETWEEN, Estimate, Pass, Row, _repeated, _without_repeated_loads  # noqa: E402
from allo_air.llm.quantized import dense, packed  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402
from allo_air.llm.steps import Steps, zero_vectors  # noqa: E402
from allo_air.llm.stitched import MOST_STRIDE, Place, at_offsets  # noqa: E402
from allo_air.llm.streaming import Arrangement  # noqa: E402
from allo_air.llm.token_sequence import token_sequence  # noqa: E402
from allo_air.llm.whole import Bytes, Floats  # noqa: E402
from allo_air.sim.cores.kernels import given_kernels, shared_kernels  # noqa: E402
from test.e2e.models import decoders  # noqa: E402

PROMPT = [3, 17, 5, 30, 22]


def exact(model: Any, tokens: list[int]) -> Any:
    """Logits after `tokens` in float64."""
    with torch.no_grad():
        return copy.deepcopy(model).double()(torch.tensor([tokens]))[0, -1].numpy()


def far(found: Any, wanted: Any) -> float:
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def rounded(model: Any, made: Any) -> Any:
    """`model` with the weights that `made` has rounded."""
    found = copy.deepcopy(model)
    for layer, held in zip(found.layers, made.weights.layers, strict=True):
        layer.mlp.down_proj.weight.data = dense(held.down)
        layer.mlp.gate_proj.weight.data, layer.mlp.up_proj.weight.data = dense(held.gate_up).chunk(2)
        layer.self_attn.o_proj.weight.data = dense(held.o)
        sizes = [made.form.heads * made.form.head, *[made.form.kv_heads * made.form.head] * 2]
        for name, part in zip("qkv", dense(held.qkv).split(sizes), strict=True):
            getattr(layer.self_attn, f"{name}_proj").weight.data = part
    found.lm_head.weight.data = dense(made.weights.head)
    return found


SMALL = decoders.Config(32, 1, 2, 1, 16, 64, 32)


def test_int8_with_a_window_soft_caps_and_norms_behind_blocks() -> None:
    config = replace(SMALL, sliding_window=3, attn_logit_softcapping=2.0, final_logit_softcapping=3.0)
    model = decoders.made(config, after=True)
    made = allo_air.llm.compile(model, context=8, prompt=6, weights="int8")
    wanted = rounded(model, made)
    assert far(made.prefill(PROMPT), exact(wanted, PROMPT)) < 1e-4
    assert far(made.step(9), exact(wanted, [*PROMPT, 9])) < 1e-4


@pytest.mark.parametrize("variant", ["joined", "offset"])
def test_the_pieces_compute_what_joined_matrices_and_norms_of_an_offset_do(variant: str) -> None:
    gemma = replace(SMALL, model_type="gemma", embedding_multiplier=5.0, attention_multiplier=0.4)
    model = decoders.made(SMALL if variant == "joined" else gemma)
    if variant == "joined":
        model.layers[0].mlp = decoders.Joined(SMALL)
    for norm in (m for m in model.modules() if isinstance(m, decoders.Norm)):
        norm.offset = int(variant == "offset")
    weights = read(model)
    made = {key: e.module for key, e in pieces(weights.form, "dense", 16, 6, 8).items()}
    run = LanguageModel(weights, "cpu", 8, 6, "dense", 16, made).layer_outputs
    check_form(model, weights, run, 6)


class Angles(torch.nn.Module):
    """A module that rotates by the same angle everywhere."""

    def __init__(self, angle: float) -> None:
        super().__init__()
        self.angle = angle

    def forward(self, x: Any, positions: Any) -> tuple[Any, Any]:
        angles = torch.full((1, positions.shape[-1], 16), self.angle)
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


def test_layers_with_windows_may_rotate_by_a_module_of_their_own() -> None:
    model = decoders.made(replace(SMALL, sliding_window=3))
    model.rotary_emb, model.rotary_emb_local = Angles(0.0), Angles(1.0)
    weights = read(model)
    sines = [weights.angles(torch.arange(4), (window, True))[1] for window in (0, 3)]
    assert not sines[0].any() and float(sines[1].min()) > 0.8


def test_a_window_that_the_model_has_not_is_found() -> None:
    model = decoders.made(SMALL)
    model.config = replace(SMALL, sliding_window=6)
    with pytest.raises(AlloAirError, match=r"layers\[0\] \(Layer\): results are not those of the form.*for 8 tokens"):
        allo_air.llm.compile(model, context=16)


@pytest.mark.slow
def test_four_bits_speak_as_pytorch_does_with_the_same_weights() -> None:
    model = decoders.talkative(decoders.made())
    made = allo_air.llm.compile(model, device="npu2", context=20, prompt=8, weights="int4", group=32)
    wanted = rounded(model, made)
    tokens = made.generate(PROMPT, 16)
    assert tokens == decoders.spoken(wanted, PROMPT, 16) and len(set(tokens)) >= 8
    assert far(made.prefill(PROMPT), exact(wanted, PROMPT)) < 1e-5
    assert far(made.step(9), exact(wanted, [*PROMPT, 9])) < 1e-5
    made.length = 0
    with pytest.raises(ArgumentError, match="call prefill first"):
        made.step(1)
    with pytest.raises(ArgumentError, match="the prompt has 9 tokens; this model is compiled for 1 to 8"):
        made.prefill([1] * 9)
    with pytest.raises(ArgumentError, match="token 64 is none of the 64"):
        made.prefill([64])
    with pytest.raises(OptionError, match="do not fit into a cache of 20"):
        made.generate([1, 2], 20)
    assert made.generate([1, 2], 0) == []


@pytest.mark.slow
def test_bf16_with_biases_head_norms_and_a_part_rotated() -> None:
    config = decoders.Config(num_hidden_layers=1, partial_rotary_factor=0.5)
    model = decoders.made(config, bias=True, head_norms=True).bfloat16()
    made = allo_air.llm.compile(model, device="npu1", context=16, prompt=8)
    assert far(made.prefill(PROMPT), exact(model, PROMPT)) < 0.03
    assert far(made.step(9), exact(model, [*PROMPT, 9])) < 0.03
    assert str(made.estimate()).count("bound") == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Llama", "Mistral", "Qwen2", "Qwen3", "Gemma2", "Gemma3", "Phi3"])
def test_models_of_transformers(kind: str) -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {**vars(decoders.Config()), "max_position_embeddings": 64, "initializer_range": 0.2, "pad_token_id": 0}
    del sizes["model_type"], sizes["hidden_act"], sizes["rope_theta"], sizes["partial_rotary_factor"]
    if kind in ("Mistral", "Gemma2", "Gemma3"):
        sizes["sliding_window"] = 4
    name = "Gemma3Text" if kind == "Gemma3" else kind
    model = getattr(transformers, f"{kind}ForCausalLM")(getattr(transformers, f"{name}Config")(**sizes)).eval()
    made = allo_air.llm.compile(model, context=16, prompt=8)
    tokens = list(PROMPT)
    with torch.no_grad():
        for _ in range(4):
            tokens.append(int(model(torch.tensor([tokens])).logits[0, -1].argmax()))
    assert made.generate(PROMPT, 4) == tokens[len(PROMPT) :]


def test_numbers_of_four_bits_are_what_they_stand_for() -> None:
    torch.manual_seed(0)
    weight = torch.randn(24, 64)
    for kind, most in (("dense", 0.0), ("int8", 0.01), ("int4", 0.1)):
        found = dense(packed(weight, kind, 16, "w"))
        assert float((found - weight).abs().max() / weight.abs().max()) <= most


@pytest.mark.parametrize(
    ("device", "kind", "rows", "columns", "at_once"),
    [
        ("npu2", Nibbles, 40, 256, 128),
        ("npu1", Nibbles, 300, 96, 64),
        ("npu2", Bytes, 300, 100, 64),
        ("npu1", Bytes, 40, 96, 96),
        ("npu2", Floats, 40, 100, 64),
        ("npu1", Floats, 300, 64, 32),
    ],
)
def test_cores_multiply_a_row(device: str, kind: type[Arrangement], rows: int, columns: int, at_once: int) -> None:
    torch.manual_seed(0)
    weight, row, order = torch.randn(rows, columns).bfloat16(), torch.randn(1, columns).bfloat16(), kind(device, 32, at_once, 2)
    held = packed(weight, {Nibbles: "int4", Bytes: "int8", Floats: "dense"}[kind], 32, "w")
    made = allo_air.compile(order.text(rows, columns), device=device, kernels={order.name: order.kernel()})
    sums = order.sums(torch.from_numpy(made(array_of(order.weights(held)), array_of(order.row(row)))), row, held)
    wanted = (row.double() @ dense(held).double().T)[0]
    assert float((sums - wanted).abs().max() / wanted.abs().max()) < 1e-6


@pytest.mark.parametrize(
    ("device", "columns", "heads", "queries", "head", "context", "seen"),
    [("npu2", 2, 2, 4, 64, 600, (3, 500)), ("npu1", 1, 8, 2, 128, 70, (0, 40))],
)
def test_cores_attend(
    device: str, columns: int, heads: int, queries: int, head: int, context: int, seen: tuple[int, int]
) -> None:
    torch.manual_seed(0)
    order = attention.Attention(device, columns, heads, queries, head, context, head**-0.5)
    made = allo_air.compile(order.text(), device=device, kernels={attention.NAME: order.kernel()})
    q, keys, values = (torch.randn(n, r, head).bfloat16() for n, r in ((heads * queries, 1), *[(heads, context)] * 2))
    [cache], (begin, end) = order.cache(1), seen
    order.add(cache, 0, keys[:, :5], values[:, :5])
    order.add(cache, 5, keys[:, 5:], values[:, 5:])
    order.ask(cache, q, begin, end)
    found = order.joined(torch.from_numpy(made(array_of(cache))))
    q, keys, values = q.reshape(heads, queries, head).double(), keys[:, begin:end].double(), values[:, begin:end].double()
    wanted = (torch.softmax(q @ keys.transpose(1, 2) * head**-0.5, -1) @ values).reshape(1, -1)
    assert float((found - wanted).abs().max() / wanted.abs().max()) < 0.004


def test_a_long_cache_comes_in_few_transfers() -> None:
    order = attention.Attention("npu2", 1, 4, 1, 128, 8192, 128**-0.5)
    assert order.chunks + 1 == 5 * 52
    made = allo_air.compile(order.text(), device="npu2_1col", kernels={attention.NAME: order.kernel()})
    assert made.lowered.text.count("aiex.dma_start_task") <= 4


def test_pieces_of_a_token_are_sequences_of_one_design(monkeypatch: pytest.MonkeyPatch) -> None:
    form = allo_air.llm.form_of(vars(decoders.Config(num_hidden_layers=1)))
    tokens = examples(form, "int4", 32, 1, 64)
    made = token_design(form, "int4", 32, 64, "npu1", True)
    assert made.text.count("aie.device") == 1 and made.text.count("aie.runtime_sequence") == len(tokens) == 6
    one, other = (made.piece(e) for e in tokens if e.name in ("attend", "head"))
    assert one.configuration == other.configuration and not one.program.estimate().reconfigurations
    assert made.order.wide + made.attend.columns == 4 and token_steps(form, "int8", 32, 64, "npu1") is None
    found = token_steps(form, "int4", 32, 64, "npu1")
    assert found is not None and found.order.wide == found.attend.columns == 3
    steps, size = replace(found, layers=5), found.weight_bytes("gated")
    assert steps.banks("gated") == [("gated", range(5))] and steps.place("gated", 3) == ("gated", 3 * size)
    monkeypatch.setattr("allo_air.llm.steps.MOST_BYTES", 2 * size + 1)
    assert steps.banks("gated") == [("gated", range(2)), ("gated1", range(2, 4)), ("gated2", range(4, 5))]
    assert steps.place("gated", 3) == ("gated1", size)
    monkeypatch.setattr("allo_air.llm.steps.MOST_BYTES", size)
    assert not steps.fits
    assert is_one_design(form, "int8", 32, "npu1") and not is_one_design(form, "int4", 24, "npu1")


def test_what_prevents_one_dispatch_is_told() -> None:
    form = allo_air.llm.form_of({**vars(decoders.Config(num_hidden_layers=1)), "dtype": "bfloat16"})
    changes: dict[str, Any] = {
        "": {},
        "norms subtract the mean, the feed-forward has no gate": {"centered": True, "gate": False},
        "experts are chosen on the host": {"experts": 4, "chosen": 2},
        "scores have soft caps": {"cap": 50.0},
        "scores have slopes": {"alibi": True},
        "16 elements of a head are rotated, not a multiple of 32": {"rotary": 16},
        "heads have 24 elements, and 2 share a key": {"head": 24},
        "the model computes in float32": {"dtype": "float32"},
        "the activation is relu, not silu or gelu_tanh": {"activation": "relu"},
    }
    for reason, change in changes.items():
        changed = replace(form, **change)
        assert ", ".join(several(changed, "int4", 32, 64, "npu1")) == reason
        assert (token_steps(changed, "int4", 32, 64, "npu1") is None) == bool(reason)
    assert several(form, "int8", 32, 64, "npu1") == ["weights are int8"]
    assert several(form, "int4", 24, 64, "npu1") == ["groups of 24 weights are not a multiple of 16 up to 512"]
    estimate = Estimate(form, "npu1", "int8", (), (), 0, several=("weights are int8",))
    assert "a token takes several dispatches: weights are int8" in str(estimate)


@pytest.mark.slow
def test_weights_of_a_product_arrive_while_another_is_computed() -> None:
    form = allo_air.llm.form_of(vars(decoders.Config(num_hidden_layers=1, hidden_size=256, intermediate_size=512)))
    steps = token_steps(form, "int4", 32, 64, "npu1")
    assert steps is not None
    with shared_kernels():
        times = microseconds(steps, "scheduled", None)
    pieces = sum(times[n] for n in ("project", "attend", "output", "gated", "down"))
    assert 0 < pieces < times["layer"] and times["head"] > 0 and 0 < times["once"] < times["layer"]


@pytest.mark.parametrize(("heads", "context", "groups"), [(8, 2048, 6), (6, 100, 4), (32, 8192, 6 * 4), (3, 20, 1)])
def test_a_cache_is_divided_among_the_cores_of_all_columns(heads: int, context: int, groups: int) -> None:
    form = replace(allo_air.llm.form_of(vars(decoders.Config())), heads=heads, kv_heads=heads, head=32)
    order = cached_attention("npu2", 7, form, context, 4096)
    assert (
        order.groups == groups == sum(map(order.launches_of, range(7))) and order.chunks * order.keys * order.parts >= context
    )
    [cache], position = order.cache(1), context - 1
    keys, values = torch.randn(2, heads, context, 32).bfloat16()
    order.add(cache, 0, keys, values)
    flat, (key, value) = cache.reshape(-1), Steps(form, Nibbles("npu2", 32, 128, 7), order, 1).scalars(position)
    for h in range(heads):
        begin = order.offset(order.core(h, 0))
        own = flat[begin + key :].unfold(0, 2, 2 * order.keys)[:16].reshape(-1)
        assert torch.equal(own, keys[h, -1]) and torch.equal(flat[begin + value :][:32], values[h, -1])


@pytest.mark.parametrize(("hidden", "heads", "kv_heads", "inner"), [(3584, 28, 4, 18944), (2048, 16, 2, 11008)])
def test_many_queries_of_a_key_are_one_dispatch(hidden: int, heads: int, kv_heads: int, inner: int) -> None:
    qwen = {
        "model_type": "qwen2",
        "num_hidden_layers": 2,
        "vocab_size": 152064,
        "hidden_size": hidden,
        "intermediate_size": inner,
    }
    form = allo_air.llm.form_of({**qwen, "num_attention_heads": heads, "num_key_value_heads": kv_heads})
    steps = token_steps(form, "int4", 64, 2048, "npu2")
    assert steps is not None and steps.between.has_long_chunks
    sequence, _, _ = token_sequence(replace(steps, layers=1), [zero_vectors(form)], np.zeros(hidden, np.float32))
    rows = re.findall(r"x(\w+)> offset = \S+ len = \d+ sizes = \[[^\]]*?(\d+)\]", sequence)
    assert {k for k, _ in rows} == {"f32", "bf16"} and all(int(n) <= 1023 * (1 + (k == "bf16")) for k, n in rows)


def test_transfers_of_regular_distances_are_one() -> None:
    place = Place("cache", 4, (8, 2), (64, 1))
    assert at_offsets(place, [0, 10, 100, 110]) == [Place("cache", 4, (2, 2, 8, 2), (100, 10, 64, 1))]
    assert at_offsets(place, [0, 10, 30, 34]) == [
        Place("cache", 4, (2, 8, 2), (10, 64, 1)),
        Place("cache", 34, (2, 8, 2), (4, 64, 1)),
    ]
    assert Place("sums", 0, (3, 1280), (2000, 1)).in_rows(1) == Place("sums", 0, (3, 2, 640), (2000, 640, 1))
    far = [0, 2 * MOST_STRIDE + 2]
    assert [p.offset for p in at_offsets(place, far)] == [4, 4 + far[1]]


def test_predictions_share_what_is_compiled() -> None:
    order = Nibbles("npu2", 32, 64, 2)
    with shared_kernels():
        first, again = (given_kernels({order.name: order.kernel()}, "AIE2p")[order.name] for _ in range(2))
        assert first is again is not given_kernels({order.name: replace(order, rows=32).kernel()}, "AIE2p")[order.name]
    assert given_kernels({order.name: order.kernel()}, "AIE2p")[order.name] is not first


def test_merged_designs_lose_no_attribute_that_a_module_names_in_front() -> None:
    text = '#one = 1 : i32\n#both = [#one]\nmodule {\n  "a.b"() {some = #both, more = #one_of} : () -> ()\n}\n'
    assert _operations_text(text) == '  "a.b"() {some = [1 : i32], more = #one_of} : () -> ()\n'


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["int8", "int4"])
def test_one_design_speaks_as_pytorch_does_but_for_roundings(weights: str) -> None:
    config, options = decoders.Config(num_hidden_layers=1, sliding_window=6, model_type="mistral"), {}
    if weights == "int4":
        options = {"after": True, "bias": True, "head_norms": True}
    model = decoders.talkative(decoders.made(config, **options)).bfloat16()
    made = allo_air.llm.compile(model, device="npu1", context=16, prompt=8, weights=weights, group=32)
    assert (("token", True) in made.programs) == (weights == "int4")
    wanted = rounded(model, made).float()
    tokens = made.generate(PROMPT, 8)
    assert len(set(tokens)) >= 6
    for count, token in enumerate(tokens):
        logits = exact(wanted, PROMPT + tokens[:count])
        assert logits.max() - logits[token] < 0.04 * np.abs(logits).max()
    assert far(made.prefill(PROMPT), exact(wanted, PROMPT)) < 0.02
    assert far(made.step(9), exact(wanted, [*PROMPT, 9])) < 0.02


def test_products_of_a_model_share_columns_that_pad_little() -> None:
    llama = [(3072, 2048), (2048, 2048), (16384, 2048), (2048, 8192)]
    assert arrangement("npu2", "int4", 64, llama).columns == 2048
    qwen = [(1152, 896), (896, 896), (9728, 896), (896, 4864)]
    assert arrangement("npu1", "int4", 64, qwen).columns == 448
    assert not int4.is_supported(24)


def test_whole_numbers_of_a_row_multiply_as_its_floats_do() -> None:
    torch.manual_seed(0)
    weight, row, bias = torch.randn(24, 64), torch.randn(1, 64), (torch.randn(24),)
    row[0, 5], row[0, 7] = 900.0, 0.0
    held, form = packed(weight, "int8", 16, "w"), allo_air.llm.form_of(vars(SMALL))
    for given, columns in ((row, 64), (torch.zeros(1, 64), 64), (-row, 32), (row, 16)):
        product = WholeProduct(form, columns)
        wanted = given.double() @ dense(held).double().T + bias[0].double()
        found = product.finish(product(*product.core_inputs(given, held)), given, held, bias)
        least = 1e-5 if columns > 16 else 1e-3
        assert float((found - wanted).abs().max()) < least * max(1.0, float(wanted.abs().max()))
    assert [columns_of(form, n * form.hidden) for n in (1, 3, 4, 5)] == [form.hidden] * 3 + [5 * form.hidden]


def test_a_piece_does_not_load_what_the_one_before_has_loaded() -> None:
    names = {"project": "a", "attend": "b", "output": "a", "gated": "a", "down": "", "head": "c"}
    rows = [Row(name, 2, 10.0, loads=1, configuration=held) for name, held in names.items()]
    assert [r.loads for r in _without_repeated_loads(rows)] == [1, 1, 1, 0, 1, 1]
    rows[4] = replace(rows[4], configuration="a")
    assert [r.loads for r in _without_repeated_loads(rows)] == [0, 1, 1, 0, 0, 1]


def test_a_picture_shows_where_a_tokens_time_goes(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = (Row("project", 2, 10.0), Row("attend", 2, 5.0), Row("head", 1, 7.0, loads=1), Row("the host", 2, host=3.0))
    one = Pass(1024, rows, 100.0)
    assert one.parts == {"weights": 27.0, "cache": 10.0, "launches": one.launches, "loads": 100.0, "the host": 6.0}
    assert sum(one.parts.values()) == pytest.approx(one.microseconds)
    overlapped = replace(one, rows=(*rows, Row(BETWEEN, 2, -4.0)))
    assert overlapped.parts["weights"] == 19.0 and overlapped.parts[BETWEEN] == 0
    assert sum(overlapped.parts.values()) == pytest.approx(overlapped.microseconds)
    item = Estimate(allo_air.llm.form_of(vars(SMALL)), "npu2", "int4", (), (one, replace(one, context=8192)), 0)
    item.plot(tmp_path / "tokens.svg")
    assert "<svg" in (tmp_path / "tokens.svg").read_text()
    with pytest.raises(AlloAirError, match="cannot write"):
        item.plot(tmp_path / "none" / "tokens.svg")


def test_attention_counts_the_parts_that_hold_its_keys() -> None:
    form = allo_air.llm.form_of({**vars(SMALL), "num_hidden_layers": 3, "layer_types": ["full_attention"] * 3})
    form = replace(form, windows=(0, 4, 20))
    times = {e.name: _repeated(e, 8, 4) for e in examples(form, "dense", 16, 8, 32)}
    products = dict.fromkeys(["norm", "project", "output", "gated", "down"], 4)
    assert times == products | {"attend": 10, "attend 4": 7, "attend 20": 10, "head": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layer_types": ["full_attention"]}, "layer_types has 1 entry, expected one for each of the 2 layers"),
        ({"head_dim": "32"}, "head_dim is '32', expected a whole number"),
        ({"num_key_value_heads": "2"}, "num_key_value_heads is '2', expected a whole number"),
        ({"rms_norm_eps": "x"}, "rms_norm_eps is 'x', expected a number above 0"),
        ({"dtype": "auto"}, "dtype is 'auto', expected bfloat16 or float32"),
        ({"dtype": "float16"}, "dtype is 'float16', expected bfloat16 or float32"),
        ({"head_dim": None, "num_attention_heads": 5, "num_key_value_heads": 5}, "128 is not divisible by 5 heads"),
    ],
)
def test_configurations_that_are_wrong_are_told(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        allo_air.llm.estimate({**vars(decoders.Config()), **change})


def test_a_configuration_wins_over_its_type_and_defaults_fill_what_it_leaves_out() -> None:
    sizes = {"hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 2, "vocab_size": 64, "intermediate_size": 128}
    form = allo_air.llm.form_of({**sizes, "model_type": "gpt_neox"})
    assert (form.rotary, form.parallel, form.activation, form.qkv_bias) == (8, True, "gelu", True)
    said = {"rotary_pct": 1.0, "use_parallel_residual": False, "hidden_act": "relu", "attention_bias": False}
    form = allo_air.llm.form_of({**sizes, "model_type": "gpt_neox", **said})
    assert (form.rotary, form.parallel, form.activation) == (32, False, "relu")
    assert (form.qkv_bias, form.out_bias, form.inner_bias) == (False, False, True)
    assert allo_air.llm.form_of({**sizes, "model_type": "gpt2", "activation_function": "relu"}).activation == "relu"
    assert allo_air.llm.form_of({**sizes, "model_type": "llama", "mlp_bias": True}).down_bias


def test_layers_without_rotary_positions() -> None:
    sizes = vars(decoders.Config())
    assert allo_air.llm.form_of({**sizes, "no_rope_layers": [1, 1]}) == allo_air.llm.form_of(sizes)
    assert allo_air.llm.form_of({**sizes, "no_rope_layers": [1, 0]}).rotated == (True, False)
    form = allo_air.llm.form_of({**sizes, "model_type": "smollm3", "num_hidden_layers": 4})
    assert form.rotated == (True, True, True, False)
    assert allo_air.llm.form_of({**sizes, "no_rope_layer_interval": 2}).rotated == (True, False)
    with pytest.raises(ArgumentError, match=r"no_rope_layers has 1 entry for 2 layers"):
        allo_air.llm.form_of({**sizes, "no_rope_layers": [0]})


def test_windows_of_qwen() -> None:
    sizes = {**vars(decoders.Config()), "model_type": "qwen2", "sliding_window": 4, "max_window_layers": 1}
    assert allo_air.llm.form_of({**sizes, "use_sliding_window": True}).windows == (0, 4)
    assert allo_air.llm.form_of(sizes).windows == (0, 0)


def test_blocks_of_floats_where_there_are_none() -> None:
    config = vars(decoders.Config())
    with pytest.raises(OptionError, match="npu1 has no products of block floating point"):
        allo_air.llm.estimate(config, 16, device="npu1", bfp16=True)
    with pytest.raises(OptionError, match="the model is of float32"):
        allo_air.llm.compile(decoders.made(SMALL), context=8, bfp16=True)


def test_arguments_of_a_model() -> None:
    weights = read(decoders.made(SMALL).bfloat16())
    made = LanguageModel(weights, "npu2", 8, 6, "dense", 16, {}, bfp16=True)
    for tokens in ([1.9], "ab", None, torch.zeros(1, 3, dtype=torch.int64), [True]):
        with pytest.raises(ArgumentError, match="expected"):
            made.prefill(tokens)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"new_tokens is 2.5, expected a whole number"):
        made.generate([1], 2.5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected numbers of tokens from 2"):
        made.estimate([0])
    with pytest.raises(UnknownNameError, match="foo"):
        made.estimate(device="foo")
    with pytest.raises(UnknownNameError, match="int3"):
        made.estimate(weights="int3")
    with pytest.raises(ArgumentError, match="foo"):
        made.estimate(foo=1)
    with pytest.raises(OptionError, match="npu1 has no products of block"):
        made.estimate(device="npu1")


@pytest.mark.slow
def test_estimates_of_a_configuration() -> None:
    sizes = {**vars(decoders.Config()), "vocab_size": 512}
    found = allo_air.llm.estimate(sizes, 64, weights="int8")
    assert found.tokens[0].whole and found.prompts[0].whole
    assert 0 < found.tokens[0].kernels < found.tokens[0].microseconds
    assert {r.name for r in found.tokens[0].rows} == {"project", "attend", "output", "gated", "down", "head", "the host"}
    assert found.prompts[0].host == 0 < found.tokens[0].host
    assert found.tokens[0].kernels == sum(r.kernels * r.times for r in found.tokens[0].rows if r.name != "the host")
    assert found.cache_bytes == {64: 2 * 2 * 64 * (32 + 8 + 32) * 2}
    assert found.as_dict()["tokens"][0]["context"] == 64
    assert "predicted" in str(found)


class Shifted(decoders.Layer):
    """A layer that does something else."""

    def forward(self, x: Any) -> Any:
        return super().forward(x) + 1


def test_what_is_wrong_is_named() -> None:
    model = decoders.made()
    with pytest.raises(ArgumentError, match=r"the model is int, expected a torch.nn.Module"):
        allo_air.llm.compile(3)
    with pytest.raises(ArgumentError, match=r"Linear has no configuration"):
        allo_air.llm.compile(torch.nn.Linear(3, 3))
    with pytest.raises(UnknownNameError, match="int4"):
        allo_air.llm.compile(model, weights="int3")
    with pytest.raises(OptionError, match="prompt=99 and context=16"):
        allo_air.llm.compile(model, context=16, prompt=99)
    with pytest.raises(ArgumentError, match="not divisible into groups of 48; expected group="):
        allo_air.llm.compile(model, context=16, weights="int4", group=48)
    with pytest.raises(ArgumentError, match=r"hidden_size is None, expected a whole number"):
        allo_air.llm.estimate({"model_type": "llama"})
    with pytest.raises(ArgumentError, match=r"clip_qkv is 8: limits of queries, keys and values are not compiled"):
        allo_air.llm.estimate({**vars(decoders.Config()), "attn_config": {"clip_qkv": 8}})
    with pytest.raises(ArgumentError, match=r"kv_lora_rank is 512: keys and values of a low rank \(MLA\) are not compiled"):
        allo_air.llm.estimate({**vars(decoders.Config()), "kv_lora_rank": 512})

    more = decoders.made()
    more.layers[1].mlp.extra = torch.nn.Linear(2, 2)
    with pytest.raises(ArgumentError, match=r"layers\[1\] \(Layer\) has parameter 'mlp.extra.weight' of Linear"):
        allo_air.llm.compile(more, context=16)
    less = decoders.made()
    del less.layers[0].mlp.up_proj
    with pytest.raises(ArgumentError, match=r"layers\[0\] \(Layer\) has no parameter 'mlp.up_proj.weight'"):
        allo_air.llm.compile(less, context=16)
    other = decoders.made()
    other.layers[1].__class__ = Shifted
    with pytest.raises(AlloAirError, match=r"layers\[1\] \(Shifted\): results are not those of the form"):
        allo_air.llm.compile(other, context=16)
    narrow = decoders.made()
    narrow.config = replace(narrow.config, intermediate_size=100)
    with pytest.raises(ArgumentError, match=r"'mlp.gate_proj.weight' is \[192, 128\], expected \[100, 128\]"):
        allo_air.llm.compile(narrow, context=16)
