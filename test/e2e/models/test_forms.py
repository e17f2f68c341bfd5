"""Forms of language models: the pieces on the host against float64, and some of them on the array."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import allo_air.llm  # noqa: E402
from allo_air.errors import ArgumentError, OptionError  # noqa: E402
from allo_air.llm.checked import check_form  # noqa: E402
from allo_air.llm.model import LanguageModel, pieces  # noqa: E402
from allo_air.llm.quantized import dense  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402
from test.e2e.models import decoders, plain_decoders  # noqa: E402
from test.e2e.models.decoders import Config  # noqa: E402

SMALL = Config(32, 1, 2, 1, 16, 48, 32)
EXPERTS = replace(SMALL, num_local_experts=4, num_experts_per_tok=2)


def on_host(model: Any, kind: str = "dense", prompt: int = 6, context: int = 12) -> LanguageModel:
    """The model's pieces in PyTorch."""
    weights = read(model)
    modules = {key: e.module for key, e in pieces(weights.form, kind, 16, prompt, context).items()}
    result = LanguageModel(weights.packed(kind, 16), "cpu", context, prompt, kind, 16, modules)
    if kind == "dense":
        check_form(model, weights, result.layer_outputs, prompt)
    return result


def beside(result: Any, model: Any, prompt: int, steps: int) -> float:
    """The largest relative difference of logits of a prompt and of tokens after it, from those in float64."""
    exact, most = copy.deepcopy(model).double(), 0.0
    tokens = [n * 7 % model.config.vocab_size for n in range(prompt + steps)]
    for count in range(prompt, len(tokens) + 1):
        one = result.prefill(tokens[:count]) if count == prompt else result.step(tokens[count - 1])
        with torch.no_grad():
            wanted = exact(torch.tensor([tokens[:count]]))[0, -1].numpy()
        most = max(most, float(np.abs(one - wanted).max() / np.abs(wanted).max()))
    return most


FORMS: dict[str, tuple[Config, dict[str, bool]]] = {
    "experts": (EXPERTS, {}),
    "experts, shares as they are": (replace(EXPERTS, norm_topk_prob=False), {"head_norms": True}),
    "window": (replace(SMALL, sliding_window=3), {}),
    "biases": (SMALL, {"bias": True}),
    "head norms": (SMALL, {"head_norms": True}),
    "partial rotary": (replace(SMALL, partial_rotary_factor=0.5), {}),
    "caps": (replace(SMALL, attn_logit_softcapping=2.0, final_logit_softcapping=3.0), {"after": True}),
    "head 80": (replace(SMALL, head_dim=80), {}),
    "head 96": (replace(SMALL, head_dim=96), {}),
    "head 256": (replace(SMALL, head_dim=256), {}),
    "three heads for a key": (replace(SMALL, num_attention_heads=6, num_key_value_heads=2), {}),
    "eight heads for a key": (replace(SMALL, num_attention_heads=8, num_key_value_heads=1), {}),
    "an expert for all tokens": (replace(EXPERTS, shared_expert_intermediate_size=60), {}),
    "norms after blocks only": (replace(SMALL, num_key_value_heads=2), {"only_after": True}),
    "scaled residuals and logits": (replace(SMALL, residual_multiplier=0.3, logits_scaling=4.0), {}),
    "odd sizes": (replace(SMALL, hidden_size=37, intermediate_size=51, vocab_size=41), {}),
}


@pytest.mark.parametrize("name", FORMS)
def test_pieces_compute_what_the_model_does(name: str) -> None:
    config, options = FORMS[name]
    model = decoders.made(config, **options)
    for prompt in (1, 5) if name in ("experts", "window") else (5,):
        assert beside(on_host(model), model, prompt, 2) < 1e-5


PLAIN = {
    "learned positions": plain_decoders.Config(logit_scale=0.5),
    "rotated pairs, side by side": plain_decoders.Config(positions="rotary", use_parallel_residual=True),
    "slopes, side by side, one norm": plain_decoders.Config(positions="alibi", use_parallel_residual=True, norms=1),
}


@pytest.mark.parametrize("name", PLAIN)
def test_pieces_compute_what_plain_models_do(name: str) -> None:
    model = plain_decoders.made(PLAIN[name])
    result = on_host(model)
    assert beside(result, model, 5, 2) < 1e-5
    form = result.form
    assert form.centered and not form.gate and form.head_bias and bool(form.rotary) == ("rotated" in name)
    if name == "learned positions":
        with pytest.raises(OptionError, match="Transformer has no embedding of position 16; use a smaller context="):
            allo_air.llm.compile(model, context=17)


