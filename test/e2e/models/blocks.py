"""Small networks of PyTorch, of the kinds that people compile; weights are drawn from a seed."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


class Mlp(nn.Module):
    """Two linear layers and a softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(40, 72), nn.Linear(72, 10)

    def forward(self, x: Any) -> Any:
        return torch.softmax(self.down(torch.relu(self.up(x))), -1)


class Residual(nn.Module):
    """A block of a residual network, its norms folded by eval()."""

    def __init__(self, channels: int = 16) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2))

    def forward(self, x: Any) -> Any:
        y = torch.relu(self.norms[0](self.first(x)))
        return torch.relu(x + self.norms[1](self.second(y)))


class Inverted(nn.Module):
    """A block of a MobileNet: expand, one filter a channel, project."""

    def __init__(self) -> None:
        super().__init__()
        self.expand = nn.Conv2d(8, 24, 1)
        self.depthwise = nn.Conv2d(24, 24, 3, padding=1, groups=24)
        self.project = nn.Conv2d(24, 8, 1)

    def forward(self, x: Any) -> Any:
        return x + self.project(F.relu6(self.depthwise(F.relu6(self.expand(x)))))


class Encoder(nn.Module):
    """A block of a vision transformer."""

    def __init__(self, width: int = 32, heads: int = 2) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Any) -> Any:
        y = self.norms[0](x)
        x = x + self.attend(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.norms[1](x))


class Decoder(nn.Module):
    """A block of GPT-2: causal attention."""

    def __init__(self, width: int = 32, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.project, self.back = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x: Any) -> Any:
        batch, length, width = x.shape
        parts = self.project(self.norms[0](x)).split(width, -1)
        q, k, v = (p.view(batch, length, self.heads, -1).transpose(1, 2) for p in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.back(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norms[1](x))


class Llama(nn.Module):
    """A block of a Llama: RMS norm, rotary positions, grouped heads, SwiGLU."""

    def __init__(self, width: int = 32, heads: int = 4, groups: int = 2, length: int = 12) -> None:
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.norms = nn.ParameterList(nn.Parameter(1 + torch.randn(width) / 8) for _ in range(2))
        self.q = nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.out = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * width, width, bias=False)
        angle = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, self.size, 2) / self.size))
        self.register_buffer("cos", torch.cat([angle.cos()] * 2, -1))
        self.register_buffer("sin", torch.cat([angle.sin()] * 2, -1))

    def norm(self, x: Any, weight: Any) -> Any:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight

    def heads_of(self, x: Any, cos: Any, sin: Any) -> tuple[Any, Any, Any]:
        """Queries, keys and values of the heads, turned by the angles of their positions."""
        y, half = self.norm(x, self.norms[0]), self.size // 2
        q, k, v = (p(y).view(*x.shape[:2], -1, self.size).transpose(1, 2) for p in (self.q, self.k, self.v))

        def turned(t: Any) -> Any:
            return t * cos + torch.cat([-t[..., half:], t[..., :half]], -1) * sin

        return turned(q), turned(k), v

    def attended(self, x: Any, q: Any, k: Any, v: Any, mask: Any) -> Any:
        """The block after its keys and values: queries see what `mask` is true for."""
        k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (k, v))
        scores = q @ k.transpose(-1, -2) / self.size**0.5
        y = torch.softmax(scores.masked_fill(~mask, float("-inf")), -1) @ v
        x = x + self.out(y.transpose(1, 2).reshape(x.shape))
        y = self.norm(x, self.norms[1])
        return x + self.down(F.silu(self.gate(y)) * self.up(y))

    def forward(self, x: Any) -> Any:
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        return self.attended(x, *self.heads_of(x, self.cos, self.sin), mask)


class Recurrent(nn.Module):
    """Steps of a GRU cell."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.cell = nn.GRUCell(width, width)

    def forward(self, x: Any, state: Any) -> Any:
        found = []
        for step in range(x.shape[0]):
            state = self.cell(x[step], state)
            found.append(state)
        return torch.stack(found), state


class Words(nn.Module):
    """Tokens looked up in a table, a norm, and the likeliest next token of each."""

    def __init__(self, count: int = 3000, width: int = 32) -> None:
        super().__init__()
        self.table, self.norm = nn.Embedding(count, width), nn.LayerNorm(width)
        self.head = nn.Linear(width, 20)

    def forward(self, tokens: Any) -> Any:
        return self.head(self.norm(self.table(tokens)))


def made(kind: type[nn.Module], *args: Any) -> nn.Module:
    """The network with seeded weights, for inference."""
    torch.manual_seed(0)
    return kind(*args).eval()


class Named(nn.Module):
    """Layers with names, and a table that the host picks rows from."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(3000, 32)
        self.layers = nn.ModuleList(nn.ModuleDict({"up": nn.Linear(32, 64), "down": nn.Linear(64, 32)}) for _ in range(2))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens)
        for layer in self.layers:
            x = x + layer["down"](layer["up"](x).relu())
        return x


class Speaker(nn.Module):
    """A small Llama with a cache: `prompt` reads tokens at once, `step` one more; both return logits, keys and values."""

    def __init__(self, count: int = 50, width: int = 32, layers: int = 1, length: int = 16) -> None:
        super().__init__()
        self.length = length
        self.table, self.head = nn.Embedding(count, width), nn.Linear(width, count, bias=False)
        self.layers = nn.ModuleList(Llama(width, length=length) for _ in range(layers))
        self.scale = nn.Parameter(1 + torch.randn(width) / 8)

    def prompt(self, tokens: Any) -> Any:
        count = tokens.shape[1]
        x, keys, values = self.table(tokens), [], []
        mask = torch.ones(count, count, dtype=torch.bool).tril()
        for layer in self.layers:
            q, k, v = layer.heads_of(x, layer.cos[:count], layer.sin[:count])
            x = layer.attended(x, q, k, v, mask)
            for cache, part in ((keys, k), (values, v)):
                cache.append(F.pad(part, (0, 0, 0, self.length - count)))
        return self.logits(x[:, -1]), keys, values

    def step(self, token: Any, position: Any, keys: Any, values: Any) -> Any:
        x, keys, values = self.table(token), list(keys), list(values)
        mask = torch.arange(self.length) <= position
        for n, layer in enumerate(self.layers):
            q, k, v = layer.heads_of(x, layer.cos[position], layer.sin[position])
            keys[n], values[n] = keys[n].index_copy(2, position, k), values[n].index_copy(2, position, v)
            x = layer.attended(x, q, keys[n], values[n], mask)
        return self.logits(x[:, -1]), keys, values

    def logits(self, x: Any) -> Any:
        return self.head(self.layers[0].norm(x, self.scale))
