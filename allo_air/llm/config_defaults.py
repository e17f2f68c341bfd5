"""Properties of model types that configurations do not have, and defaults of entries in transformers."""

from __future__ import annotations

from typing import Any

_BIASES = {"qkv_bias": True, "out_bias": True, "inner_bias": True, "down_bias": True}
_PLAIN = {"centered": True, "gate": False}
UNSAID: dict[str, dict[str, Any]] = {
    "bloom": {**_PLAIN, **_BIASES, "alibi": True, "activation": "gelu_tanh"},
    "cohere": {"centered": True, "parallel": True, "own_norm": False},
    "cohere2": {"centered": True, "parallel": True, "own_norm": False},
    "falcon": _PLAIN,
    "gemma": {"unit_offset": True},
    "gemma2": {"unit_offset": True, "after_norms": True},
    "gemma3": {"unit_offset": True, "after_norms": True, "head_norms": True},
    "gemma3_text": {"unit_offset": True, "after_norms": True, "head_norms": True},
    "glm4": {"after_norms": True},
    "gpt2": {**_PLAIN, **_BIASES, "rotary": 0},
    "gpt_neox": {**_PLAIN, **_BIASES},
    "gptj": {**_PLAIN, "inner_bias": True, "down_bias": True, "head_bias": True, "parallel": True, "own_norm": False},
    "mpt": {**_PLAIN, "alibi": True, "activation": "gelu"},
    "olmo": {"centered": True},
    "olmo2": {"after_norms": True, "before_norms": False, "head_norms": True, "whole_norms": True},
    "olmoe": {"head_norms": True, "whole_norms": True},
    "opt": {**_PLAIN, **_BIASES, "rotary": 0},
    "phi": {**_PLAIN, **_BIASES, "head_bias": True, "parallel": True, "own_norm": False},
    "qwen2": {"qkv_bias": True},
    "qwen2_moe": {"qkv_bias": True},
    "qwen3": {"head_norms": True},
    "qwen3_moe": {"head_norms": True},
    "stablelm": {"centered": True},
    "starcoder2": {**_PLAIN, **_BIASES},
}
"""Properties of types of models, unless their configurations say otherwise. `allo_air.llm.reading` reads them from modules."""
FIXED: dict[str, dict[str, Any]] = {
    "glm": {"out_bias": False},
    "glm4": {"out_bias": False},
    "phi": {"norm_of_each_head": False},
}
"""Properties that entries decide for other types only: `attention_bias` of GLM does not concern the output."""
_GELU = {"hidden_activation": "gelu_pytorch_tanh", "tie_word_embeddings": True}
_ROUTED = {"num_experts_per_tok": 8, "norm_topk_prob": False}
_GLM = {"partial_rotary_factor": 0.5, "attention_bias": True, "rms_norm_eps": 1.5625e-07}
_WINDOWS = {"sliding_window": 4096}
DEFAULTS: dict[str, dict[str, Any]] = {
    "bloom": {"tie_word_embeddings": True},
    "cohere": {"logit_scale": 0.0625, "tie_word_embeddings": True},
    "cohere2": {"logit_scale": 0.0625, "tie_word_embeddings": True, "sliding_window_pattern": 4, **_WINDOWS},
    "falcon": {"multi_query": True, "parallel_attn": True, "hidden_activation": "gelu", "tie_word_embeddings": True},
    "gemma": _GELU,
    "gemma2": {**_GELU, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0, **_WINDOWS},
    "gemma3_text": {**_GELU, **_WINDOWS},
    "glm": _GLM,
    "glm4": _GLM,
    "gpt2": {"hidden_activation": "gelu_new", "tie_word_embeddings": True},
    "gpt_neox": {"partial_rotary_factor": 0.25, "use_parallel_residual": True, "hidden_activation": "gelu"},
    "gptj": {"rotary_dim": 64, "hidden_activation": "gelu_new"},
    "granite": {"attention_multiplier": 1.0},
    "mistral": _WINDOWS,
    "mixtral": {"rms_norm_eps": 1e-5},
    "mpt": {"tie_word_embeddings": True},
    "olmo2": {"rms_norm_eps": 1e-5},
    "olmoe": {**_ROUTED, "rms_norm_eps": 1e-5},
    "opt": {"hidden_activation": "relu", "tie_word_embeddings": True},
    "phi": {"partial_rotary_factor": 0.5, "hidden_activation": "gelu_new"},
    "phi3": {"rms_norm_eps": 1e-5},
    "qwen2_moe": {
        "num_experts_per_tok": 4, "norm_topk_prob": False, "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632,
    },
    "qwen3_moe": {**_ROUTED, "moe_intermediate_size": 768},
    "smollm3": {"no_rope_layer_interval": 4, "tie_word_embeddings": True},
    "stablelm": {"partial_rotary_factor": 0.25},
    "starcoder2": {"hidden_activation": "gelu_pytorch_tanh", "tie_word_embeddings": True},
}  # fmt: skip
"""Defaults of entries in transformers' configurations (version 5.24), for mappings that leave them out."""