def test_forms_of_configurations_with_other_names() -> None:
    gpt2 = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_inner": None}
    form = allo_air.llm.form_of(gpt2)
    assert (form.inner, form.rotary, form.eps, form.activation) == (3072, 0, 1e-5, "gelu_tanh")
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 96}
    falcon = allo_air.llm.form_of({**sizes, "model_type": "falcon", "multi_query": True, "parallel_attn": True})
    assert falcon.parallel and not falcon.own_norm and falcon.kv_heads == 1 and falcon.rotary == 16
    mpt = allo_air.llm.form_of({**sizes, "model_type": "mpt", "expansion_ratio": 2, "attn_config": {"softmax_scale": 0.1}})
    assert mpt.alibi and mpt.inner == 128 and mpt.scale == 0.1
    with pytest.raises(ArgumentError, match="do_layer_norm_before is False: norms of sums with the residual are not compiled"):
        allo_air.llm.form_of({**sizes, "model_type": "opt", "do_layer_norm_before": False})


ON_THE_ARRAY: dict[str, tuple[str, str, Config | plain_decoders.Config, dict[str, bool]]] = {
    "slopes, side by side, one norm": ("npu1", "dense", PLAIN["slopes, side by side, one norm"], {}),
    "experts": ("npu1", "int4", replace(EXPERTS, hidden_size=64), {}),
    "odd sizes, three heads of 96 for a key, biases, head norms": (
        "npu2",
        "dense",
        replace(SMALL, hidden_size=36, num_attention_heads=3, head_dim=96, intermediate_size=52, vocab_size=45),
        {"bias": True, "head_norms": True},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_THE_ARRAY)
def test_the_array_computes_what_the_model_does(name: str) -> None:
    device, kind, config, options = ON_THE_ARRAY[name]
    drawn = plain_decoders.made(config) if isinstance(config, plain_decoders.Config) else decoders.made(config, **options)
    model = drawn.bfloat16()
    result = allo_air.llm.compile(model, device=device, context=12, prompt=6, weights=kind, group=16)
    rounded = copy.deepcopy(model).float()
    if kind == "int4":
        with_numbers(rounded, result.weights)
    assert beside(result, rounded, 5, 3) < 0.03


def with_numbers(model: Any, weights: Any) -> None:
    """Gives a model of experts the weights that packed ones stand for."""
    for layer, packed in zip(model.layers, weights.layers, strict=True):
        c = model.config
        sizes = [c.num_attention_heads * c.head_dim, *[c.num_key_value_heads * c.head_dim] * 2]
        for name, part in zip("qkv", dense(packed.qkv).split(sizes), strict=True):
            getattr(layer.self_attn, f"{name}_proj").weight.data = part
        layer.self_attn.o_proj.weight.data = dense(packed.o)
        for expert, numbers in zip(layer.mlp.experts, packed.experts, strict=True):
            expert.gate_proj.weight.data, expert.up_proj.weight.data = dense(numbers.gate_up).chunk(2)
            expert.down_proj.weight.data = dense(numbers.down)
    model.lm_head.weight.data = dense(weights.head)


@pytest.mark.parametrize("shape", ["w1", "together"])
def test_experts_by_other_names(shape: str) -> None:
    model = decoders.made(EXPERTS)
    layer, experts = model.layers[0], model.layers[0].mlp.experts
    wanted = on_host(model).prefill([3, 5])
    if shape == "w1":
        layer.block_sparse_moe = layer.mlp
        for expert in experts:
            expert.w1, expert.w3, expert.w2 = expert.gate_proj, expert.up_proj, expert.down_proj
            del expert.gate_proj, expert.up_proj, expert.down_proj
        del layer.mlp
    else:
        both = [torch.cat((e.gate_proj.weight, e.up_proj.weight)) for e in experts]
        down = [e.down_proj.weight for e in experts]
        layer.mlp.experts = torch.nn.Module()
        layer.mlp.experts.gate_up_proj, layer.mlp.experts.down_proj = (
            torch.nn.Parameter(torch.stack(t).detach()) for t in (both, down)
        )
    weights = read(model)
    modules = {key: e.module for key, e in pieces(weights.form, "dense", 16, 6, 12).items()}
    assert np.allclose(LanguageModel(weights, "cpu", 12, 6, "dense", 16, modules).prefill([3, 5]), wanted, atol=1e-6)


def test_experts_that_are_not_compiled_are_named() -> None:
    sizes = vars(EXPERTS)
    with pytest.raises(ArgumentError, match="num_experts_per_tok is 5 of 4 experts"):
        allo_air.llm.form_of({**sizes, "num_experts_per_tok": 5})
    with pytest.raises(ArgumentError, match="experts that all tokens share"):
        allo_air.llm.form_of({**sizes, "n_shared_experts": 2})
    model = decoders.made(EXPERTS)
    del model.layers[0].mlp.experts[3]
    with pytest.raises(ArgumentError, match=r"has no parameter 'mlp.experts.3.gate_proj.weight'"):
        read(model)
