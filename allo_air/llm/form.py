"""The form of a causal language model: sizes, and variants of its layers."""

from __future__ import annotations

from dataclasses import dataclass

GROUP = 64
"""The default of `group`: the number of elements of a row that share a scale in int4."""


@dataclass(frozen=True)
class Form:
    """Sizes and variants of a decoder: norms, attention of grouped heads, a feed-forward, residuals."""

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
    """Number of elements of a head that are rotated: the first ones; 0 if positions are learned, or biases of scores."""
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
    centered: bool = False
    """Whether norms subtract the mean, and may have a bias."""
    parallel: bool = False
    """Whether attention and the feed-forward of a layer have the same input."""
    own_norm: bool = True
    """Whether the feed-forward has a norm of its own; if not, it reads the norm before attention."""
    gate: bool = True
    """Whether the feed-forward multiplies two products."""
    inner_bias: bool = False
    """Whether the first product of the feed-forward has a bias."""
    down_bias: bool = False
    head_bias: bool = False
    """Whether the logits have a bias."""
    norm_of_each_head: bool = False
    """Whether `head_norms` have weights for each head."""
    alibi: bool = False
    """Whether scores grow with the number of the key, by a slope for each head."""
    rotated: tuple[bool, ...] = ()
    """For each layer, whether its queries and keys are rotated; empty for all."""
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
            "gate_up": ((1 + self.gate) * self.inner, self.hidden),
            "down": (self.hidden, self.inner),
        }

    @property
    def has_middle_norm(self) -> bool:
        """Whether the sum after attention is normalized for the feed-forward."""
        return self.before_norms and not self.parallel

    @property
    def has_mask(self) -> bool:
        """Whether attention of a token to the cache adds a mask to the scores."""
        return bool(self.cap) or self.alibi

    def head_norm(self, heads: int) -> tuple[int, ...]:
        """The shape of the norm weights for `heads` heads."""
        if self.whole_norms:
            return (heads * self.head,)
        return (heads, self.head) if self.norm_of_each_head else (self.head,)

    def positions(self, layer: int) -> tuple[int, bool]:
        """The window of a layer, and whether its queries and keys are rotated."""
        return self.windows[layer], self.rotated[layer] if self.rotated else True
