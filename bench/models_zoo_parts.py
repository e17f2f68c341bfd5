"""Parts of larger models with random weights, for `models.py`: what layers of `models_zoo.py` have not."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as fn


class Windows(nn.Module):
    """A block of Swin: attention in shifted windows with a bias by relative position, and a mask of its regions."""

    def __init__(self, width: int, window: int, shift: int, heads: int = 2) -> None:
        super().__init__()
        self.window, self.shift, self.heads = window, shift, heads
        self.norm, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        line = torch.arange(window)
        at = torch.stack(torch.meshgrid(line, line, indexing="ij")).flatten(1)
        apart = at[:, :, None] - at[:, None] + window - 1
        self.register_buffer("places", (apart[0] * (2 * window - 1) + apart[1]).flatten())

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        b, h, w, c = x.shape
        n, heads = self.window, self.heads
        region = x.new_zeros((h, w))
        bands = (slice(0, -n), slice(-n, -self.shift), slice(-self.shift, None))
        for number, (rows, columns) in enumerate((r, c) for r in bands for c in bands):
            region[rows, columns] = number
        region = region.view(h // n, n, w // n, n).permute(0, 2, 1, 3).reshape(-1, n * n)
        hidden = torch.where(region[:, None] == region[:, :, None], 0.0, -100.0)
        x = torch.roll(x, (-self.shift, -self.shift), (1, 2))
        x = x.view(b, h // n, n, w // n, n, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, n * n, c)
        q, k, v = self.qkv(x).reshape(-1, n * n, 3, heads, c // heads).permute(2, 0, 3, 1, 4)
        bias = self.table[self.places].view(n * n, n * n, heads).permute(2, 0, 1)
        y = fn.softmax(q @ k.transpose(-2, -1) * (c // heads) ** -0.5 + bias + hidden[:, None], -1) @ v
        y = self.out(y.transpose(1, 2).reshape(-1, n * n, c))
        y = y.view(b, h // n, w // n, n, n, c).permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)
        return torch.roll(y, (self.shift, self.shift), (1, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attend(self.norm(x))
        return x + self.mlp(self.norm2(x))


class Waves(nn.Module):
    """The front of wav2vec 2: strided convolutions of a wave, a norm by channel, positions by a convolution in groups."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv1d(1, width, 10, 5, bias=False), nn.GroupNorm(width, width)
        self.next, self.last = nn.Conv1d(width, width, 3, 2, bias=False), nn.LayerNorm(width)
        self.place = nn.utils.parametrizations.weight_norm(nn.Conv1d(width, width, 16, padding=8, groups=4), dim=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = fn.gelu(self.next(fn.gelu(self.norm(self.first(x)))))
        x = self.last(x.transpose(1, 2)).transpose(1, 2)
        return x + fn.gelu(self.place(x)[:, :, :-1])


class Denoiser(nn.Module):
    """A block of a diffusion model: group norms, the time's embedding, attention to a text, a gate of GELU."""

    def __init__(self, width: int, text: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.GroupNorm(8, width) for _ in "12")
        self.convs = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in "12")
        self.time, self.lines = nn.Linear(16, width), nn.ModuleList(nn.LayerNorm(width) for _ in "12")
        self.q, self.kv = nn.Linear(width, width, bias=False), nn.Linear(text, 2 * width, bias=False)
        self.wide, self.back = nn.Linear(width, 4 * width), nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor, time: torch.Tensor, text: torch.Tensor) -> torch.Tensor:
        angles = time[:, None] * torch.exp(-9.21 * torch.arange(8) / 8)
        time = self.time(fn.silu(torch.cat([angles.cos(), angles.sin()], -1)))
        y = self.convs[0](fn.silu(self.norms[0](x))) + time[:, :, None, None]
        x = x + self.convs[1](fn.silu(self.norms[1](y)))
        b, c, h, w = x.shape
        y = x.flatten(2).transpose(1, 2)
        heads = [z.view(b, -1, 2, c // 2).transpose(1, 2) for z in (self.q(self.lines[0](y)), *self.kv(text).chunk(2, -1))]
        y = y + fn.scaled_dot_product_attention(*heads).transpose(1, 2).reshape(b, h * w, c)
        up, gate = self.wide(self.lines[1](y)).chunk(2, -1)
        return (y + self.back(up * fn.gelu(gate))).transpose(1, 2).view(b, c, h, w)


class Scan(nn.Module):
    """A block of Mamba: a causal convolution by channel, and a recurrence whose factors depend on the input."""

    def __init__(self, width: int, states: int) -> None:
        super().__init__()
        self.inner, self.states = nn.Linear(width, 4 * width, bias=False), states
        self.conv = nn.Conv1d(2 * width, 2 * width, 4, padding=3, groups=2 * width)
        self.parts, self.step = nn.Linear(2 * width, 2 + 2 * states, bias=False), nn.Linear(2, 2 * width)
        self.decay = nn.Parameter(torch.log(torch.arange(1.0, states + 1).repeat(2 * width, 1)))
        self.out = nn.Linear(2 * width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = x.shape[1]
        x, gate = self.inner(x).chunk(2, -1)
        x = fn.silu(self.conv(x.transpose(1, 2))[..., :tokens]).transpose(1, 2)
        step, b, c = self.parts(x).split([2, self.states, self.states], -1)
        step = fn.softplus(self.step(step))
        keep = torch.exp(-step[..., None] * self.decay.exp())
        new, state, results = step[..., None] * b[:, :, None] * x[..., None], 0.0, list[torch.Tensor]()
        for token in range(tokens):
            state = keep[:, token] * state + new[:, token]
            results.append((state * c[:, token, None]).sum(-1))
        return self.out(torch.stack(results, 1) * fn.silu(gate))


class Boxes(nn.Module):
    """The head of YOLOv8: distances to a box's sides as means of 16 numbers, and classes."""

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        self.box, self.of, self.classes = nn.Conv2d(width, 64, 1), nn.Conv2d(width, classes, 1), classes
        self.register_buffer("numbers", torch.arange(16.0).view(1, 16, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, _, h, w = x.shape
        sides = self.box(x).view(b, 4, 16, h * w).transpose(1, 2).softmax(1)
        low, high = (sides * self.numbers).sum(1).chunk(2, 1)
        y, x_ = torch.meshgrid(torch.arange(h) + 0.5, torch.arange(w) + 0.5, indexing="ij")
        at = torch.stack([x_, y]).flatten(1)
        return torch.cat([at - low, at + high, self.of(x).flatten(2).sigmoid()], 1)


class Gates(nn.Module):
    """A bidirectional GRU after a wide strided convolution, as in speech recognition by CTC."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.batch = nn.Conv2d(1, 8, (11, 5), 2, (5, 2)), nn.BatchNorm2d(8)
        self.gru, self.head = nn.GRU(8 * 10, 16, bidirectional=True, batch_first=True), nn.Linear(32, 29)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = fn.hardtanh(self.batch(self.conv(x)), 0, 20).flatten(1, 2).transpose(1, 2)
        return fn.log_softmax(self.head(self.gru(x)[0]), -1)


class Spectrum(nn.Module):
    """The front of Whisper: a Fourier transform by a convolution, a filter bank, logarithms below their maximum."""

    def __init__(self, size: int = 64, bands: int = 20) -> None:
        super().__init__()
        angles = torch.arange(size // 2 + 1)[:, None] * torch.arange(size) * 2 * torch.pi / size
        window = torch.hann_window(size)
        self.register_buffer("waves", torch.cat([angles.cos() * window, angles.sin() * window])[:, None])
        self.register_buffer("bank", torch.rand(bands, size // 2 + 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one, two = fn.conv1d(fn.pad(x[:, None], (32, 32), mode="reflect"), self.waves, stride=16).chunk(2, 1)
        power = torch.log10(torch.clamp(self.bank @ (one * one + two * two), min=1e-10))
        return (torch.maximum(power, power.amax((1, 2), keepdim=True) - 8.0) + 4) / 4


Made = tuple[nn.Module, torch.Tensor | tuple[torch.Tensor, ...]]

PARTS: dict[str, Callable[[], Made]] = {
    "swin": lambda: (Windows(24, 7, 3), torch.randn(1, 14, 14, 24)),
    "wav2vec": lambda: (Waves(32), torch.randn(1, 1, 640)),
    "diffusion": lambda: (Denoiser(32, 24), (torch.randn(1, 32, 8, 8), torch.tensor([3.0]), torch.randn(1, 17, 24))),
    "mamba": lambda: (Scan(16, 8), torch.randn(1, 10, 16)),
    "boxes": lambda: (Boxes(16, 5), torch.randn(1, 16, 10, 10)),
    "speech-ctc": lambda: (Gates(), torch.randn(1, 1, 20, 12)),
    "spectrum": lambda: (Spectrum(), torch.randn(1, 800)),
}
"""Makers of parts with their example, by name."""
