"""Draws the task graph of a function in graphviz's language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.names import channel_of, sym_name_of
from allo_air.dialects.air_values import ASYNC, HIERARCHIES
from allo_air.errors import PassError
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


def write_graph(function: ir.Operation, folder: str, *, cores: bool = False) -> None:
    """Writes the tasks of `function`, if it has a body, to FUNCTION.dot in `folder`; raises PassError if that fails."""
    if not any(len(region.blocks) for region in function.regions):
        return
    path = Path(folder) / f"{sym_name_of(function)}.dot"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dot(function, cores=cores))
    except OSError as error:
        raise PassError(
            f"cannot write its task graph to '{path}': {error.strerror}; give a writable folder as output-dir",
            function.location,
            function.name,
        ) from None


def dot(function: ir.Operation, *, cores: bool = False) -> str:
    """The tasks of `function` in the dot language: boxes for hierarchies, loops and branches, arrows for tokens.

    A dashed arrow leads from a put of a channel to the gets that may take its data. With `cores` a herd of constant size has
    a box for each core, with the core's own tasks.
    """
    drawing = _Drawing(cores)
    body = list(drawing.blocks(function, "  "))
    name = sym_name_of(function)
    lines = [f'digraph "{name}" {{', "  node [shape=box, style=filled, fillcolor=white];", *body, *drawing.arrows(), "}"]
    return "\n".join(lines) + "\n"


class _Drawing:
    def __init__(self, cores: bool) -> None:
        self._cores = cores
        self._numbers = count()
        self._makers: dict[Any, int] = {}
        self._waits: list[tuple[int, int]] = []
        self._ends: dict[tuple[str, str], list[int]] = {}
        self._token = ir.Type.parse("!air.async.token")

    def blocks(self, op: ir.Operation, indent: str) -> Iterator[str]:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    yield from self._op(inner.operation, indent)

    def arrows(self) -> Iterator[str]:
        for maker, number in self._waits:
            yield f"  n{maker} -> n{number};"
        for (channel, end), puts in self._ends.items():
            for put_number in puts if end == "put" else ():
                for get in self._ends.get((channel, "get"), ()):
                    yield f'  n{put_number} -> n{get} [style=dashed, constraint=false, label="@{channel}"];'

    def _op(self, op: ir.Operation, indent: str) -> Iterator[str]:
        tokens = [v for v in op.results if v.type == self._token]
        holds = bool(len(op.regions)) and op.name != "air.execute"
        if op.name not in ASYNC and not tokens:
            if holds:
                yield from self.blocks(op, indent)
            return
        number = next(self._numbers)
        deps = deps_of(op)
        self._waits += [(self._makers[token], number) for token in deps if token in self._makers]
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
        cores = self._cores_of(op)
        for core in cores:
            yield f"{indent}  subgraph cluster_{number}_{'_'.join(map(str, core))} {{"
            yield f'{indent}    label="core ({", ".join(map(str, core))})";'
            yield from self.blocks(op, indent + "    ")
            yield f"{indent}  }}"
        if not cores:
            yield from self.blocks(op, indent + "  ")
        yield f"{indent}}}"

    def _cores_of(self, op: AnyOp) -> list[tuple[int, ...]]:
        """The ids of the cores for which the contents of `op` are drawn separately."""
        sizes = [constant_of(s) for s in op.opview.sizes] if self._cores and op.name == "air.herd" else []
        constants = [s for s in sizes if s is not None]
        return list(product(*map(range, constants))) if sizes and len(constants) == len(sizes) else []


def _label(op: AnyOp) -> str:
    parts = [op.name.removeprefix("air.")]
    if op.name == "air.execute":
        parts = [o.operation.name for b in op.regions[0].blocks for o in b.operations][:-1]
    parts += [f"@{op.attributes[a].value}" for a in ("sym_name", "chan_name") if a in op.attributes]
    if "id" in op.attributes:
        parts.append(f"#{op.attributes['id'].value}")
    return " ".join(parts)
