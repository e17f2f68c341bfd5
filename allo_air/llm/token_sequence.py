"""The order in which a token's steps run: products, attention, and the commands of the core between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np

from allo_air.llm.steps import SCALARS, Steps
from allo_air.llm.stitched import Constants, Piece, Place, Writer, at_offsets
from allo_air.llm.token_cores import ATTEND


def token_sequence(
    steps: Steps, values: Sequence[Mapping[str, np.ndarray]], last: np.ndarray
) -> tuple[str, dict[str, tuple[str, int]], np.ndarray]:
    """The text of a token's sequence, its arguments and constants.

    `values` are the vectors of each layer, `last` the weights of the last norm.
    """
    constants = Constants()
    recorded = _Recorded(steps, constants, values, last)
    recorded.run()
    longest = 1 + max((args[1] for action, args in recorded.steps if action == "command"), default=0)
    buffers = steps.buffers(constants.size)
    element, size = buffers["rows"]
    buffers["rows"] = element, size + longest * steps.between.bytes
    pieces = [args[0] for action, args in recorded.steps if action == "piece"]
    if steps.only:
        used = {p.buffer for piece in pieces for p in piece.places}
        buffers = {n: b for n, b in buffers.items() if n in used}
    writer = Writer(steps.between, buffers, size)
    following = iter([*pieces[1:], None])
    for action, args in recorded.steps:
        if action == "piece":
            writer.piece(args[0], next(following))
        else:
            writer.command(*args)
    array = np.concatenate([*constants.chunks, np.zeros(steps.slack, np.float32)])
    return writer.text("token", SCALARS), buffers, array


@dataclass
class _Recorded:
    """The steps in order, and their constants."""

    steps_of: Steps
    constants: Constants
    values: Sequence[Mapping[str, np.ndarray]]
    last: np.ndarray
    steps: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    def run(self) -> None:
        """Records a token."""
        s, form = self.steps_of, self.steps_of.form
        for name in s.only:
            self._piece(name, 0)
        if s.only:
            return
        first = s.between.chunks(form.hidden)
        embedding = Place("token", 0, (first * s.between.floats,))
        self._norm({"bias": first, "reset": 1}, [embedding], (), self.values[0]["before"], not s.layers)
        for n in range(s.layers):
            self._layer(n)
        if s.has_head:
            self._piece("head", 0)

    def _piece(self, name: str, n: int) -> None:
        """A product, or attention, of a layer; or the head."""
        if name == "head":
            self._product(name, ("head", 0), "logits")
        elif name == ATTEND:
            self._attend(self.steps_of.place("cache", n))
        else:
            self._product(name, self.steps_of.place(name, n))

    def _layer(self, n: int) -> None:
        s, values = self.steps_of, self.values[n]
        following = self.values[n + 1]["before"] if n + 1 < s.layers else self.last
        self._piece("project", n)
        self._rotate(n)
        self._piece(ATTEND, n)
        self._join()
        self._piece("output", n)
        self._sums_and_norm("output", 0, values["o_bias"], values["after"], values["between"])
        self._piece("gated", n)
        for part in range(0, s.parts("down"), s.between.gated_parts):
            self._gate(part, min(s.between.gated_parts, s.parts("down") - part))
        self._piece("down", n)
        self._sums_and_norm("down", 1, values["none"], values["last"], following, n + 1 == s.layers)

    def _product(self, name: str, weights: tuple[str, int], sums: str = "sums") -> None:
        s, (buffer, first) = self.steps_of, weights
        order, phase = s.order, s.phase(name)
        (wide, high), count = order.grid, phase.parts * phase.blocks
        size, own = count * high * s.attend.bytes, high * order.results
        streams = tuple(Place(buffer, first + c * size, (size,)) for c in range(wide))
        shape: tuple[int, ...] = (phase.blocks, own)
        strides: tuple[int, ...] = (wide * own, 1)
        if phase.parts > 1:
            shape, strides = (phase.parts, *shape), (phase.blocks * wide * own, *strides)
        results = tuple(Place(sums, c * own, shape, strides) for c in range(wide))
        self.steps.append(("piece", (Piece(streams, results, Place("rows", 0, (phase.parts * order.row_bytes,))),)))

    def _attend(self, cache: tuple[str, int]) -> None:
        attend, (buffer, first) = self.steps_of.attend, cache
        streams, results = list[Place](), list[Place]()
        state, high = attend.state[0], attend.high
        for c in range(ceil(attend.groups / attend.launches)):
            begin, count = c * attend.launches, attend.launches_of(c)
            streams.append(Place(buffer, first + begin * attend.group_elements, (count * attend.group_elements,)))
            vector = state // attend.vectors
            shape: tuple[int, ...] = (attend.vectors, high, vector)
            strides: tuple[int, ...] = (vector, state, 1)
            if count > 1:
                shape, strides = (count, *shape), (high * state, *strides)
            results.append(Place("sums", begin * high * state, shape, strides))
        self.steps.append(("piece", (Piece(tuple(streams), tuple(results)),)))

    def _command(self, mode: str, places: list[Place], start: np.ndarray, results: list[Place], **fields: int) -> None:
        """A command; its data are in `places`, after `start`."""
        between = self.steps_of.between
        first = self.constants.add(between.command(mode, **fields), between.in_chunks(start))
        self.steps.append(("command", ([first, *places], 1 + fields["data"], results)))

    def _sums(self, name: str, size: int) -> list[Place]:
        s = self.steps_of
        chunks, floats, parts = s.between.chunks(size), s.between.floats, s.parts(name)
        if parts == 1:
            return [Place("sums", 0, (chunks * floats,))]
        return [Place("sums", 0, (parts, chunks * floats), (s.padded(name), 1)).in_rows(1)]

    def _row(self, gives: int, offset: int = 0) -> list[Place]:
        return [Place("rows", offset, (gives * self.steps_of.between.bytes,))]

    def _norm(
        self, fields: dict[str, int], data: list[Place], vectors: Any, weight: np.ndarray, is_last: bool, bias: Any = ()
    ) -> None:
        s = self.steps_of
        between, parts = s.between, s.parts("project")
        gives = between.row_chunks(parts) + int(is_last and not between.is_dense)
        place = self.constants.add(*(between.in_chunks(v) for v in (*vectors, weight)))
        behind = Place("constants", place.offset, (place.elements + gives * between.floats,))
        count = sum(p.elements for p in data) + place.elements + len(between.in_chunks(np.asarray(bias)))
        fields = {**fields, "data": count // between.floats, "gives": gives, "size": s.form.hidden, "sent": parts}
        self._command("norm", [*data, behind], np.asarray(bias), self._row(gives), **fields)

    def _sums_and_norm(
        self, name: str, source: int, bias: np.ndarray, after: np.ndarray, weight: np.ndarray, is_last: bool = False
    ) -> None:
        s = self.steps_of
        fields = {
            "bias": s.between.chunks(len(bias)), "chunks": s.between.chunks(s.form.hidden), "parts": s.parts(name),
            "after": int(len(after) > 0), "source": source,
        }  # fmt: skip
        self._norm(fields, self._sums(name, s.form.hidden), [after] if len(after) else [], weight, is_last, bias)

    def _rotate(self, n: int) -> None:
        s, values = self.steps_of, self.values[n]
        between, form = s.between, s.form
        rows, gives = form.linears["qkv"][0], between.cache_chunks
        sums = self._sums("project", rows)
        norms = [self.constants.add(between.in_chunks(values["head_norms"]))] if len(values["head_norms"]) else []
        start = (between.chunks(form.hidden) + s.kinds.index(form.positions(n))) * between.floats
        angles = Place("token", start, ((1 + gives) * between.floats,))
        bias = between.chunks(len(values["bias"]))
        data = bias + sums[0].elements // between.floats + len(norms) + 1
        self._command(
            "rotate", [*sums, *norms, angles], values["bias"], self._new_in_cache(n), data=data, gives=gives, size=rows,
            bias=bias, chunks=between.chunks(rows), parts=s.parts("project"), head_norms=len(norms),
        )  # fmt: skip

    def _new_in_cache(self, n: int) -> list[Place]:
        """Where the queries, keys and values of a token are written, in a layer's cache."""
        s, attend = self.steps_of, self.steps_of.attend
        (cache, begin), head, heads = s.place("cache", n), attend.head, range(attend.heads)
        all_cores = [attend.offset(attend.core(h, part)) for h in heads for part in range(attend.parts)]
        first = [attend.offset(attend.core(h, 0)) for h in heads]
        queries = Place(cache, begin, (s.between.head_bytes[0] // 2,)).in_rows(2)
        keys = Place(cache, begin, (head // 2, 2), (2 * attend.keys, 1), "keys")
        values = Place(cache, begin, (head,), (1,), "values")
        return at_offsets(queries, all_cores) + at_offsets(keys, first) + at_offsets(values, first)

    def _join(self) -> None:
        s, attend = self.steps_of, self.steps_of.attend
        between, count, parts = s.between, attend.heads * attend.parts, s.parts("output")
        gives = between.row_chunks(parts)
        state, floats = attend.state[0], between.floats
        states = Place("sums", 0, (attend.heads, attend.parts, floats), (state, attend.places * state, 1)).in_rows(1)
        rest = Place("constants", 0, (gives * between.floats,))
        self._command("join", [states, rest], np.zeros(0), self._row(gives), data=count, gives=gives, sent=parts)

    def _gate(self, part: int, sent: int) -> None:
        s = self.steps_of
        between, columns, inner = s.between, s.order.columns, s.form.inner
        count, parts, gives = between.chunks(sent * columns), s.parts("gated"), between.row_chunks(sent)
        floats, begin = between.floats, part * columns
        shape: tuple[int, ...] = (2, floats)
        strides: tuple[int, ...] = (inner, 1)
        if parts > 1:
            shape, strides = (parts, *shape), (s.padded("gated"), *strides)
        if between.has_long_chunks:
            both = [Place("sums", begin + n * floats, shape, strides).in_rows(1) for n in range(count)]
        else:
            both = [Place("sums", begin, (count, *shape), (floats, *strides)).in_rows(1)]
        rest = Place("constants", 0, (gives * between.floats,))
        fields = {
            "data": 2 * parts * count, "gives": gives, "size": min(sent * columns, inner - begin), "parts": parts,
            "target": 1, "part": part, "sent": sent, "gelu": int(s.form.activation != "silu"),
        }  # fmt: skip
        self._command("gated", [*both, rest], np.zeros(0), self._row(gives, part * s.order.row_bytes), **fields)
