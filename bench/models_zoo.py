"""Small models of common kinds with random weights, for `models.py`: each is made with an example's inputs."""

from __future__ import annotations

from collections.abc import Callable

import torch
from models_zoo_parts import PARTS, Made
from torch import nn
from torch.nn import functional as fn


class Residual(nn.Module):
    """A block of ResNet-18: two convolutions, and what goes around them."""

    def __init__(self, given: int, made: int, stride: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(convolved(given, made, 3, stride), nn.ReLU(), convolved(made, made, 3))
        self.around = nn.Identity() if given == made and stride == 1 else convolved(given, made, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return fn.relu(self.body(x) + self.around(x))


class Inverted(nn.Module):
    """A block of MobileNet-v2, or with a gate of EfficientNet."""

    def __init__(self, given: int, made: int, stride: int = 1, *, gate: bool = False) -> None:
        super().__init__()
        wide, act = 4 * given, nn.SiLU if gate else nn.ReLU6
        self.front = nn.Sequential(convolved(given, wide, 1), act(), convolved(wide, wide, 3, stride, wide), act())
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(wide, given, 1), nn.SiLU(), nn.Conv2d(given, wide, 1), nn.Sigmoid()
        )
        self.has_gate, self.back, self.adds = gate, convolved(wide, made, 1), given == made and stride == 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.front(x)
        y = self.back(y * self.gate(y) if self.has_gate else y)
        return x + y if self.adds else y


class ConvNext(nn.Module):
    """A block of ConvNeXt."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.scale = nn.Parameter(torch.rand(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        return x + (self.scale * self.down(fn.gelu(self.up(y)))).permute(0, 3, 1, 2)


class Attention(nn.Module):
    """Attention of several heads; with `rotary` positions turn queries and keys."""

    def __init__(self, width: int, heads: int, *, causal: bool = False, rotary: bool = False) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=not rotary), nn.Linear(width, width, bias=not rotary)
        self.heads, self.causal, self.rotary = heads, causal, rotary

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        if self.rotary:
            angle = torch.arange(t)[:, None] / 10000 ** (torch.arange(0, d // self.heads, 2) / (d // self.heads))
            turn = torch.cat([angle, angle], -1)
            q, k = (z * turn.cos() + torch.cat([-z.chunk(2, -1)[1], z.chunk(2, -1)[0]], -1) * turn.sin() for z in (q, k))
        y = fn.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    """A layer of a transformer with norms in front."""

    def __init__(self, width: int, heads: int, *, causal: bool = False) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = Attention(width, heads, causal=causal)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Llama(nn.Module):
    """A layer of Llama: RMS norms, rotary positions, a gate."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(width, 1e-6), nn.RMSNorm(width, 1e-6)
        self.attn = Attention(width, heads, causal=True, rotary=True)
        self.gate, self.up, self.down = (nn.Linear(a, b, bias=False) for a, b in ((width, 256), (width, 256), (256, width)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.norm1(x))
        y = self.norm2(x)
        return x + self.down(fn.silu(self.gate(y)) * self.up(y))


class Mixer(nn.Module):
    """A block of MLP-Mixer: an MLP along the patches, and one along the channels."""

    def __init__(self, patches: int, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.patches, self.channels = (
            nn.Sequential(nn.Linear(n, 2 * n), nn.GELU(), nn.Linear(2 * n, n)) for n in (patches, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.patches(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Text(nn.Module):
    """Tokens through layers: GPT-2, BERT, the text side of CLIP."""

    def __init__(self, width: int, heads: int, layers: int, tokens: int, *, causal: bool) -> None:
        super().__init__()
        self.token, self.position = nn.Embedding(1000, width), nn.Parameter(torch.randn(tokens, width))
        self.layers = nn.Sequential(*(Layer(width, heads, causal=causal) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 64)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.norm(self.layers(self.token(tokens) + self.position)))


class Patches(nn.Module):
    """ViT, or with `audio` Whisper's encoder: what layers see comes from a convolution."""

    def __init__(self, width: int, heads: int, layers: int, *, audio: bool = False) -> None:
        super().__init__()
        one = nn.Sequential(nn.Conv1d(40, width, 3, padding=1), nn.GELU(), nn.Conv1d(width, width, 3, 2, 1), nn.GELU())
        self.embed = one if audio else nn.Conv2d(3, width, 8, 8)
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.layers(self.embed(x).flatten(2).transpose(1, 2)))


class UNet(nn.Module):
    """Down, up, and beside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.one = nn.Sequential(convolved(3, width, 3), nn.ReLU())
        self.two = nn.Sequential(nn.MaxPool2d(2), convolved(width, 2 * width, 3), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.last = nn.Sequential(convolved(2 * width, width, 3), nn.ReLU(), nn.Conv2d(width, 2, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one = self.one(x)
        return self.last(torch.cat([one, self.up(self.two(one))], 1))


class Yolo(nn.Module):
    """A part of YOLOv8's kind: SiLU, splits that are joined again, poolings one after another, a larger picture beside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolved(3, width, 3, 2), nn.SiLU(), convolved(width, 2 * width, 3, 2), nn.SiLU())
        self.inner = nn.Sequential(convolved(width, width, 3), nn.SiLU(), convolved(width, width, 3), nn.SiLU())
        self.join = nn.Sequential(convolved(3 * width, 2 * width, 1), nn.SiLU())
        self.pool, self.head = nn.MaxPool2d(5, 1, 2), nn.Conv2d(6 * width, 16, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one, two = self.stem(x).chunk(2, 1)
        y = self.join(torch.cat([one, two, two + self.inner(two)], 1))
        pooled = self.pool(y)
        return self.head(fn.interpolate(torch.cat([y, pooled, self.pool(pooled)], 1), scale_factor=2.0))


class Reader(nn.Module):
    """CRNN, which reads text: convolutions, then LSTMs along the columns."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolved(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), convolved(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.lstm, self.head = nn.LSTM(64, 32, bidirectional=True, batch_first=True), nn.Linear(64, 40)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.lstm(self.body(x).flatten(1, 2).transpose(1, 2))[0])


class Conformer(nn.Module):
    """A block of a speech model: attention between halves of MLPs, and a depthwise convolution along time."""

    def __init__(self, width: int) -> None:
        super().__init__()
        mlp = [
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width))
            for _ in "12"
        ]
        self.first, self.last = mlp
        self.norm, self.attn, self.norm2 = nn.LayerNorm(width), Attention(width, 4), nn.LayerNorm(width)
        self.wide, self.time = nn.Conv1d(width, 2 * width, 1), nn.Conv1d(width, width, 15, padding=7, groups=width)
        self.batch, self.back = nn.BatchNorm1d(width), nn.Conv1d(width, width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.first(x) / 2
        x = x + self.attn(self.norm(x))
        y = fn.glu(self.wide(self.norm2(x).transpose(1, 2)), 1)
        x = x + self.back(fn.silu(self.batch(self.time(y)))).transpose(1, 2)
        return x + self.last(x) / 2


class Recurrent(nn.Module):
    """An LSTM."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(32, 64, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lstm(x)[0]


def convolved(given: int, made: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """A convolution with its batch norm."""
    conv = nn.Conv2d(given, made, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(made))


def resnet(widths: tuple[int, ...], blocks: int, classes: int) -> nn.Module:
    """ResNet with two convolutions a block."""
    layers, given = list[nn.Module](), widths[0]
    for n, width in enumerate(widths):
        for block in range(blocks):
            layers.append(Residual(given, width, 2 if n and not block else 1))
            given = width
    stem = [convolved(3, widths[0], 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    return nn.Sequential(*stem, *layers, *_head(given, classes))


def _head(width: int, classes: int) -> list[nn.Module]:
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, classes)]


def _mobile(*, gate: bool) -> nn.Module:
    stem = [convolved(3, 16, 3, 2), nn.SiLU() if gate else nn.ReLU6()]
    body = [Inverted(16, 24, 2, gate=gate), Inverted(24, 24, gate=gate), Inverted(24, 40, 2, gate=gate)]
    return nn.Sequential(*stem, *body, *_head(40, 10))


def _tokens(count: int) -> torch.Tensor:
    return torch.randint(0, 1000, (1, count))


MODELS: dict[str, Callable[[], Made]] = {
    "resnet18": lambda: (resnet((64, 128, 256, 512), 2, 1000), torch.randn(1, 3, 224, 224)),
    "resnet-small": lambda: (resnet((16, 32), 1, 10), torch.randn(1, 3, 32, 32)),
    "mobilenet-v2": lambda: (_mobile(gate=False), torch.randn(1, 3, 64, 64)),
    "efficientnet": lambda: (_mobile(gate=True), torch.randn(1, 3, 64, 64)),
    "convnext": lambda: (
        nn.Sequential(nn.Conv2d(3, 32, 4, 4), ConvNext(32), ConvNext(32), *_head(32, 10)),
        torch.randn(1, 3, 64, 64),
    ),
    "vit": lambda: (Patches(64, 4, 4), torch.randn(1, 3, 64, 64)),
    "vit-short": lambda: (Patches(64, 4, 2), torch.randn(1, 3, 32, 32)),
    "mixer": lambda: (nn.Sequential(Mixer(16, 64), Mixer(16, 64)), torch.randn(1, 16, 64)),
    "whisper-encoder": lambda: (Patches(64, 4, 2, audio=True), torch.randn(1, 40, 128)),
    "gpt2": lambda: (Text(128, 4, 12, 64, causal=True), _tokens(64)),
    "gpt2-short": lambda: (Text(128, 4, 2, 64, causal=True), _tokens(64)),
    "bert": lambda: (Text(64, 4, 4, 48, causal=False), _tokens(48)),
    "clip-text": lambda: (Text(64, 4, 4, 77, causal=True), _tokens(77)),
    "llama": lambda: (nn.Sequential(Llama(64, 4), Llama(64, 4)), torch.randn(1, 32, 64)),
    "unet": lambda: (UNet(16), torch.randn(1, 3, 32, 32)),
    "yolo": lambda: (Yolo(16), torch.randn(1, 3, 64, 64)),
    "crnn": lambda: (Reader(), torch.randn(1, 1, 8, 32)),
    "conformer": lambda: (Conformer(64), torch.randn(1, 48, 64)),
    "lstm-8": lambda: (Recurrent(), torch.randn(1, 8, 32)),
    "lstm-32": lambda: (Recurrent(), torch.randn(1, 32, 32)),
    **PARTS,
}
"""Makers of models with their example, by name."""


def made(name: str) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    """The model called `name` in evaluation, with weights that are the same each time and norms that change something."""
    torch.manual_seed(0)
    model, example = MODELS[name]()
    for norm in model.modules():
        if isinstance(norm, nn.BatchNorm1d | nn.BatchNorm2d):
            norm.running_mean.normal_(0, 0.1)
            norm.running_var.uniform_(0.5, 1.5)
    return model.eval(), (example,) if isinstance(example, torch.Tensor) else example
