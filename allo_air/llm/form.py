"""What a causal language model consists of, read from its configuration: sizes, and which variants its layers have."""

from __future__ import annotations

from collections.abc import Mapping
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
    """What scores are multiplied by."""
    rotary: int
    """Elements of a head that are rotated, the first ones."""
    windows: tuple[int, ...]
    """For each layer how many keys a query sees, itself included; 0 for all."""
    activation: str = "silu"
    cap: float = 0.0
    """Soft cap of scores, 0 for none."""
    final_cap: float = 0.0
    """Soft cap of logits, 0 for none."""
    qkv_bias: bool = False
    out_bias: bool = False
    head_norms: bool = False
    """Whether queries and keys are normalized, head by head."""
    after_norms: bool = False
    """Whether what a block adds is normalized, as Gemma 2 and 3 do."""
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


def form_of(config: Any, dtype: str | None = None) -> Form:
    """The Form that a configuration of transformers, a mapping or an object with its names describes.

    ArgumentError names what is missing, and what this form of models does not have.
    """
    given = _Config(config)
    for name, what in _REFUSED.items():
        if given(name) not in (None, 0, 1, 1.0, [], False):
            raise ArgumentError(f"{given.name}: {name} is {given(name)!r}: {what} are not compiled")
    kind = str(given("model_type") or "")
    hidden, heads, layers = (given.count(n) for n in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    kv_heads = given("num_key_value_heads") or heads
    head = given("head_dim") or hidden // heads
    if heads % kv_heads:
        raise ArgumentError(f"{given.name}: {heads} heads are not divisible by {kv_heads} heads of keys")
    activation = str(given("hidden_activation") or given("hidden_act") or "silu")
    if activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise ArgumentError(f"{given.name}: activation '{activation}' is not compiled; there are {known}")
    rope = given("rope_parameters") or {}
    partial = given("partial_rotary_factor") or (rope.get("partial_rotary_factor") if isinstance(rope, Mapping) else None)
    return Form(
        hidden,
        layers,
        heads,
        kv_heads,
        head,
        given.count("intermediate_size"),
        given.count("vocab_size"),
        float(given("rms_norm_eps") or 1e-6),
        float(given("query_pre_attn_scalar") or head) ** -0.5,
        int(head * (partial or 1)),
        _windows(given, kind, layers),
        _ACTIVATIONS[activation],
        float(given("attn_logit_softcapping") or 0),
        float(given("final_logit_softcapping") or 0),
        kind == "qwen2" or bool(given("attention_bias")),
        bool(given("attention_bias")),
        kind in ("qwen3", "gemma3", "gemma3_text"),
        kind in ("gemma2", "gemma3", "gemma3_text"),
        kind.startswith("gemma"),
        bool(given("tie_word_embeddings")),
        dtype or str(given("dtype") or given("torch_dtype") or "bfloat16").removeprefix("torch."),
    )


def _windows(given: _Config, kind: str, layers: int) -> tuple[int, ...]:
    size = given("sliding_window") or 0
    kinds = given("layer_types")
    if kinds is not None:
        for found in kinds:
            if found not in ("full_attention", "sliding_attention"):
                raise ArgumentError(f"{given.name}: layer_types has '{found}'; compiled are full and sliding attention")
        return tuple(size if found == "sliding_attention" else 0 for found in kinds[:layers])
    if given("use_sliding_window") is False or kind == "qwen2":
        return (0,) * layers
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

    def count(self, name: str) -> int:
        found = self(name)
        if isinstance(found, bool) or not isinstance(found, int) or found < 1:
            raise ArgumentError(f"{self.name}: {name} is {found!r}, wanted a whole number from 1")
        return found
