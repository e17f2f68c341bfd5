"""The parts of a decoder that are compiled, as modules of PyTorch whose weights are arguments: equal layers share them."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from allo_air.llm.form import Form

_ACTIVATIONS: dict[str, Any] = {
    "silu": functional.silu,
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
}


def linear(x: Any, weight: tuple[Any, ...], bias: tuple[object, ...] = ()) -> Any:
    """`x` [rows, columns] times packed weights; a single row is a vector, which streams the weights once."""
    found = _of_vector(x[0], weight)[None] if x.shape[0] == 1 else _of_rows(x, weight)
    return found + bias[0] if bias else found


def _of_vector(x: Any, weight: tuple[Any, ...]) -> Any:
    if len(weight) == 1:
        return torch.mv(weight[0], x)
    if len(weight) == 2:
        return (torch.mv(weight[0].float(), x.float()) * weight[1].float()).to(x.dtype)
    bytes_, scale, zero = weight
    _, groups, half = bytes_.shape
    parts = x.float().reshape(groups, 2, half)
    low, high = parts[:, 0], parts[:, 1]
    sums = ((bytes_ & 15).float() * low + (bytes_ & -16).float() * (high / 16)).sum(2)
    moved = sums + 8 * high.sum(1) - zero.float() * parts.sum((1, 2))
    return (moved * scale.float()).sum(1).to(x.dtype)


def _of_rows(x: Any, weight: tuple[Any, ...]) -> Any:
    if len(weight) == 1:
        return functional.linear(x, weight[0])
    if len(weight) == 2:
        return functional.linear(x, (weight[0].float() * weight[1].float()[:, None]).to(x.dtype))
    bytes_, scale, zero = weight
    low, high = (bytes_ & 15).float(), (bytes_ & -16).float() / 16 + 8
    numbers = torch.stack((low, high), 2) - zero.float()[..., None, None]
    return functional.linear(x, (numbers * scale.float()[..., None, None]).reshape(len(bytes_), -1).to(x.dtype))


def norm(x: Any, weight: Any, eps: float) -> Any:
    """RMS norm of rows, computed in f32."""
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)


def rotated(x: Any, cos: Any, sin: Any) -> Any:
    """`x` [rows, heads, head] with its first elements rotated by the angles of each row."""
    size = cos.shape[-1]
    if size < x.shape[-1]:
        return torch.cat((rotated(x[..., :size], cos, sin), x[..., size:]), -1)
    low, high = x.chunk(2, -1)
    return x * cos[:, None] + torch.cat((-high, low), -1) * sin[:, None]


def turned(form: Form, found: Any, norms: Any, cos: object, sin: object) -> Any:
    """Queries, keys and values as [heads, rows, head] of the rows of a product, normalized and rotated."""
    parts = list(found.reshape(len(found), -1, form.head).split([form.heads, form.kv_heads, form.kv_heads], 1))
    if norms:
        parts = [norm(parts[0], norms[0], form.eps), norm(parts[1], norms[1], form.eps), parts[2]]
    queries, keys = (rotated(p, cos, sin) for p in parts[:2])
    return tuple(p.transpose(0, 1) for p in (queries, keys, parts[2]))


def added(form: Form, x: Any, y: Any, after: Any, weight: object) -> Any:
    """Rows `x` with what a block adds, and these normalized for the next one."""
    x = x + (norm(y, after[0], form.eps) if after else y)
    return x, norm(x, weight, form.eps)


def gated(form: Form, both: Any) -> Any:
    """The activation of the first half of each row times the second half."""
    gate, up = both.chunk(2, -1)
    return _ACTIVATIONS[form.activation](gate) * up


class Piece(nn.Module):  # type: ignore[misc]
    """A part of a layer of some Form."""

    def __init__(self, form: Form, window: int = 0) -> None:
        super().__init__()
        self.form, self.window = form, window


class Norm(Piece):
    """The norm before the first layer."""

    def forward(self, x: object, weight: object) -> Any:
        """Rows `x`, normalized."""
        return norm(x, weight, self.form.eps)


class Product(Piece):
    """A product of a token's row; the host does the rest of the row, which would take a configuration of its own."""

    def forward(self, y: object, weight: Any, bias: Any) -> Any:
        """The row times packed weights."""
        return linear(y, weight, bias)


class WholeProduct(Piece):
    """A product of a token's row and weights of a byte, in whole numbers on the array: its scales are the host's.

    The row is taken apart into planes of numbers of a byte, in as many columns as an instruction takes. Rows of weights that
    are a few times `columns` long count as so many rows, each with planes of its own: products of equal `columns` have one
    configuration.
    """

    def __init__(self, form: Form, columns: int) -> None:
        super().__init__(form)
        self.columns = columns

    def forward(self, numbers: Any, planes: Any) -> Any:
        """A sum for each row of `numbers` and each of `planes`."""
        return torch._int_mm(numbers, planes)

    def given(self, y: Any, weight: Any, *_: Any) -> tuple[Any, ...]:
        """What `forward` takes for the row `y` and packed weights."""
        return weight[0].reshape(-1, self.columns), planes_of(y, self.columns)

    def found(self, sums: Any, y: Any, weight: Any, bias: Any = ()) -> Any:
        """What `linear` would give, of what `forward` gave."""
        parts = y.shape[1] // self.columns
        count = planes_for(parts)
        own = sums.double().reshape(-1, parts, PLANE_COLUMNS)[:, :, : parts * count].reshape(-1, parts, parts, count)
        places = torch.tensor([256.0**n for n in reversed(range(count))], dtype=torch.float64)
        total = (own.diagonal(dim1=1, dim2=2).sum(2) * places).sum(1) * _step_of(y, count) * weight[1].double()
        made = total.to(y.dtype)[None]
        return made + bias[0] if bias else made


