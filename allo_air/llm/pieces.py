"""The parts of a decoder that are compiled, as PyTorch modules. Weights are arguments, so that equal layers share a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from allo_air.llm.form import Form
from allo_air.llm.planes import PLANE_COLUMNS, planes_for, planes_of, unit_of

if TYPE_CHECKING:
    from torch import Tensor

_ACTIVATIONS: dict[str, Any] = {
    "silu": functional.silu,
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "relu": functional.relu,
}


def linear(x: torch.Tensor, weight: tuple[torch.Tensor, ...], bias: tuple[object, ...] = ()) -> Any:
    """`x` [rows, columns] times packed weights; a single row is a vector, which streams the weights once."""
    result = _of_vector(x[0], weight)[None] if x.shape[0] == 1 else _of_rows(x, weight)
    return result + bias[0] if bias else result


def _of_vector(x: torch.Tensor, weight: tuple[torch.Tensor, ...]) -> Any:
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


def _of_rows(x: torch.Tensor, weight: tuple[torch.Tensor, ...]) -> Any:
    if len(weight) == 1:
        return functional.linear(x, weight[0])
    if len(weight) == 2:
        return functional.linear(x, (weight[0].float() * weight[1].float()[:, None]).to(x.dtype))
    bytes_, scale, zero = weight
    low, high = (bytes_ & 15).float(), (bytes_ & -16).float() / 16 + 8
    numbers = torch.stack((low, high), 2) - zero.float()[..., None, None]
    return functional.linear(x, (numbers * scale.float()[..., None, None]).reshape(len(bytes_), -1).to(x.dtype))


def norm(x: torch.Tensor, weight: tuple[Tensor, ...], eps: float) -> Any:
    """The norm of rows, computed in f32: with a weight of their root mean square; with a weight and a bias less their mean; the
    rows themselves if there are no tensors.
    """
    if not weight:
        return x
    wide = x.float()
    if len(weight) == 2:
        wide = wide - wide.mean(-1, keepdim=True)
    result = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * weight[0].float()
    return (result + weight[1].float() if len(weight) == 2 else result).to(x.dtype)


def rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> Any:
    """`x` [rows, heads, head] with its first elements rotated by the angles of each row."""
    size = cos.shape[-1]
    if size < x.shape[-1]:
        return torch.cat((rotated(x[..., :size], cos, sin), x[..., size:]), -1)
    low, high = x.chunk(2, -1)
    return x * cos[:, None] + torch.cat((-high, low), -1) * sin[:, None]


def heads_of_product(form: Form, tensor: torch.Tensor, norms: Any, angles: tuple[Tensor, ...]) -> Any:
    """From the rows of the product: queries, keys and values as [heads, rows, head], normalized and rotated."""
    if form.whole_norms:
        wide, narrow = form.heads * form.head, form.kv_heads * form.head
        q, k, v = tensor.split([wide, narrow, narrow], 1)
        tensor = torch.cat((norm(q, norms[0], form.eps), norm(k, norms[1], form.eps), v), 1)
    parts = list(tensor.reshape(len(tensor), -1, form.head).split([form.heads, form.kv_heads, form.kv_heads], 1))
    if norms and not form.whole_norms:
        parts = [norm(parts[0], norms[0], form.eps), norm(parts[1], norms[1], form.eps), parts[2]]
    queries, keys = (rotated(p, *angles) if angles else p for p in parts[:2])
    return tuple(p.transpose(0, 1) for p in (queries, keys, parts[2]))


def residual_and_norm(
    form: Form, x: torch.Tensor, y: torch.Tensor, after: tuple[Tensor, ...], weight: tuple[Tensor, ...]
) -> Any:
    """`x` plus a block's output `y`; and this sum, normalized for the next block."""
    y = norm(y, after, form.eps)
    x = x + (y if form.residual == 1 else y * form.residual)
    return x, norm(x, weight, form.eps)


def gated(form: Form, both: torch.Tensor) -> Any:
    """The activation of rows; with a gate the activation of the first half of each row, times the second half."""
    if not form.gate:
        return _ACTIVATIONS[form.activation](both)
    gate, up = both.chunk(2, -1)
    return _ACTIVATIONS[form.activation](gate) * up


