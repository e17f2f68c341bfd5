"""A decoder of Llama's form in plain PyTorch, with the names of transformers; weights are drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Config:
    """Sizes of a small model."""

    hidden_size: int = 128
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    head_dim: int = 32
    intermediate_size: int = 192
    vocab_size: int = 64
    rms_norm_eps: float = 1e-5
    rope_theta: float = 1000.0
    hidden_act: str = "silu"
    model_type: str = "llama"
    partial_rotary_factor: float = 1.0
    sliding_window: int | None = None
    attn_logit_softcapping: float | None = None
    final_logit_softcapping: float | None = None
    num_local_experts: int = 1
    num_experts_per_tok: int = 1
    norm_topk_prob: bool = True
    embedding_multiplier: float = 1.0
    attention_multiplier: float | None = None
    residual_multiplier: float | None = None
    logits_scaling: float | None = None
    shared_expert_intermediate_size: int | None = None


class Norm(nn.Module):
    """An RMS norm."""

    offset = 0
    """What is added to the weight."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight, self.eps = nn.Parameter(1 + 0.1 * torch.randn(size)), eps

    def forward(self, x: Any) -> Any:
        wide = x.float() if x.dtype == torch.bfloat16 else x
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).to(x.dtype) * (self.weight + self.offset)


def capped(x: Any, cap: float | None) -> Any:
    """`x` with a soft cap."""
    return torch.tanh(x / cap) * cap if cap else x


