"""Draws the task graph of a function as graphviz text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from allo_air.core.names import channel_of, sym_name_of
from allo_air.dialects.air_values import ASYNC, HIERARCHIES
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.tokens import deps_of

_COLOURS = {
    "air.execute": "lightblue",
    "air.wait_all": "white",
    "air.dma_memcpy_nd": "gold",
    "air.channel.put": "orange",
    "air.channel.get": "gold",
    **dict.fromkeys(HIERARCHIES, "lightgrey"),
}


def dot(function: ir.Operation) -> str:
    """The tasks of `function` in the dot language: boxes for hierarchies, loops and branches, arrows for tokens.

    A dashed arrow leads from a put of a channel to the gets that may take its data.
    """
    drawing = _Drawing()
    body = list(drawing.blocks(function, "  "))
    name = sym_name_of(function)
    lines = [f'digraph "{name}" {{', "  node [shape=box, style=filled, fillcolor=white];", *body, *drawing.arrows(), "}"]
    return "\n".join(lines) + "\n"


class _Drawing:
    def __init__(self) -> None:
        self._numbers = count()
        self._makers: dict[Any, int] = {}
        self._waits: list[tuple[Any, int]] = []
        self._ends: dict[tuple[str, str], list[int]] = {}
        self._token = ir.Type.parse("!air.async.token")

    def blocks(self, op: ir.Operation, indent: str) -> Iterator[str]:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    yield from self._op(inner.operation, indent)

    def arrows(self) -> Iterator[str]:
        for token, number in self._waits:
            if token in self._makers:
                yield f"  n{self._makers[token]} -> n{number};"
        for (channel, end), puts in self._ends.items():
            for put in puts if end == "put" else ():
                for get in self._ends.get((channel, "get"), ()):
                    yield f'  n{put} -> n{get} [style=dashed, constraint=false, label="@{channel}"];'

    def _op(self, op: ir.Operation, indent: str) -> Iterator[str]:
        tokens = [v for v in op.results if v.type == self._token]
        holds = bool(len(op.regions)) and op.name != "air.execute"
        if op.name not in ASYNC and not tokens:
            if holds:
                yield from self.blocks(op, indent)
            return
        number = next(self._numbers)
        deps = deps_of(op)
        self._waits += [(token, number) for token in deps]
        self._makers.update(dict.fromkeys(tokens, number))
        if "chan_name" in op.attributes:
            self._ends.setdefault((channel_of(op), op.name[-3:]), []).append(number)
        node = f'n{number} [label="{_label(op)}", fillcolor={_COLOURS.get(op.name, "white")}];'
        if not holds:
            yield indent + node
            return
        for region in op.regions:
            for block in region.blocks:
                self._makers.update((a, number) for a in block.arguments if a.type == self._token)
        yield f"{indent}subgraph cluster_{number} {{"
        yield f"{indent}  {node}"
        yield from self.blocks(op, indent + "  ")
        yield f"{indent}}}"


def _label(op: AnyOp) -> str:
    parts = [op.name.removeprefix("air.")]
    if op.name == "air.execute":
        parts = [o.operation.name for b in op.regions[0].blocks for o in b.operations][:-1]
    parts += [f"@{op.attributes[a].value}" for a in ("sym_name", "chan_name") if a in op.attributes]
    if "id" in op.attributes:
        parts.append(f"#{op.attributes['id'].value}")
    return " ".join(parts)
