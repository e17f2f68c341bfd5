"""The runtime sequence that computes a whole token: transfers of all products and of attention, and of the operations between
them.

Layers differ only in addresses. The position decides where new keys and values are written: two scalars of the sequence. While
a product is computed, the transfers of the next one's weights are queued: the memtiles fill with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from allo_air.llm.between import Between

_BYTES = {"i8": 1, "bf16": 2, "f32": 4}
_DIMENSIONS = 4
"""Number of dimensions of a descriptor; the outermost one repeats it."""
_IN_FLIGHT = 4
MOST_STRIDE = 2**20
"""Words of the largest stride of a buffer descriptor."""
_MOST_WORDS = 1023
"""Words of the largest size of a dimension of a buffer descriptor."""


@dataclass(frozen=True)
class Place:
    """A part of an argument of the sequence: `sizes` and `strides` in elements, from `offset` on. `scalar` is added to it."""

    buffer: str
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...] = ()
    scalar: str = ""

    @property
    def elements(self) -> int:
        return prod(self.sizes)

    def in_rows(self, elements: int) -> Place:
        """The same with rows split to the size of a descriptor's dimension; `elements` is the number of elements of a word."""
        row, most = self.sizes[-1], _MOST_WORDS * elements
        if row <= most:
            return self
        size = next(n for n in range(most, 0, -elements) if row % n == 0)
        strides = self.strides or tuple(prod(self.sizes[n + 1 :]) for n in range(len(self.sizes)))
        return replace(self, sizes=(*self.sizes[:-1], row // size, size), strides=(*strides[:-1], size, 1))


@dataclass(frozen=True)
class Piece:
    """The transfers of a product or of attention: by column, the data streamed to the cores and the destination of their
    results; and the row that a product multiplies.
    """

    streams: tuple[Place, ...]
    results: tuple[Place, ...]
    row: Place | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        """All of them."""
        return (*self.streams, *self.results, *([] if self.row is None else [self.row]))


@dataclass
class Constants:
    """Chunks that the core of `between` reads from memory: commands, biases and weights of norms."""

    chunks: list[np.ndarray] = field(default_factory=list)
    size: int = 0

    def add(self, *arrays: np.ndarray) -> Place:
        """Appends whole chunks, and returns their place."""
        begin, self.size = self.size, self.size + sum(len(a) for a in arrays)
        self.chunks += arrays
        return Place("constants", begin, (self.size - begin,))


@dataclass
class Writer:
    """The text of a sequence, while it is written. `buffers` are the types and sizes of its arguments."""

    between: Between
    buffers: dict[str, tuple[str, int]]
    unused: int
    """The place in `rows` of chunks that no step reads."""
    lines: list[str] = field(default_factory=list)
    count: int = 0
    behind: int = 0
    """Bytes that the core has sent after the last row."""
    _queued: tuple[list[str], list[str]] | None = None
    """The tasks of the next piece that have begun, by streams and results."""

    def piece(self, piece: Piece, following: Piece | None) -> None:
        """Runs a piece. The transfers of the `following` one begin, too, if its streams are weights."""
        row = [self._begin("row", piece.row, False)] if piece.row is not None else []
        streams, results = self._queued or self._queue(piece)
        self._queued = self._queue(following) if following is not None and following.row is not None else None
        self.lines += [f"aiex.dma_await_task({name})" for name in results]
        self.lines += [f"aiex.dma_free_task({name})" for name in (*streams, *row)]

    def _queue(self, piece: Piece) -> tuple[list[str], list[str]]:
        streams = [self._begin(f"weights{c}", p, False) for c, p in enumerate(piece.streams)]
        return streams, [self._begin(f"sums{c}", p, True) for c, p in enumerate(piece.results)]

    def _begin(self, channel: str, place: Place, token: bool) -> str:
        name, text = self._task(channel, place, token)
        self.lines.append(text)
        return name

    def _type(self, buffer: str) -> str:
        element, size = self.buffers[buffer]
        return f"memref<{size}x{element}>"

    def command(self, places: Iterable[Place], chunks: int, results: Sequence[Place]) -> None:
        """A command with its data from `places`; the core writes `results` after a number of chunks."""
        first = Place("rows", self.unused, (self.behind + chunks * self.between.bytes,))
        self.behind = -sum(p.elements * _BYTES[self.buffers[p.buffer][0]] for p in results) % self.between.bytes
        sources = [self._task("between_in", p, False) for p in places]
        self._run([self._task("between_out", p, True) for p in (first, *results)], sources)

    def _task(self, channel: str, place: Place, token: bool) -> tuple[str, str]:
        self.count += 1
        name, offset = f"%b{self.count}", str(place.offset)
        lines = []
        if place.scalar:
            offset = f"%o{self.count}"
            lines += [f"%c{self.count} = arith.constant {place.offset} : i32"]
            lines += [f"{offset} = arith.addi %{place.scalar}, %c{self.count} : i32"]
        strides = place.strides or tuple(prod(place.sizes[n + 1 :]) for n in range(len(place.sizes)))
        repeats = place.sizes[0] if len(place.sizes) == _DIMENSIONS else 1
        attributes = ["issue_token = true"] * token + [f"repeat_count = {repeats - 1} : i32"] * (repeats > 1)
        shape = "" if len(place.sizes) == 1 else f" sizes = [{_list(place.sizes)}] strides = [{_list(strides)}]"
        kind = self._type(place.buffer)
        lines += [
            f"{name} = aiex.dma_configure_task_for @{channel} {{",
            f"  aie.dma_bd(%{place.buffer} : {kind} offset = {offset} len = {place.elements // repeats}{shape})",
            "  aie.end",
            "} {" + ", ".join(attributes) + "}",
            f"aiex.dma_start_task({name})",
        ]
        return name, "\n".join(lines)

    def _run(self, outs: list[tuple[str, str]], ins: list[tuple[str, str]]) -> None:
        assert len(ins) <= _IN_FLIGHT
        self.lines += [text for _, text in (*outs[:_IN_FLIGHT], *ins)]
        for number, (name, _) in enumerate(outs):
            self.lines.append(f"aiex.dma_await_task({name})")
            self.lines += [text for _, text in outs[number + _IN_FLIGHT : number + _IN_FLIGHT + 1]]
        self.lines += [f"aiex.dma_free_task({name})" for name, _ in ins]

    def text(self, name: str, scalars: Sequence[str]) -> str:
        """The whole sequence."""
        arguments = [f"%{n}: {self._type(n)}" for n in self.buffers] + [f"%{n}: i32" for n in scalars]
        return f"    aie.runtime_sequence @{name}({', '.join(arguments)}) {{\n" + "\n".join(self.lines) + "\n    }\n"


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def at_offsets(place: Place, offsets: Sequence[int]) -> list[Place]:
    """Copies of `place` at these distances, in order, as few transfers as descriptors allow.

    Distances that are regular become dimensions; a stride is at most MOST_STRIDE words, of two elements.
    """
    dims = _nest(offsets, _DIMENSIONS - len(place.sizes))
    if dims is not None:
        sizes, strides = (tuple(n[i] for n in dims) for i in range(2))
        inner = place.strides or (*(prod(place.sizes[n + 1 :]) for n in range(len(place.sizes))),)
        return [replace(place, offset=place.offset + offsets[0], sizes=(*sizes, *place.sizes), strides=(*strides, *inner))]
    half = len(offsets) // 2
    return at_offsets(place, offsets[:half]) + at_offsets(place, offsets[half:])


def _nest(offsets: Sequence[int], most: int) -> list[tuple[int, int]] | None:
    """Sizes and strides of `offsets`, outermost first, with at most `most` dimensions; None if there are none."""
    if len(offsets) == 1:
        return []
    for inner in range(1, len(offsets)):
        outer, rest = divmod(len(offsets), inner)
        step = offsets[inner] - offsets[0]
        if rest or not 0 < step // 2 <= MOST_STRIDE:
            continue
        if any(offsets[n] - offsets[n - inner] != step for n in range(inner, len(offsets))):
            continue
        dims = _nest(offsets[:inner], most - 1)
        if dims is not None and most > 0:
            return [(outer, step), *dims]
    return None
