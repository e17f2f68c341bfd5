"""A decoder without gates, with norms that subtract the mean: of GPT-2's, GPT-NeoX's, Falcon's and BLOOM's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Config:
    """Sizes and properties of a small model."""

    n_embd: int = 32
    n_layer: int = 2
    n_head: int = 4
    num_key_value_heads: int = 2
    vocab_size: int = 32
    layer_norm_epsilon: float = 1e-5
    activation_function: str = "relu"
    positions: str = "learned"
    use_parallel_residual: bool = False
    norms: int = 2
    logit_scale: float = 1.0
    model_type: str = "plain"
    rope_theta: float | None = None


def rotate_half(x: Any) -> Any:
    """The right and the left elements of pairs."""
    return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)


class Angles(nn.Module):
    """Cosines and sines of positions, for heads of 8 elements."""

    def forward(self, x: Any, positions: Any) -> tuple[Any, Any]:
        angles = (positions[..., None] * 1000.0 ** -(torch.arange(0, 8, 2) / 8)).repeat_interleave(2, -1)
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


class Attention(nn.Module):
    """Attention with the queries, keys and values of a key in one matrix, side by side."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c, self.head = c, c.n_embd // c.n_head
        self.query_key_value = nn.Linear(c.n_embd, (c.n_head + 2 * c.num_key_value_heads) * self.head)
        self.dense = nn.Linear(c.n_embd, c.n_embd)

    def forward(self, x: Any, angles: Any, alibi: Any) -> Any:
        c, rows = self.c, x.shape[1]
        group = c.n_head // c.num_key_value_heads
        parts = self.query_key_value(x).reshape(rows, c.num_key_value_heads, group + 2, self.head)
        q, k, v = parts[:, :, :-2].flatten(1, 2), parts[:, :, -2], parts[:, :, -1]
        if angles is not None:
            cos, sin = (t[0][:, None] for t in angles)
            q, k = (t * cos + rotate_half(t) * sin for t in (q, k))
        k, v = (t.repeat_interleave(group, 1).transpose(0, 1) for t in (k, v))
        scores = q.transpose(0, 1) @ k.transpose(1, 2) * self.head**-0.5 + (0 if alibi is None else alibi)
        hidden = torch.ones(rows, rows).triu(1).bool()
        found = F.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ v
        return self.dense(found.transpose(0, 1).reshape(1, rows, -1))


class FeedForward(nn.Module):
    """Two products with an activation between them."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.dense_h_to_4h, self.dense_4h_to_h = nn.Linear(c.n_embd, 4 * c.n_embd), nn.Linear(4 * c.n_embd, c.n_embd)

    def forward(self, x: Any) -> Any:
        return self.dense_4h_to_h(F.relu(self.dense_h_to_4h(x)))


class Block(nn.Module):
    """Attention and feed-forward, in a row or side by side."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c, self.self_attention, self.mlp = c, Attention(c), FeedForward(c)
        self.ln_1 = nn.LayerNorm(c.n_embd, c.layer_norm_epsilon)
        if c.norms == 2:
            self.ln_2 = nn.LayerNorm(c.n_embd, c.layer_norm_epsilon)

    def forward(self, x: Any, angles: Any = None, alibi: Any = None) -> Any:
        y = self.ln_1(x)
        attended = self.self_attention(y, angles, alibi)
        if self.c.use_parallel_residual:
            return x + attended + self.mlp(self.ln_2(x) if self.c.norms == 2 else y)
        return x + attended + self.mlp(self.ln_2(x + attended))


class Transformer(nn.Module):
    """Embedded tokens, and blocks."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c, self.wte = c, nn.Embedding(c.vocab_size, c.n_embd)
        if c.positions == "learned":
            self.wpe = nn.Embedding(16, c.n_embd)
        self.h = nn.ModuleList(Block(c) for _ in range(c.n_layer))
        self.ln_f = nn.LayerNorm(c.n_embd, c.layer_norm_epsilon)
        if c.positions == "rotary":
            self.rotary_emb = Angles()

    def forward(self, tokens: Any, position_ids: Any = None) -> Any:
        x, places = self.wte(tokens), torch.arange(tokens.shape[1])[None] if position_ids is None else position_ids
        x = x + self.wpe(places) if self.c.positions == "learned" else x
        angles = self.rotary_emb(x, places) if self.c.positions == "rotary" else None
        slopes = torch.tensor([0.5**n for n in range(1, self.c.n_head + 1)], dtype=x.dtype)
        alibi = slopes[:, None, None] * torch.arange(tokens.shape[1]) if self.c.positions == "alibi" else None
        for block in self.h:
            x = block(x, angles, alibi=alibi)
        return self.ln_f(x)


class Plain(nn.Module):
    """A causal language model."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, self.transformer = config, Transformer(config)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)

    def forward(self, tokens: Any) -> Any:
        return self.lm_head(self.transformer(tokens)) * self.config.logit_scale


def made(config: Config, seed: int = 0) -> Any:
    """A Plain model with drawn weights."""
    torch.manual_seed(seed)
    model = Plain(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model
