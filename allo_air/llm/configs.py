"""Reads the form of a language model from its configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.errors import ArgumentError, counted
from allo_air.llm.config_defaults import DEFAULTS, FIXED, UNSAID
from allo_air.llm.form import Form

_ACTIVATIONS = {
    "silu": "silu", "swish": "silu", "gelu": "gelu", "gelu_pytorch_tanh": "gelu_tanh", "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh", "relu": "relu",
}  # fmt: skip
_REFUSED: dict[str, tuple[tuple[Any, ...], str]] = {
    "n_routed_experts": ((0, 1), "experts of DeepSeek's routing"),
    "n_shared_experts": ((0, 1), "experts that all tokens share"),
    "mlp_only_layers": (([],), "layers without experts among others"),
    "decoder_sparse_step": ((0, 1), "layers without experts among others"),
    "do_layer_norm_before": ((True,), "norms of sums with the residual"),
    "apply_residual_connection_post_layernorm": ((False,), "residuals of normalized rows"),
    "scale_attn_by_inverse_layer_idx": ((False,), "scores that depend on the number of the layer"),
    "add_cross_attention": ((False,), "attention to another model"),
    "clip_qkv": ((), "limits of queries, keys and values"),
    "qk_ln": ((False,), "norms of queries and keys in MPT"),
    "prefix_lm": ((False,), "prompts whose tokens see each other"),
    "kv_lora_rank": ((), "keys and values of a low rank (MLA)"),
    "mamba_d_state": ((), "layers of state spaces"),
    "state_size": ((), "layers of state spaces"),
}
"""Entries with the supported values other than None."""
_NAMES = {
    "hidden_size": ("n_embd", "d_model"), "num_attention_heads": ("n_head", "n_heads"),
    "num_hidden_layers": ("n_layer", "n_layers"), "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size"),
    "hidden_activation": ("hidden_act", "activation_function", "activation"),
    "rms_norm_eps": ("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"),
    "partial_rotary_factor": ("rotary_pct",),
}  # fmt: skip
"""Other names of an entry."""


def form_of(config: object, dtype: str | None = None) -> Form:
    """The Form of a configuration: one of transformers, a mapping, or an object with the same names.

    Raises ArgumentError for missing entries and for unsupported features.
    """
    value = _Config(config)
    for name, (allowed, feature) in _REFUSED.items():
        if value(name) is not None and value(name) not in allowed:
            raise ArgumentError(f"{value.name}: {name} is {value(name)!r}: {feature} are not compiled")
    kind = str(value("model_type") or "")
    unsaid = UNSAID.get(kind, {})
    hidden, heads, layers = (value.count(n) for n in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    if value("word_embed_proj_dim") not in (None, hidden):
        raise ArgumentError(
            f"{value.name}: word_embed_proj_dim is not hidden_size: embeddings of another size are not compiled"
        )
    kv_heads = _kv_heads(value, heads)
    if value("head_dim") is None and hidden % heads:
        raise ArgumentError(
            f"{value.name}: hidden_size {hidden} is not divisible by {counted(heads, 'head')}, and there is no head_dim"
        )
    head = value.count("head_dim", hidden // heads)
    if heads % kv_heads:
        raise ArgumentError(f"{value.name}: {heads} heads are not divisible by {counted(kv_heads, 'head')} of keys")
    activation = str(value("hidden_activation") or unsaid.get("activation") or "silu")
    if activation not in (*_ACTIVATIONS, *_ACTIVATIONS.values()):
        names = ", ".join(_ACTIVATIONS)
        raise ArgumentError(f"{value.name}: activation '{activation}' is not compiled; there are {names}")
    experts = value.count("num_local_experts", value.count("num_experts", 1))
    chosen = value.count("num_experts_per_tok", min(2, experts)) if experts > 1 else 0
    if chosen > experts:
        raise ArgumentError(f"{value.name}: num_experts_per_tok is {chosen} of {counted(experts, 'expert')}")
    inner = value.count("moe_intermediate_size", 0) if experts > 1 and value("moe_intermediate_size") else 0
    windows = _windows(value, kind, layers)
    options: dict[str, Any] = {
        "cap": value.number("attn_logit_softcapping", 0),
        "final_cap": value.number("final_logit_softcapping", 0),
        "experts": experts if experts > 1 else 0,
        "chosen": chosen,
        "shares_sum_to_one": value("norm_topk_prob") is not False,
        "tied": bool(value("tie_word_embeddings")),
        "shared": _shared(value, inner) if experts > 1 else 0,
        "residual": value.number("residual_multiplier", 1.0),
        "logits": value.number("logits_scaling", 1 / value.number("logit_scale", 1.0)),
        "dtype": _dtype(value, dtype),
        "rotated": _rotated_layers(value, kind, windows),
        **unsaid,
        **_properties(value),
        **FIXED.get(kind, {}),
        "activation": _ACTIVATIONS.get(activation, activation),
    }
    options.setdefault("alibi", False)
    return Form(
        hidden,
        layers,
        heads,
        kv_heads,
        head,
        inner or value.count("intermediate_size", value.count("expansion_ratio", 4) * hidden),
        value.count("vocab_size"),
        value.number("rms_norm_eps", 1e-5 if options.get("centered") else 1e-6),
        _scale(value, head),
        options.pop("rotary", 0 if options["alibi"] else _rotary(value, head)),
        windows,
        **options,
    )


def _kv_heads(config: _Config, heads: int) -> int:
    if config("multi_query") and not config("new_decoder_architecture"):
        return 1
    return config.count("num_key_value_heads", config.count("num_kv_heads", heads))


def _scale(config: _Config, head: int) -> float:
    if config("scale_attn_weights") is False:
        return 1.0
    scale = config.number("attention_multiplier", config.number("query_pre_attn_scalar", head) ** -0.5)
    return config.number("softmax_scale", scale)


def _rotary(config: _Config, head: int) -> int:
    """Number of rotated elements of a head."""
    rope = config("rope_parameters") or {}
    inside = rope.get("partial_rotary_factor") if isinstance(rope, Mapping) else None
    partial = config.number("partial_rotary_factor", _number(config.name, "partial_rotary_factor", inside, 1.0))
    if partial > 1:
        raise ArgumentError(f"{config.name}: partial_rotary_factor is {partial!r}, expected a number above 0 and up to 1")
    return config.count("rotary_dim", int(head * partial))


def _properties(config: _Config) -> dict[str, bool]:
    """The properties that entries of the configuration decide."""
    everywhere = ("use_bias", "enable_bias", "bias")
    names = {
        "qkv_bias": ("qkv_bias", "use_qkv_bias", "attention_bias", *everywhere),
        "out_bias": ("attention_bias", *everywhere),
        "inner_bias": ("mlp_bias", *everywhere),
        "down_bias": ("mlp_bias", *everywhere),
        "alibi": ("alibi",),
        "head_norms": ("use_qk_norm", "qk_layernorm"),
        "norm_of_each_head": ("use_qk_norm", "qk_layernorm"),
    }
    values = {option: next((v for v in map(config, entries) if v is not None), None) for option, entries in names.items()}
    return {option: bool(v) for option, v in values.items() if v is not None} | _parallel(config)


def _parallel(config: _Config) -> dict[str, bool]:
    """Whether a layer's parts are parallel, and whether the second one has a norm of its own; empty if no entry says so."""
    is_new = bool(config("new_decoder_architecture"))
    if is_new or config("parallel_attn"):
        norms = config("num_ln_in_parallel_attn")
        return {"parallel": True, "own_norm": is_new if norms is None else norms == 2}
    if all(config(n) is None for n in ("use_parallel_residual", "parallel_attn", "new_decoder_architecture")):
        return {}
    parallel = bool(config("use_parallel_residual"))
    return {"parallel": parallel, "own_norm": config("model_type") != "stablelm" or not parallel}


