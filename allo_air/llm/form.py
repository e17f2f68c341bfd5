"""The form of a causal language model, read from its configuration: sizes, and variants of its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.errors import ArgumentError

_ACTIVATIONS = {"silu": "silu", "swish": "silu", "gelu": "gelu", "gelu_pytorch_tanh": "gelu_tanh", "gelu_new": "gelu_tanh"}
_REFUSED = {
    "num_local_experts": "mixtures of experts",
    "num_experts": "mixtures of experts",
    "n_routed_experts": "mixtures of experts",
    "residual_multiplier": "scaled residuals",
    "logits_scaling": "scaled logits",
    "no_rope_layers": "layers without rotary positions",
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
    """Elements between the two products of the feed-forward."""
    vocab: int
    eps: float
    scale: float
    """Factor of the scores."""
    rotary: int
    """Elements of a head that are rotated, the first ones."""
    windows: tuple[int, ...]
    """For each layer how many keys a query sees, itself included; 0 for all."""
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
    tied: bool = False
    """Whether the head's weights are the embedding's."""
    dtype: str = "bfloat16"

    @property
    def group(self) -> int:
        """Heads that share a key."""
        return self.heads // self.kv_heads

    @property
    def linears(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of each matrix of a layer."""
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
    given = _Config(config)
    for name, what in _REFUSED.items():
        if given(name) not in (None, 0, 1, 1.0, [], False):
            raise ArgumentError(f"{given.name}: {name} is {given(name)!r}: {what} are not compiled")
    kind = str(given("model_type") or "")
    hidden, heads, layers = (given.count(n) for n in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    kv_heads = given.count("num_key_value_heads", heads)
    if given("head_dim") is None and hidden % heads:
        raise ArgumentError(f"{given.name}: hidden_size {hidden} is not divisible by {heads} heads, and there is no head_dim")
    head = given.count("head_dim", hidden // heads)
    if heads % kv_heads:
        raise ArgumentError(f"{given.name}: {heads} heads are not divisible by {kv_heads} heads of keys")
    activation = str(given("hidden_activation") or given("hidden_act") or "silu")
    if activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise ArgumentError(f"{given.name}: activation '{activation}' is not compiled; there are {known}")
    rope = given("rope_parameters") or {}
    inside = rope.get("partial_rotary_factor") if isinstance(rope, Mapping) else None
    partial = given.number("partial_rotary_factor", _number(given.name, "partial_rotary_factor", inside, 1.0))
    if partial > 1:
        raise ArgumentError(f"{given.name}: partial_rotary_factor is {partial!r}, wanted a number above 0 and up to 1")
    return Form(
        hidden,
        layers,
        heads,
        kv_heads,
        head,
        given.count("intermediate_size"),
        given.count("vocab_size"),
        given.number("rms_norm_eps", 1e-6),
        given.number("query_pre_attn_scalar", head) ** -0.5,
        int(head * partial),
        _windows(given, kind, layers),
        _ACTIVATIONS[activation],
        given.number("attn_logit_softcapping", 0),
        given.number("final_logit_softcapping", 0),
        kind == "qwen2" or bool(given("attention_bias")),
        bool(given("attention_bias")),
        kind in ("qwen3", "gemma3", "gemma3_text"),
        kind in ("gemma2", "gemma3", "gemma3_text"),
        kind.startswith("gemma"),
        bool(given("tie_word_embeddings")),
        _dtype(given, dtype),
    )


def _dtype(given: _Config, dtype: str | None) -> str:
    found = dtype or str(given("dtype") or given("torch_dtype") or "bfloat16").removeprefix("torch.")
    if found not in ("bfloat16", "float32"):
        raise ArgumentError(
            f"{given.name}: dtype is {found!r}, wanted bfloat16 or float32; form_of(config, 'bfloat16') takes it as another one"
        )
    return found


def _windows(given: _Config, kind: str, layers: int) -> tuple[int, ...]:
    size = given.count("sliding_window", 0) if given("sliding_window") else 0
    kinds = given("layer_types")
    if kinds is not None:
        if isinstance(kinds, str) or not isinstance(kinds, Sequence) or len(kinds) != layers:
            found = f"{len(kinds)} entries" if isinstance(kinds, list | tuple) else repr(kinds)
            raise ArgumentError(f"{given.name}: layer_types has {found}, wanted one for each of the {layers} layers")
        for found in kinds:
            if found not in ("full_attention", "sliding_attention"):
                raise ArgumentError(f"{given.name}: layer_types has '{found}'; compiled are full and sliding attention")
        return tuple(size if found == "sliding_attention" else 0 for found in kinds)
    if given("use_sliding_window") is False or (kind in ("qwen2", "qwen3") and not given("use_sliding_window")):
        return (0,) * layers
    if kind in ("qwen2", "qwen3"):
        first = 28 if given("max_window_layers") is None else given("max_window_layers")
        return tuple(size if n >= _number(given.name, "max_window_layers", first, 0, least=0) else 0 for n in range(layers))
    if kind in ("gemma3", "gemma3_text"):
        pattern = given.count("sliding_window_pattern", 6)
        return tuple(size if (n + 1) % pattern else 0 for n in range(layers))
    if kind == "gemma2":
        return tuple(0 if n % 2 else size for n in range(layers))
    return (size,) * layers


@dataclass(frozen=True)
class _Config:
    given: Any

    @property
    def name(self) -> str:
        return type(self.given).__name__ if not isinstance(self.given, Mapping) else "the configuration"

    def __call__(self, name: str) -> Any:
        if isinstance(self.given, Mapping):
            return self.given.get(name)
        return getattr(self.given, name, None)

    def count(self, name: str, default: int | None = None) -> int:
        found = self(name)
        if found is None and default is not None:
            return default
        if isinstance(found, bool) or not isinstance(found, int) or found < 1:
            raise ArgumentError(f"{self.name}: {name} is {found!r}, wanted a whole number from 1")
        return found

    def number(self, name: str, default: float) -> float:
        return _number(self.name, name, self(name), default)


def _number(where: str, name: str, found: float | None, default: float, least: float | None = None) -> float:
    """`found` as a number above 0, or from `least`; `default` where it is None."""
    if found is None:
        return float(default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not (found > 0 if least is None else found >= least):
        raise ArgumentError(f"{where}: {name} is {found!r}, wanted a number {'above 0' if least is None else f'from {least}'}")
    return float(found)
