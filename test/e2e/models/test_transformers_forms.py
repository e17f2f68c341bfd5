"""Forms of language models of transformers: their pieces on the host generate the tokens of PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from allo_air.llm.checked import check_form  # noqa: E402
from allo_air.llm.configs import form_of  # noqa: E402
from allo_air.llm.model import LanguageModel, pieces  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402

_SIZES = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 96, "pad_token_id": 0}
_LLAMA = {**_SIZES, "num_key_value_heads": 2, "intermediate_size": 128, "max_position_embeddings": 64}
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
    "Glm4": {**_LLAMA, "head_dim": 16},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_pieces_generate_the_tokens_of_pytorch(name: str) -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    kind = name.split()[0]
    config = getattr(transformers, f"{kind}Config")(**MODELS[name])
    model = getattr(transformers, f"{kind}ForCausalLM")(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.4)
    weights = read(model)
    modules = {key: e.module for key, e in pieces(weights.form, "dense", 16, 8, 24).items()}
    run = LanguageModel(weights, "cpu", 24, 8, "dense", 16, modules)
    check_form(model, weights, run.behind_layers, 8)
    tokens = [3, 17, 5, 9, 40, 41, 2, 8]
    found = run.generate(tokens, 16)
    with torch.no_grad():
        for _ in range(16):
            tokens.append(int(model(torch.tensor([tokens])).logits[0, -1].argmax()))
    assert found == tokens[8:] and len(set(found)) >= 3


_SIZE_ENTRIES = {
    "model_type", "hidden_size", "n_embd", "d_model", "num_attention_heads", "n_head", "n_heads", "num_hidden_layers",
    "n_layer", "n_layers", "vocab_size", "num_key_value_heads", "intermediate_size", "ffn_dim", "n_inner", "head_dim",
    "num_kv_heads", "num_experts", "num_local_experts",
}  # fmt: skip
_OTHERS = (
    "Llama",
    "Mistral",
    "Mixtral",
    "Qwen2",
    "Qwen3",
    "Qwen2Moe",
    "Qwen3Moe",
    "Gemma",
    "Gemma2",
    "Gemma3Text",
    "Phi3",
    "GPT2",
)


@pytest.mark.slow
def test_entries_that_a_mapping_leaves_out_have_the_defaults_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    for kind in [*(n for n in MODELS if " " not in n), *_OTHERS, "GPT2", "Olmo2", "Olmoe", "Glm", "Granite"]:
        config = getattr(transformers, f"{kind}Config")()
        bare = {name: value for name, value in config.to_dict().items() if name in _SIZE_ENTRIES}
        assert form_of(bare, "bfloat16") == form_of(config, "bfloat16"), kind
