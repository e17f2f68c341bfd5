"""The pieces of a model for so many rows and keys, with tensors like theirs: no two are one, which export would join."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from allo_air.llm.form import Form
from allo_air.llm.pieces import AttendPrompt, AttendToken, Down, Gated, Head, Output, Project
from allo_air.llm.quantized import like


@dataclass(frozen=True, eq=False)
class Example:
    """A piece, what it is called with, how often a pass through the model runs it, and bytes of weights and cache it reads."""

    name: str
    module: Any
    args: tuple[Any, ...]
    times: int
    weights: int = 0
    cache: int = 0

    @property
    def shapes(self) -> str:
        """The shapes of what it takes, in a row."""
        return " ".join("x".join(map(str, t.shape)) for t in _tensors(self.args))


def attention_name(window: int) -> str:
    """The name of a prompt's attention."""
    return f"attend {window}" if window else "attend"


def examples(form: Form, kind: str, group: int, rows: int, context: int) -> list[Example]:
    """The pieces of a pass: of a token with a cache of `context` keys where `rows` is 1, else of a prompt of `rows`."""
    dtype = getattr(torch, form.dtype)

    def empty(*shape: int) -> Any:
        return torch.empty(*shape, dtype=dtype)

    def matrix(name: str) -> tuple[Any, ...]:
        return like(*form.linears[name], kind, group, dtype, name)

    x, wide = empty(rows, form.hidden), empty(form.hidden)
    after = (wide,) if form.after_norms else ()
    biases = tuple(empty(form.linears[n][0]) for n in "qkv") if form.qkv_bias else ()
    norms = (empty(form.head), empty(form.head)) if form.head_norms else ()
    angles = empty(rows, form.rotary), empty(rows, form.rotary)
    queries, keys, values = (empty(n, rows, form.head) for n in (form.heads, form.kv_heads, form.kv_heads))
    project = (x, wide, matrix("q"), matrix("k"), matrix("v"), biases, norms, *angles)
    output = (x, empty(rows, form.heads * form.head), matrix("o"), (empty(form.hidden),) if form.out_bias else (), after)
    inner = empty(rows, form.inner)
    found = [Example("project", Project(form), project, form.layers, _bytes(project[2:5]))]
    if rows == 1:
        cache = [empty(form.kv_heads, context, form.head) for _ in range(2)]
        attend = (queries, *cache, torch.empty(context))
        found.append(Example("attend", AttendToken(form), attend, form.layers, 0, _bytes(cache)))
    else:
        for window in sorted(set(form.windows)):
            times = form.windows.count(window)
            found.append(Example(attention_name(window), AttendPrompt(form, window), (queries, keys, values), times))
    gated = (x, wide, matrix("gate"), matrix("up"))
    head = (empty(1, form.hidden), wide, like(form.vocab, form.hidden, kind, group, dtype, "the head"))
    return [
        *found,
        Example("output", Output(form), output, form.layers, _bytes(output[2])),
        Example("gated", Gated(form), gated, form.layers, _bytes(gated[2:])),
        Example("down", Down(form), (x, inner, matrix("down"), after), form.layers, _bytes(matrix("down"))),
        Example("head", Head(form), head, 1, _bytes(head[2])),
    ]


def _bytes(given: Any) -> int:
    return sum(int(t.nbytes) for t in _tensors(given))


def _tensors(given: Any) -> Iterator[Any]:
    if isinstance(given, torch.Tensor):
        yield given
    else:
        for part in given:
            yield from _tensors(part)