class Attention(nn.Module):
    """Causal attention of grouped heads with rotated queries and keys."""

    def __init__(self, c: Config, bias: bool, head_norms: bool) -> None:
        super().__init__()
        self.c, wide, narrow = c, c.num_attention_heads * c.head_dim, c.num_key_value_heads * c.head_dim
        self.q_proj = nn.Linear(c.hidden_size, wide, bias)
        self.k_proj, self.v_proj = (nn.Linear(c.hidden_size, narrow, bias) for _ in range(2))
        self.o_proj = nn.Linear(wide, c.hidden_size, bias=False)
        if head_norms:
            self.q_norm, self.k_norm = (Norm(c.head_dim, c.rms_norm_eps) for _ in range(2))

    def forward(self, x: Any) -> Any:
        batch, rows, _ = x.shape
        q, k, v = (p(x) for p in (self.q_proj, self.k_proj, self.v_proj))
        is_whole = hasattr(self, "q_norm") and len(self.q_norm.weight) > self.c.head_dim
        if is_whole:
            q, k = self.q_norm(q), self.k_norm(k)
        q, k, v = (t.view(batch, rows, -1, self.c.head_dim) for t in (q, k, v))
        if hasattr(self, "q_norm") and not is_whole:
            q, k = self.q_norm(q), self.k_norm(k)
        q, k, v = self.turned(q).transpose(1, 2), self.turned(k).transpose(1, 2), v.transpose(1, 2)
        c, behind = self.c, torch.arange(rows)[:, None] - torch.arange(rows)
        k, v = (t.repeat_interleave(c.num_attention_heads // c.num_key_value_heads, 1) for t in (k, v))
        scores = capped(q @ k.transpose(2, 3) * (c.attention_multiplier or c.head_dim**-0.5), c.attn_logit_softcapping)
        seen = (behind >= 0) & (behind < (c.sliding_window or rows))
        found = F.softmax(scores.masked_fill(~seen, float("-inf")), -1) @ v
        return self.o_proj(found.transpose(1, 2).reshape(batch, rows, -1))

    def turned(self, x: Any) -> Any:
        size = int(self.c.head_dim * self.c.partial_rotary_factor)
        x, rest = x[..., :size], x[..., size:]
        turns = self.c.rope_theta ** -(torch.arange(0, size, 2) / size)
        angles = (torch.arange(x.shape[1])[:, None] * turns).repeat(1, 2)[:, None]
        low, high = x.chunk(2, -1)
        return torch.cat((x * angles.cos().to(x.dtype) + torch.cat((-high, low), -1) * angles.sin().to(x.dtype), rest), -1)


class FeedForward(nn.Module):
    """A gated feed-forward."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(c.hidden_size, c.intermediate_size, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(c.intermediate_size, c.hidden_size, bias=False)

    def forward(self, x: Any) -> Any:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """Attention and feed-forward."""

    def __init__(self, c: Config, bias: bool, head_norms: bool) -> None:
        super().__init__()
        self.self_attn = Attention(c, bias, head_norms)
        self.mlp: nn.Module = Experts(c) if c.num_local_experts > 1 else FeedForward(c)
        self.input_layernorm, self.post_attention_layernorm = (Norm(c.hidden_size, c.rms_norm_eps) for _ in range(2))

    def forward(self, x: Any) -> Any:
        factor = self.self_attn.c.residual_multiplier or 1
        x = x + self.self_attn(self.input_layernorm(x)) * factor
        return x + self.mlp(self.post_attention_layernorm(x)) * factor


class Joined(nn.Module):
    """A feed-forward whose first two matrices are one parameter."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.gate_up_proj = nn.Linear(c.hidden_size, 2 * c.intermediate_size, bias=False)
        self.down_proj = nn.Linear(c.intermediate_size, c.hidden_size, bias=False)

    def forward(self, x: Any) -> Any:
        gate, up = self.gate_up_proj(x).chunk(2, -1)
        return self.down_proj(F.silu(gate) * up)


class Experts(nn.Module):
    """Feed-forwards of which each token takes the best for it, as in Mixtral and Qwen 3."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c, self.gate = c, nn.Linear(c.hidden_size, c.num_local_experts, bias=False)
        self.experts = nn.ModuleList(FeedForward(c) for _ in range(c.num_local_experts))
        if c.shared_expert_intermediate_size:
            self.shared_expert = FeedForward(replace(c, intermediate_size=c.shared_expert_intermediate_size))
            self.shared_expert_gate = nn.Linear(c.hidden_size, 1, bias=False)

    def forward(self, x: Any) -> Any:
        shares, places = F.softmax(self.gate(x), -1).topk(self.c.num_experts_per_tok, -1)
        if self.c.norm_topk_prob:
            shares = shares / shares.sum(-1, keepdim=True)
        outputs = torch.stack([e(x) for e in self.experts], -2)
        own = outputs.gather(-2, places[..., None].expand(*places.shape, x.shape[-1]))
        result = (own * shares[..., None]).sum(-2)
        if not self.c.shared_expert_intermediate_size:
            return result
        return result + torch.sigmoid(self.shared_expert_gate(x)) * self.shared_expert(x)


class LayerOfSandwiches(Layer):
    """A layer that normalizes what its blocks add, too."""

    def __init__(self, c: Config, bias: bool, head_norms: bool) -> None:
        super().__init__(c, bias, head_norms)
        self.pre_feedforward_layernorm, self.post_feedforward_layernorm = (Norm(c.hidden_size, c.rms_norm_eps) for _ in "xy")

    def forward(self, x: Any) -> Any:
        x = x + self.post_attention_layernorm(self.self_attn(self.input_layernorm(x)))
        return x + self.post_feedforward_layernorm(self.mlp(self.pre_feedforward_layernorm(x)))


class LayerOfOutputs(nn.Module):
    """A layer that normalizes only what its blocks add, and all heads together, as in OLMo 2."""

    def __init__(self, c: Config, bias: bool, head_norms: bool) -> None:
        super().__init__()
        self.self_attn, self.mlp = Attention(c, bias, head_norms), FeedForward(c)
        self.self_attn.q_norm = Norm(c.num_attention_heads * c.head_dim, c.rms_norm_eps)
        self.self_attn.k_norm = Norm(c.num_key_value_heads * c.head_dim, c.rms_norm_eps)
        self.post_attention_layernorm, self.post_feedforward_layernorm = (Norm(c.hidden_size, c.rms_norm_eps) for _ in "xy")

    def forward(self, x: Any) -> Any:
        x = x + self.post_attention_layernorm(self.self_attn(x))
        return x + self.post_feedforward_layernorm(self.mlp(x))


class Decoder(nn.Module):
    """A causal language model."""

    def __init__(
        self, config: Config, *, bias: bool = False, head_norms: bool = False, after: bool = False, only_after: bool = False
    ) -> None:
        super().__init__()
        self.config = config
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        kind = LayerOfOutputs if only_after else LayerOfSandwiches if after else Layer
        self.layers = nn.ModuleList(kind(config, bias, head_norms) for _ in range(config.num_hidden_layers))
        self.norm = Norm(config.hidden_size, config.rms_norm_eps)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, tokens: Any) -> Any:
        x = self.embed_tokens(tokens) * self.config.embedding_multiplier
        for layer in self.layers:
            x = layer(x)
        logits = self.lm_head(self.norm(x)) / (self.config.logits_scaling or 1)
        return capped(logits, self.config.final_logit_softcapping)


def made(config: Config | None = None, seed: int = 0, **options: bool) -> Any:
    """A Decoder with drawn weights."""
    torch.manual_seed(seed)
    return Decoder(config or Config(), **options).eval()


def talkative(model: Any) -> Any:
    """`model` with matrices so large that what layers add counts, so that tokens after a prompt differ."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 2 and parameter is not model.embed_tokens.weight:
                parameter.mul_(3)
    return model


def spoken(model: Any, tokens: list[int], count: int) -> list[int]:
    """The `count` tokens that `model` finds most likely after `tokens`, each time from all that are before."""
    found: list[int] = []
    with torch.no_grad():
        for _ in range(count):
            found.append(int(model(torch.tensor([tokens + found]))[0, -1].argmax()))
    return found
