"""Forms of language models of transformers: their pieces on the host generate the tokens of PyTorch."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import allo_air.llm  # noqa: E402
from allo_air.llm.checked import check_form  # noqa: E402
from allo_air.llm.configs import form_of  # noqa: E402
from allo_air.llm.model import LanguageModel, pieces  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402

_SIZES = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 96, "pad_token_id": 0}
_LLAMA = {**_SIZES, "num_key_value_heads": 2, "intermediate_size": 128, "max_position_embeddings": 64}
_HEADS = {**_LLAMA, "head_dim": 16}
_EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
_MPT = {"d_model": 96, "n_heads": 6, "n_layers": 2, "vocab_size": 96, "max_seq_len": 64}
_RW = {"alibi": True, "multi_query": False, "parallel_attn": False, "bias": True}
MODELS: dict[str, dict[str, Any]] = {
    "StableLm": {**_LLAMA, "use_parallel_residual": True, "qk_layernorm": True, "use_qkv_bias": True},
    "Cohere": {**_LLAMA, "use_qk_norm": True},
    "Cohere2": _LLAMA,
    "Phi": _LLAMA,
    "GPTNeoX": {**_SIZES, "intermediate_size": 128},
    "GPTJ": {"n_embd": 64, "n_head": 4, "n_layer": 2, "vocab_size": 96, "n_positions": 64, "rotary_dim": 8},
    "OPT": {**_SIZES, "ffn_dim": 128, "word_embed_proj_dim": 64, "max_position_embeddings": 64},
    "Falcon": {**_SIZES, "new_decoder_architecture": True, "num_kv_heads": 2},
    "Falcon RW": {**_SIZES, **_RW},
    "Bloom": {"hidden_size": 64, "n_head": 4, "n_layer": 2, "vocab_size": 96},
    "Mpt": _MPT,
    "Starcoder2": _LLAMA,
    "Olmo": _LLAMA,
    "Glm4": _HEADS,
    "GPT2": {"n_embd": 64, "n_head": 4, "n_layer": 2, "vocab_size": 96, "n_positions": 64},
    "Llama": _LLAMA,
    "Mistral": {**_LLAMA, "sliding_window": 4},
    "Mixtral": {**_LLAMA, "num_local_experts": 4, "num_experts_per_tok": 2},
    "Qwen2": _LLAMA,
    "Qwen2Moe": {**_LLAMA, **_EXPERTS, "shared_expert_intermediate_size": 48},
    "Qwen3": _HEADS,
    "Qwen3Moe": {**_HEADS, **_EXPERTS, "norm_topk_prob": True},
    "Gemma": _HEADS,
    "Gemma2": {**_HEADS, "sliding_window": 4, "tie_word_embeddings": False, "attn_logit_softcapping": 2.0},
    "Gemma3": {**_HEADS, "sliding_window": 4, "tie_word_embeddings": False},
    "Phi3": _LLAMA,
    "Granite": _LLAMA,
    "SmolLM3": _LLAMA,
    "Olmo2": _LLAMA,
    "Olmoe": {**_LLAMA, "num_experts": 4, "num_experts_per_tok": 2},
    "Glm": _HEADS,
}
CONFIGURATIONS, HEADS = {"Gemma3": "Gemma3Text"}, {"GPT2": "GPT2LMHeadModel"}
"""The names of classes that differ from the family's."""


PROMPT = [3, 17, 5, 9, 40, 41, 2, 8]


def drawn(name: str) -> tuple[Any, list[int]]:
    """A model with drawn weights, and the 16 tokens that PyTorch generates, of which at least six differ."""
    transformers = pytest.importorskip("transformers")
    kind = name.split()[0]
    config = f"{CONFIGURATIONS.get(kind, kind)}Config"
    model_class = f"{HEADS.get(kind, kind + 'ForCausalLM')}"
    for factor, seed in product((0.4, 0.2, 0.1), range(8)):
        torch.manual_seed(seed)
        model = getattr(transformers, model_class)(getattr(transformers, config)(**MODELS[name])).eval()
        tokens = list(PROMPT)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter) * factor)
            for _ in range(16):
                tokens.append(int(model(torch.tensor([tokens])).logits[0, -1].argmax()))
        if len(set(tokens[8:])) >= 6:
            return model, tokens[8:]
    raise AssertionError(f"no drawn {name} generates six different tokens")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_pieces_generate_the_tokens_of_pytorch(name: str) -> None:
    model, wanted = drawn(name)
    weights = read(model)
    modules = {key: e.module for key, e in pieces(weights.form, "dense", 16, 8, 24).items()}
    run = LanguageModel(weights, "cpu", 24, 8, "dense", 16, modules)
    check_form(model, weights, run.layer_outputs, 8)
    assert run.generate(PROMPT, 16) == wanted


ON_THE_ARRAY = ("GPT2", "OPT", "Phi", "GPTNeoX", "Qwen3", "Gemma2", "Gemma3", "Mistral", "Mixtral")
"""Layer norms and feed-forwards without a gate, a part rotated, norms of heads, soft caps, windows, experts."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_THE_ARRAY)
def test_the_array_generates_the_tokens_of_pytorch(name: str) -> None:
    model, wanted = drawn(name)
    assert allo_air.llm.compile(model, context=24, prompt=8).generate(PROMPT, 16) == wanted


_SIZE_ENTRIES = {
    "model_type", "hidden_size", "n_embd", "d_model", "num_attention_heads", "n_head", "n_heads", "num_hidden_layers",
    "n_layer", "n_layers", "vocab_size", "num_key_value_heads", "intermediate_size", "ffn_dim", "n_inner", "head_dim",
    "num_kv_heads", "num_experts", "num_local_experts",
}  # fmt: skip


@pytest.mark.slow
def test_entries_that_a_mapping_leaves_out_have_the_defaults_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    for kind in (n for n in MODELS if " " not in n):
        config = getattr(transformers, f"{CONFIGURATIONS.get(kind, kind)}Config")()
        bare = {name: value for name, value in config.to_dict().items() if name in _SIZE_ENTRIES}
        assert form_of(bare, "bfloat16") == form_of(config, "bfloat16"), kind
