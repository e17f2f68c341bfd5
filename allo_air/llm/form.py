"""The form of a causal language model, read from its configuration: sizes, and variants of its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.errors import ArgumentError

_ACTIVATIONS = {"silu": "silu", "swish": "silu", "gelu": "gelu", "gelu_pytorch_tanh": "gelu_tanh", "gelu_new": "gelu_tanh"}
_REFUSED = {
    "n_routed_experts": "experts of DeepSeek's routing",
    "n_shared_experts": "experts that all tokens share",
    "mlp_only_layers": "layers without experts among others",
    "decoder_sparse_step": "layers without experts among others",
}


@dataclass(frozen=True)
class Form:
    """Sizes and variants of a decoder with RMS norms, rotary positions, grouped heads and a gated feed-forward."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head: int
    """Elements of a head."""
    inner: int
    """Width of the feed-forward, between its two products."""
    vocab: int
    eps: float
    scale: float
    """Factor of the scores."""
    rotary: int
    """Number of elements of a head that are rotated: the first ones."""
    windows: tuple[int, ...]
    """For each layer, the number of keys that a query sees, including its own; 0 for all."""
    activation: str = "silu"
    cap: float = 0.0
    """Soft cap of scores; 0 means no cap."""
    final_cap: float = 0.0
    """Soft cap of logits; 0 means no cap."""
    qkv_bias: bool = False
    out_bias: bool = False
    head_norms: bool = False
    """Whether queries and keys are normalized, head by head."""
    after_norms: bool = False
    """Whether a block's output is normalized before the residual is added, as in Gemma 2 and 3."""
    unit_offset: bool = False
    """Whether norms multiply by one more than their weight, as Gemma does."""
    experts: int = 0
    """Number of experts in a layer; 0 if there is a single feed-forward."""
    chosen: int = 0
    """Number of experts that a token uses."""
    shares_sum_to_one: bool = True
    """Whether the weights of the experts that a token uses add up to one."""
    shared: int = 0
    """Number of experts into which the one that all tokens use is divided."""
    before_norms: bool = True
    """Whether a block's input is normalized; OLMo 2 only normalizes its output."""
    whole_norms: bool = False
    """Whether `head_norms` are of all heads together."""
    residual: float = 1.0
    """Factor of a block's output."""
    logits: float = 1.0
    """Divisor of the logits."""
    tied: bool = False
    """Whether the head uses the embedding's weights."""
    dtype: str = "bfloat16"

    @property
    def group(self) -> int:
        """Number of queries that share a key."""
        return self.heads // self.kv_heads

    @property
    def linears(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of each matrix of a layer, by name."""
        wide, narrow = self.heads * self.head, self.kv_heads * self.head
        return {
            "qkv": (wide + 2 * narrow, self.hidden),
            "o": (self.hidden, wide),
            "gate_up": (2 * self.inner, self.hidden),
            "down": (self.hidden, self.inner),
        }


def form_of(config: object, dtype: str | None = None) -> Form:
    """The Form of a configuration: one of transformers, a mapping, or an object with the same names.

    Raises ArgumentError for missing entries and for unsupported features.
    """
    value = _Config(config)
    for name, feature in _REFUSED.items():
        if value(name) not in (None, 0, 1, 1.0, [], False):
            raise ArgumentError(f"{value.name}: {name} is {value(name)!r}: {feature} are not compiled")
    rotary = value("no_rope_layers")  # 1 means that the layer has rotary positions, in spite of the name
    if isinstance(rotary, Sequence) and not all(rotary):
        raise ArgumentError(f"{value.name}: no_rope_layers is {rotary!r}: layers without rotary positions are not compiled")
    kind = str(value("model_type") or "")
    hidden, heads, layers = (value.count(n) for n in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    kv_heads = value.count("num_key_value_heads", heads)
    if value("head_dim") is None and hidden % heads:
        raise ArgumentError(f"{value.name}: hidden_size {hidden} is not divisible by {heads} heads, and there is no head_dim")
    head = value.count("head_dim", hidden // heads)
    if heads % kv_heads:
        raise ArgumentError(f"{value.name}: {heads} heads are not divisible by {kv_heads} heads of keys")
    activation = str(value("hidden_activation") or value("hidden_act") or "silu")
    if activation not in _ACTIVATIONS:
        names = ", ".join(_ACTIVATIONS)
        raise ArgumentError(f"{value.name}: activation '{activation}' is not compiled; there are {names}")
    rope = value("rope_parameters") or {}
    inside = rope.get("partial_rotary_factor") if isinstance(rope, Mapping) else None
    partial = value.number("partial_rotary_factor", _number(value.name, "partial_rotary_factor", inside, 1.0))
    if partial > 1:
        raise ArgumentError(f"{value.name}: partial_rotary_factor is {partial!r}, expected a number above 0 and up to 1")
    experts = value.count("num_local_experts", value.count("num_experts", 1))
    chosen = value.count("num_experts_per_tok", min(2, experts)) if experts > 1 else 0
    if chosen > experts:
        raise ArgumentError(f"{value.name}: num_experts_per_tok is {chosen} of {experts} experts")
    inner = value.count("moe_intermediate_size", 0) if experts > 1 and value("moe_intermediate_size") else 0
    return Form(
        hidden,
        layers,
        heads,
        kv_heads,
        head,
        inner or value.count("intermediate_size"),
        value.count("vocab_size"),
        value.number("rms_norm_eps", 1e-6),
        value.number("attention_multiplier", value.number("query_pre_attn_scalar", head) ** -0.5),
        int(head * partial),
        _windows(value, kind, layers),
        _ACTIVATIONS[activation],
        value.number("attn_logit_softcapping", 0),
        value.number("final_logit_softcapping", 0),
        kind == "qwen2" or bool(value("attention_bias")),
        bool(value("attention_bias")),
        kind in ("qwen3", "gemma3", "gemma3_text"),
        kind in ("gemma2", "gemma3", "gemma3_text"),
        kind.startswith("gemma"),
        experts if experts > 1 else 0,
        chosen,
        value("norm_topk_prob") is not False,
        tied=bool(value("tie_word_embeddings")),
        shared=_shared(value, inner) if experts > 1 else 0,
        residual=value.number("residual_multiplier", 1.0),
        logits=value.number("logits_scaling", 1.0),
        dtype=_dtype(value, dtype),
    )


def _shared(config: _Config, inner: int) -> int:
    """Number of experts of size `inner` that together are as wide as the one that all tokens use."""
    size = config("shared_expert_intermediate_size")
    return -(-config.count("shared_expert_intermediate_size") // (inner or config.count("intermediate_size"))) if size else 0


def _dtype(config: _Config, dtype: str | None) -> str:
    result = dtype or str(config("dtype") or config("torch_dtype") or "bfloat16").removeprefix("torch.")
    if result not in ("bfloat16", "float32"):
        raise ArgumentError(
            f"{config.name}: dtype is {result!r}, expected bfloat16 or float32; say another one by form_of(config, 'bfloat16')"
        )
    return result


def _windows(config: _Config, kind: str, layers: int) -> tuple[int, ...]:
    size = config.count("sliding_window", 0) if config("sliding_window") else 0
    kinds = config("layer_types")
    if kinds is not None:
        if isinstance(kinds, str) or not isinstance(kinds, Sequence) or len(kinds) != layers:
            text = f"{len(kinds)} entries" if isinstance(kinds, list | tuple) else repr(kinds)
            raise ArgumentError(f"{config.name}: layer_types has {text}, expected one for each of the {layers} layers")
        for text in kinds:
            if text not in ("full_attention", "sliding_attention"):
                raise ArgumentError(f"{config.name}: layer_types has '{text}'; compiled are full and sliding attention")
        return tuple(size if kind == "sliding_attention" else 0 for kind in kinds)
    if config("use_sliding_window") is False or (kind in ("qwen2", "qwen3") and not config("use_sliding_window")):
        return (0,) * layers
    if kind in ("qwen2", "qwen3"):
        first = 28 if config("max_window_layers") is None else config("max_window_layers")
        return tuple(size if n >= _number(config.name, "max_window_layers", first, 0, least=0) else 0 for n in range(layers))
    if kind in ("gemma3", "gemma3_text"):
        pattern = config.count("sliding_window_pattern", 6)
        return tuple(size if (n + 1) % pattern else 0 for n in range(layers))
    if kind == "gemma2":
        return tuple(0 if n % 2 else size for n in range(layers))
    return (size,) * layers


@dataclass(frozen=True)
class _Config:
    config: Any

    @property
    def name(self) -> str:
        return type(self.config).__name__ if not isinstance(self.config, Mapping) else "the configuration"

    def __call__(self, name: str) -> Any:
        if isinstance(self.config, Mapping):
            return self.config.get(name)
        return getattr(self.config, name, None)

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
    """`item` as a number above 0, or from `least`; `default` where it is None."""
    if item is None:
        return float(default)
    if isinstance(item, bool) or not isinstance(item, int | float) or not (item > 0 if least is None else item >= least):
        raise ArgumentError(
            f"{subject}: {name} is {item!r}, expected a number {'above 0' if least is None else f'from {least}'}"
        )
    return float(item)