def _rotated_layers(config: _Config, kind: str, windows: tuple[int, ...]) -> tuple[bool, ...]:
    """Whether the layers rotate queries and keys; empty if all do."""
    rotated = config("no_rope_layers")  # 1 means that the layer has rotary positions, in spite of the name
    if kind == "cohere2":
        rotated = windows
    if rotated is None and (interval := config("no_rope_layer_interval")):
        rotated = [(n + 1) % interval for n in range(len(windows))]
    if rotated is None or isinstance(rotated, str) or not isinstance(rotated, Sequence) or all(rotated):
        return ()
    if len(rotated) != len(windows):
        raise ArgumentError(
            f"{config.name}: no_rope_layers has {counted(len(rotated), 'entry')} for {counted(len(windows), 'layer')}"
        )
    return tuple(map(bool, rotated))


def _shared(config: _Config, inner: int) -> int:
    """Number of experts of size `inner` that together are as wide as the one that all tokens use."""
    size = config("shared_expert_intermediate_size")
    return -(-config.count("shared_expert_intermediate_size") // (inner or config.count("intermediate_size"))) if size else 0


def _dtype(config: _Config, dtype: str | None) -> str:
    result = dtype or str(config("dtype") or config("torch_dtype") or "bfloat16").removeprefix("torch.")
    if result not in ("bfloat16", "float32"):
        raise ArgumentError(
            f"{config.name}: dtype is {result!r}, expected bfloat16 or float32; say another by form_of(config, 'bfloat16')"
        )
    return result


def _windows(config: _Config, kind: str, layers: int) -> tuple[int, ...]:
    size = config.count("sliding_window", 0) if config("sliding_window") else 0
    kinds = config("layer_types")
    if kinds is not None:
        if isinstance(kinds, str) or not isinstance(kinds, Sequence) or len(kinds) != layers:
            text = counted(len(kinds), "entry") if isinstance(kinds, list | tuple) else repr(kinds)
            raise ArgumentError(
                f"{config.name}: layer_types has {text}, expected one for each of the {counted(layers, 'layer')}"
            )
        for text in kinds:
            if text not in ("full_attention", "sliding_attention"):
                raise ArgumentError(f"{config.name}: layer_types has '{text}'; compiled are full and sliding attention")
        return tuple(size if kind == "sliding_attention" else 0 for kind in kinds)
    if config("use_sliding_window") is False or (kind in ("qwen2", "qwen3") and not config("use_sliding_window")):
        return (0,) * layers
    if kind in ("qwen2", "qwen3"):
        first = 28 if config("max_window_layers") is None else config("max_window_layers")
        return tuple(size if n >= _number(config.name, "max_window_layers", first, 0, least=0) else 0 for n in range(layers))
    if kind in ("gemma3", "gemma3_text", "cohere2"):
        pattern = config.count("sliding_window_pattern", 6)
        return tuple(size if (n + 1) % pattern else 0 for n in range(layers))
    if kind == "gemma2":
        return tuple(0 if n % 2 else size for n in range(layers))
    return (size,) * layers


def _config_value(place: Any, name: str) -> Any:
    return place.get(name) if isinstance(place, Mapping) else getattr(place, name, None)


@dataclass(frozen=True)
class _Config:
    config: Any

    @property
    def name(self) -> str:
        return type(self.config).__name__ if not isinstance(self.config, Mapping) else "the configuration"

    def __call__(self, name: str) -> Any:
        names = (name, *_NAMES.get(name, ()))
        entry = next((v for v in map(self._entry, names) if v is not None), None)
        if entry is None and isinstance(self.config, Mapping) and not any(n in self.config for n in names):
            return DEFAULTS.get(str(self.config.get("model_type")), {}).get(name)
        return entry

    def _entry(self, name: str) -> Any:
        places = [self.config, _config_value(self.config, "attn_config")]
        return next((v for v in (_config_value(p, name) for p in places) if v is not None), None)

    def count(self, name: str, default: int | None = None) -> int:
        count = self(name)
        if count is None and default is not None:
            return default
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ArgumentError(f"{self.name}: {name} is {count!r}, expected a whole number from 1")
        return count

    def number(self, name: str, default: float) -> float:
        return _number(self.name, name, self(name), default)


def _number(subject: str, name: str, item: float | None, default: float, least: float | None = None) -> float:
    """`item` as a number above 0, or at least `least`; `default` if it is None."""
    if item is None:
        return float(default)
    if isinstance(item, bool) or not isinstance(item, int | float) or not (item > 0 if least is None else item >= least):
        raise ArgumentError(
            f"{subject}: {name} is {item!r}, expected a number {'above 0' if least is None else f'from {least}'}"
        )
    return float(item)