def expert_weights(form: Form, y: Tensor, router: Tensor, shared: Tensor = ()) -> Any:
    """The weight [rows, experts] of each expert in the output for rows `y`, in f32; most are 0. Last are the parts of the
    expert that all tokens use, with a weight that `shared` computes.
    """
    powers = torch.softmax(functional.linear(y, router).float(), -1)
    greatest, places = powers.topk(form.chosen, -1)
    if form.shares_sum_to_one:
        greatest = greatest / greatest.sum(-1, keepdim=True)
    weights = torch.zeros_like(powers).scatter(1, places, greatest)
    if not form.shared:
        return weights
    return torch.cat((weights, torch.sigmoid(functional.linear(y, shared).float()).expand(-1, form.shared)), 1)


class Piece(nn.Module):  # type: ignore[misc]
    """A part of a layer of some Form."""

    def __init__(self, form: Form, window: int = 0) -> None:
        super().__init__()
        self.form, self.window = form, window


class Norm(Piece):
    """The norm before the first layer."""

    def forward(self, x: torch.Tensor, weight: tuple[Tensor, ...]) -> Any:
        """Rows `x`, normalized."""
        return norm(x, weight, self.form.eps)


class Product(Piece):
    """A product of a token's row. The host computes the rest of the row, which would need a separate configuration."""

    def forward(self, y: torch.Tensor, weight: tuple[torch.Tensor, ...], bias: tuple[Tensor, ...]) -> Any:
        """The row times packed weights."""
        return linear(y, weight, bias)


class StreamedProduct(Product):
    """A product of a token's row and 4-bit weights, which a program of `allo_air.llm.int4` computes."""

    def finish(self, product: Tensor, bias: tuple[Tensor, ...] = ()) -> Any:
        """The piece's result for the product's row `product`."""
        return product + bias[0] if bias else product


class WholeProduct(Piece):
    """A product of a token's row and 8-bit weights in integers on the array; the host applies the scales.

    The row is split into planes of 8-bit integers, in as many columns as an instruction takes. A row of weights that is a
    multiple of `columns` long is treated as several rows, each with its own planes, so that all products with equal `columns`
    share one configuration.
    """

    def __init__(self, form: Form, columns: int) -> None:
        super().__init__(form)
        self.columns = columns

    def forward(self, numbers: Tensor, planes: Tensor) -> Any:
        """A sum for each row of `numbers` and each of `planes`."""
        return torch._int_mm(numbers, planes)

    def core_inputs(self, y: Tensor, weight: tuple[Tensor, ...], *_: object) -> tuple[Any, ...]:
        """The arguments of `forward` for the row `y` and packed weights."""
        return weight[0].reshape(-1, self.columns), planes_of(y, self.columns)

    def finish(self, sums: Tensor, y: Tensor, weight: tuple[Tensor, ...], bias: tuple[Tensor, ...] = ()) -> Any:
        """The result of `linear`, computed from the result of `forward`."""
        parts = y.shape[1] // self.columns
        count = planes_for(parts)
        own = sums.double().reshape(-1, parts, PLANE_COLUMNS)[:, :, : parts * count].reshape(-1, parts, parts, count)
        places = torch.tensor([256.0**n for n in reversed(range(count))], dtype=torch.float64)
        total = (own.diagonal(dim1=1, dim2=2).sum(2) * places).sum(1) * unit_of(y, count) * weight[1].double()
        result = total.to(y.dtype)[None]
        return result + bias[0] if bias else result


class Project(Piece):
    """Queries, keys and values with their biases, head norms and rotation."""

    def forward(
        self, y: object, qkv: tuple[Tensor, ...], bias: tuple[Tensor, ...], norms: object, angles: tuple[Tensor, ...]
    ) -> Any:
        """Queries, keys and values for normalized rows `y`, as [heads, rows, head]."""
        return heads_of_product(self.form, linear(y, qkv, bias), norms, angles)


class AttendToken(Piece):
    """Attention of one query of each head to a cache.

    `mask` is added to the scores [key heads, queries or 1, keys]: minus infinity for hidden keys. Without, `with_mask` adds
    channels to keys and queries: `q` is 1 in one of them; `keys` are 0 there for visible keys, and below all scores for hidden
    ones.
    """

    def forward(self, q: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: Tensor) -> Any:
        """The outputs of the heads, concatenated in one row."""
        form = self.form
        queries = q.reshape(form.kv_heads, form.group, -1)
        scores = capped(torch.matmul(queries.float(), keys.float().transpose(1, 2)) * form.scale, form.cap)
        powers = torch.softmax(scores + mask[0] if mask else scores, -1).to(q.dtype)
        return torch.matmul(powers, values).reshape(1, -1)


