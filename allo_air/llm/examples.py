"""The pieces of a model for a number of rows and keys, with example tensors. All tensors are distinct objects, since
torch.export would merge equal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from allo_air.llm import int4
from allo_air.llm.form import Form
from allo_air.llm.pieces import (
    MASK_CHANNELS,
    AttendPrompt,
    AttendToken,
    Down,
    Gated,
    Head,
    Norm,
    Output,
    Product,
    Project,
    StreamedHead,
    StreamedProduct,
    WholeHead,
    WholeProduct,
)
from allo_air.llm.planes import PLANE_COLUMNS, columns_of
from allo_air.llm.quantized import arbitrary_like

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class Example:
    """A piece with example arguments, how often a pass through the model runs it, and the bytes of weights and cache that it
    reads.
    """

    name: str
    module: Any
    args: tuple[Any, ...]
    times: int
    weights: int = 0
    cache: int = 0

    @property
    def rows(self) -> int:
        """Rows of a prompt, or 1."""
        return int(self.args[0].shape[-2])

    @property
    def shapes(self) -> str:
        """The shapes of its arguments, separated by spaces."""
        return " ".join("x".join(map(str, t.shape)) for t in _tensors(self.args))


def attention_name(window: int) -> str:
    """The name of a prompt's attention."""
    return f"attend {window}" if window else "attend"


def examples(form: Form, kind: str, group: int, rows: int, context: int, *, streams: bool = False) -> list[Example]:
    """The pieces of a pass: for a token with a cache of `context` keys if `rows` is 1, else for a prompt of `rows` tokens.

    With `streams`, all products of a token are StreamedProducts.
    """
    dtype = getattr(torch, form.dtype)

    def empty(*shape: int) -> Any:
        return torch.empty(*shape, dtype=dtype)

    def matrix(name: str) -> tuple[Any, ...]:
        return arbitrary_like(*form.linears[name], kind, group, dtype, name)

    def bias_of(exists: bool, size: int) -> tuple[Any, ...]:
        return (empty(size),) if exists else ()

    def norm_of(exists: bool, *shape: int) -> tuple[Any, ...]:
        return tuple(empty(*shape) for _ in range(1 + form.centered)) if exists else ()

    x = empty(rows, form.hidden)
    bias, out_bias = bias_of(form.qkv_bias, form.linears["qkv"][0]), bias_of(form.out_bias, form.hidden)
    inner_bias, down_bias = bias_of(form.inner_bias, form.linears["gate_up"][0]), bias_of(form.down_bias, form.hidden)
    result, inner = empty(rows, form.heads * form.head), empty(rows, form.inner)
    matrices = {name: matrix(name) for name in form.linears}
    sizes = {name: _bytes(value) for name, value in matrices.items()}
    last_bias = bias_of(form.head_bias, form.vocab)
    head = (empty(1, form.hidden), arbitrary_like(form.vocab, form.hidden, kind, group, dtype, "the head"), last_bias)
    streams = streams or (kind == "int4" and int4.is_supported(group))
    whole = kind == "int8" and not streams
    module = WholeHead(form, form.hidden) if whole else StreamedHead(form) if streams else Head(form)
    last = Example("head", module, _planes(head[1], form.hidden) if whole else head, 1, _bytes(head[1]))
    if rows == 1:
        of_row = {
            "project": (x, "qkv", bias),
            "output": (result, "o", out_bias),
            "gated": (x, "gate_up", inner_bias),
            "down": (inner, "down", down_bias),
        }
        products = list[Example]()
        for name, (y, of, more) in of_row.items():
            columns = columns_of(form, form.linears[of][1])
            piece, args = StreamedProduct(form) if streams else Product(form), (y, matrices[of], more)
            if whole:
                piece, args = WholeProduct(form, columns), _planes(matrices[of], columns)
            times = form.layers * (form.chosen + form.shared or 1) if name in ("gated", "down") else form.layers
            products.append(Example(name, piece, args, times, sizes[of]))
        return [products[0], _attention(form, context, empty), *products[1:], last]
    after, wide = norm_of(form.after_norms, form.hidden), norm_of(form.before_norms, form.hidden)
    norms = tuple(norm_of(True, *form.head_norm(n)) for n in (form.heads, form.kv_heads)) if form.head_norms else ()
    angles = tuple(empty(rows, form.rotary) for _ in range(2)) if form.rotary else ()
    slopes = (torch.empty(form.heads),) if form.alibi else ()
    queries, keys, values = (empty(n, rows, form.head) for n in (form.heads, form.kv_heads, form.kv_heads))
    project = (x, matrices["qkv"], bias, norms, angles)
    output = (x, result, matrices["o"], out_bias, after, norm_of(form.has_middle_norm, form.hidden))
    times = form.layers * (form.experts + form.shared or 1)
    down: tuple[Any, ...] = (x, inner, matrices["down"], down_bias, after, wide)
    if form.experts:
        down = (inner, matrices["down"], ())
    count = 1 + form.layers * (form.parallel and form.own_norm)
    begins = [Example("norm", Norm(form), (x, wide), count)] if form.before_norms else []
    return [
        *begins,
        Example("project", Project(form), project, form.layers, sizes["qkv"]),
        *(
            Example(attention_name(w), AttendPrompt(form, w), (queries, keys, values, slopes), form.windows.count(w))
            for w in sorted(set(form.windows))
        ),
        Example("output", Output(form), output, form.layers, sizes["o"]),
        Example("gated", Gated(form), (x, matrices["gate_up"], inner_bias), times, sizes["gate_up"]),
        Example("down", Product(form) if form.experts else Down(form), down, times, sizes["down"]),
        last,
    ]


def _attention(form: Form, context: int, empty: Callable[..., object]) -> Example:
    more = 0 if form.has_mask else MASK_CHANNELS
    keys, values = (empty(form.kv_heads, context, form.head + n) for n in (more, 0))
    mask = (torch.empty(form.kv_heads, form.group, context),) if form.alibi else (torch.empty(context),) if form.cap else ()
    args = (empty(form.heads, 1, form.head + more), keys, values, mask)
    return Example("attend", AttendToken(form), args, form.layers, 0, _bytes((keys, values)))


def _planes(weight: tuple[Tensor, ...], columns: int) -> tuple[Any, ...]:
    """The arguments of a WholeProduct with `columns` columns, for packed weights."""
    return weight[0].reshape(-1, columns), torch.empty(columns, PLANE_COLUMNS, dtype=torch.int8)


def _bytes(tensors: tuple[torch.Tensor, ...]) -> int:
    return sum(int(t.nbytes) for t in _tensors(tensors))


def _tensors(value: torch.Tensor | tuple[torch.Tensor, ...]) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    else:
        for part in value:
            yield from _tensors(part)