class Project(Piece):
    """Queries, keys and values with their biases, head norms and rotation."""

    def forward(self, y: object, qkv: Any, bias: Any, norms: object, cos: object, sin: object) -> Any:
        """Queries, keys and values for normalized rows `y`, as [heads, rows, head]."""
        return turned(self.form, linear(y, qkv, bias), norms, cos, sin)


class AttendToken(Piece):
    """One query of each head against a cache; with soft caps, `mask` is 0 for keys that count and minus infinity for others.

    Without, `q` is 1 in a channel in which `keys` hold 0 or a number below all scores: `with_mask`.
    """

    def forward(self, q: Any, keys: Any, values: object, mask: Any) -> Any:
        """What the heads found, in a row."""
        form = self.form
        queries = q.reshape(form.kv_heads, form.group, -1)
        scores = _capped(torch.matmul(queries.float(), keys.float().transpose(1, 2)) * form.scale, form.cap)
        powers = torch.softmax(scores + mask[0] if mask else scores, -1).to(q.dtype)
        return torch.matmul(powers, values).reshape(1, -1)


MASK_CHANNELS = 8
"""Channels behind those of a key, of which the first one is the mask: cores take eight at once."""

HIDDEN = -(2.0**99)
"""What the mask adds to the scores of keys that do not count, before they are scaled."""


def with_mask(q: Any) -> Any:
    """Queries with the channels in which keys say whether they count."""
    more = torch.zeros(*q.shape[:-1], MASK_CHANNELS, dtype=q.dtype)
    more[..., 0] = 1
    return torch.cat((q, more), -1)


class AttendPrompt(Piece):
    """Queries of a prompt against its keys up to themselves."""

    def forward(self, q: Any, keys: Any, values: Any) -> Any:
        """What the heads found, for each row."""
        form, rows = self.form, q.shape[1]
        keys, values = (t[:, None].expand(-1, form.group, -1, -1).reshape(form.heads, rows, form.head) for t in (keys, values))
        scores = _capped(torch.matmul(q.float(), keys.float().transpose(1, 2)) * form.scale, form.cap)
        number = torch.arange(rows)
        behind = number[:, None] - number[None, :]
        seen = behind >= 0 if not self.window else (behind >= 0) & (behind < self.window)
        powers = torch.softmax(torch.where(seen, scores, float("-inf")), -1).to(q.dtype)
        return torch.matmul(powers, values).transpose(0, 1).reshape(rows, -1)


class Output(Piece):
    """The product behind attention, the residual, and the norm of the feed-forward."""

    def forward(self, x: object, found: object, o: Any, bias: Any, after: object, weight: object) -> Any:
        """Rows `x` with what attention found, and these normalized."""
        return added(self.form, x, linear(found, o, bias), after, weight)


class Gated(Piece):
    """The gated half of the feed-forward."""

    def forward(self, y: object, gate_up: Any) -> Any:
        """What `Down` takes, for normalized rows."""
        return gated(self.form, linear(y, gate_up))


class Down(Piece):
    """The other half of the feed-forward, the residual, and the norm of the next layer or the head."""

    def forward(self, x: object, z: object, down: Any, after: object, weight: object) -> Any:
        """Rows `x` with what the feed-forward adds, and these normalized."""
        return added(self.form, x, linear(z, down), after, weight)


class Head(Piece):
    """The logits of one row."""

    def forward(self, y: object, head: Any) -> Any:
        """Logits as f32 for a normalized row."""
        return _capped(linear(y, head).float(), self.form.final_cap)[0]


def _capped(x: Any, cap: float) -> Any:
    return torch.tanh(x / cap) * cap if cap else x


class WholeHead(WholeProduct):
    """`Head` for weights of a byte."""

    def found(self, sums: Any, y: Any, weight: Any, bias: Any = ()) -> Any:
        """Logits as f32."""
        return _capped(super().found(sums, y, weight).float(), self.form.final_cap)[0]


PLANE_COLUMNS = 8
"""Columns of planes, the last ones of zeros: cores multiply eight at once."""


def columns_of(form: Form, columns: int) -> int:
    """The columns of a WholeProduct for rows of `columns` weights."""
    parts = columns // form.hidden
    return form.hidden if columns % form.hidden == 0 and planes_for(parts) > 1 else columns


def planes_for(parts: int) -> int:
    """Planes of a row in so many parts: with three as many bits as a float's mantissa has, with two 15."""
    return min(3, PLANE_COLUMNS // parts)


def _step_of(y: Any, count: int) -> float:
    """What one of the last of `count` planes stands for."""
    return max(float(y.double().abs().max()), 1e-30) / (127 * 256 ** (count - 1))


def planes_of(y: Any, columns: int) -> Any:
    """The row `y` [1, n] as planes [columns, PLANE_COLUMNS] of i8: first those of its first part, the highest one first."""
    parts = y.shape[1] // columns
    count = planes_for(parts)
    left = (y[0].double() / _step_of(y, count)).round().long().reshape(parts, columns)
    planes = torch.zeros(parts, count, columns, dtype=torch.int8)
    for number in reversed(range(count)):
        low = (left + 128) % 256 - 128 if number else left
        planes[:, number] = low.to(torch.int8)
        left = (left - low) // 256
    found = torch.zeros(columns, PLANE_COLUMNS, dtype=torch.int8)
    found[:, : parts * count] = planes.reshape(parts * count, columns).t()
    return found