MASK_CHANNELS = 8
"""Number of channels that are added to a key, since cores process eight at a time; the first one is the mask."""

HIDDEN = -(2.0**99)
"""The value that is added to the scores of hidden keys, before scaling."""


def with_mask(q: Tensor) -> Any:
    """Queries with the additional channels of the mask."""
    more = torch.zeros(*q.shape[:-1], MASK_CHANNELS, dtype=q.dtype)
    more[..., 0] = 1
    return torch.cat((q, more), -1)


class AttendPrompt(Piece):
    """Attention of a prompt's queries, each to the keys up to its own."""

    def forward(self, q: Tensor, keys: Tensor, values: Tensor, slopes: tuple[Tensor, ...]) -> Any:
        """The outputs of the heads, concatenated in one row for each query. `slopes` grow scores with the number of a key."""
        form, rows = self.form, q.shape[1]
        keys, values = (t[:, None].expand(-1, form.group, -1, -1).reshape(form.heads, rows, form.head) for t in (keys, values))
        scores = capped(torch.matmul(q.float(), keys.float().transpose(1, 2)) * form.scale, form.cap)
        number = torch.arange(rows)
        if slopes:
            scores = scores + slopes[0][:, None, None] * number.float()
        distance = number[:, None] - number[None, :]
        seen = distance >= 0 if not self.window else (distance >= 0) & (distance < self.window)
        powers = torch.softmax(torch.where(seen, scores, float("-inf")), -1).to(q.dtype)
        return torch.matmul(powers, values).transpose(0, 1).reshape(rows, -1)


class Output(Piece):
    """The product after attention, the residual, and the norm of the feed-forward."""

    def forward(
        self,
        x: object,
        attended: object,
        o: tuple[Tensor, ...],
        bias: tuple[Tensor, ...],
        after: tuple[Tensor, ...],
        weight: tuple[Tensor, ...],
    ) -> Any:
        """Rows `x` plus the product of the attention output `attended`; and this sum, normalized."""
        result = residual_and_norm(self.form, x, linear(attended, o, bias), after, weight)
        return result if self.form.has_middle_norm else result[0]


class Gated(Piece):
    """The first half of the feed-forward, with its gate."""

    def forward(self, y: object, gate_up: tuple[Tensor, ...], bias: tuple[Tensor, ...]) -> Any:
        """The argument of `Down`, for normalized rows."""
        return gated(self.form, linear(y, gate_up, bias))


class Down(Piece):
    """The second half of the feed-forward, the residual, and the norm of the next layer or of the head."""

    def forward(
        self,
        x: object,
        z: object,
        down: tuple[Tensor, ...],
        bias: tuple[Tensor, ...],
        after: tuple[Tensor, ...],
        weight: tuple[Tensor, ...],
    ) -> Any:
        """Rows `x` plus the output of the feed-forward, and the sum normalized."""
        result = residual_and_norm(self.form, x, linear(z, down, bias), after, weight)
        return result if self.form.before_norms else result[0]


class Head(Piece):
    """The logits of one row."""

    def forward(self, y: object, head: tuple[Tensor, ...], bias: tuple[Tensor, ...]) -> Any:
        """Logits as f32 for a normalized row."""
        return logits(self.form, linear(y, head, bias))[0]


def logits(form: Form, product: torch.Tensor) -> Any:
    """Logits as f32 from the product of the last row."""
    wide = product.float()
    return capped(wide if form.logits == 1 else wide / form.logits, form.final_cap)


def capped(x: torch.Tensor, cap: float) -> Any:
    """`x` with a soft cap, if it is not 0."""
    return torch.tanh(x / cap) * cap if cap else x


class StreamedHead(StreamedProduct):
    """`Head` for 4-bit weights."""

    def forward(self, y: object, weight: tuple[Tensor, ...], bias: tuple[Tensor, ...] = ()) -> Any:
        """Logits as f32 for a normalized row."""
        return self.finish(linear(y, weight), bias)

    def finish(self, product: Tensor, bias: tuple[Tensor, ...] = ()) -> Any:
        """Logits as f32."""
        return logits(self.form, super().finish(product, bias))[0]


class WholeHead(WholeProduct):
    """`Head` for 8-bit weights."""

    def finish(self, sums: Tensor, y: Tensor, weight: tuple[Tensor, ...], bias: tuple[Tensor, ...] = ()) -> Any:
        """Logits as f32."""
        return logits(self.form, super().finish(sums, y, weight, bias))[0]
