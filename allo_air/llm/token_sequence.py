"""The order in which a token's steps run: products, attention, and the commands of the core between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allo_air.llm.steps import SCALARS, Steps
from allo_air.llm.stitched import MOST_STRIDE, Constants, Place, Writer


def token_sequence(
    steps: Steps, sequences: Mapping[str, str], values: Sequence[Mapping[str, np.ndarray]], last: np.ndarray
) -> tuple[str, dict[str, tuple[str, int]], np.ndarray]:
    """The text of a token's sequence, its arguments and constants, from the sequences of its pieces.

    `values` are the vectors of each layer, `last` the weights of the last norm.
    """
    constants = Constants()
    recorded = _Recorded(steps, constants, values, last)
    recorded.run()
    longest = 1 + max(args[1] for action, args in recorded.steps if action == "command")
    buffers = steps.buffers(constants.size)
    element, size = buffers["rows"]
    buffers["rows"] = element, size + longest * steps.between.bytes
    writer = Writer(steps.between, sequences, buffers, size)
    for action, args in recorded.steps:
        getattr(writer, action)(*args)
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
        first = s.between.chunks(form.hidden)
        embedding = Place("token", 0, (first * s.between.floats,))
        self._norm({"bias": first, "reset": 1}, [embedding], (), self.values[0]["before"], not s.layers)
        for n in range(s.layers):
            self._layer(n)
        if s.has_head:
            self._piece("head", [("head", 0), ("rows", 0), ("logits", 0)])

    def _layer(self, n: int) -> None:
        s, values = self.steps_of, self.values[n]
        following = self.values[n + 1]["before"] if n + 1 < s.layers else self.last
        self._product("project", n)
        self._rotate(n)
        self._piece("attend", [s.place("cache", n), ("sums", 0)])
        self._join()
        self._product("output", n)
        self._sums_and_norm("output", 0, values["o_bias"], values["after"], values["between"])
        self._product("gated", n)
        for part in range(0, s.parts("down"), s.between.gated_parts):
            self._gate(part, min(s.between.gated_parts, s.parts("down") - part))
        self._product("down", n)
        self._sums_and_norm("down", 1, values["none"], values["last"], following, n + 1 == s.layers)

    def _piece(self, name: str, places: list[tuple[str, int]]) -> None:
        self.steps.append(("piece", (name, places)))

    def _product(self, name: str, layer: int) -> None:
        self._piece(name, [self.steps_of.place(name, layer), ("rows", 0), ("sums", 0)])

    def _command(self, mode: str, places: list[Place], start: np.ndarray, results: list[Place], **fields: int) -> None:
        """A command; its data are in `places`, behind `start`."""
        between = self.steps_of.between
        first = self.constants.add(between.command(mode, **fields), between.in_chunks(start))
        self.steps.append(("command", ([first, *places], 1 + fields["data"], results)))

    def _sums(self, name: str, size: int) -> list[Place]:
        s = self.steps_of
        chunks, floats, parts = s.between.chunks(size), s.between.floats, s.parts(name)
        if parts == 1:
            return [Place("sums", 0, (chunks * floats,))]
        return [Place("sums", 0, (parts, chunks, floats), (s.padded(name), floats, 1))]

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
        (cache, begin), column, chunk, high, head = s.place("cache", n), s.column, s.chunk, attend.high, attend.head
        unit = s.between.head_bytes[0] // 2
        cores = attend.heads * attend.parts
        groups = max(1, cores // high)
        own = min(cores, high)
        queries = [Place(cache, begin + g * column, (own, unit), (chunk, 1)) for g in range(groups)]
        keys, values = list[Place](), list[Place]()
        if attend.parts >= high:
            starts = [h * attend.parts // high * column for h in range(attend.heads)]
            inner: tuple[int, ...] = ()
            inner_strides: tuple[int, ...] = ()
        else:
            starts = [g * column for g in range(groups)]
            inner, inner_strides = (own // attend.parts,), (attend.parts * chunk,)
        for start in starts:
            keys.append(Place(cache, begin + start, (*inner, head // 2, 2), (*inner_strides, 2 * attend.keys, 1), "keys"))
            values.append(Place(cache, begin + start, (*inner, head), (*inner_strides, 1), "values"))
        return _merged(queries, column) + _merged(keys, column) + _merged(values, column)

    def _join(self) -> None:
        s, attend = self.steps_of, self.steps_of.attend
        between, count, parts = s.between, attend.heads * attend.parts, s.parts("output")
        gives = between.row_chunks(parts)
        states = Place("sums", 0, (count, between.floats), (attend.state[0], 1))
        rest = Place("constants", 0, (gives * between.floats,))
        self._command("join", [states, rest], np.zeros(0), self._row(gives), data=count, gives=gives, sent=parts)

    def _gate(self, part: int, sent: int) -> None:
        s = self.steps_of
        between, columns, inner = s.between, s.order.columns, s.form.inner
        count, parts, gives = between.chunks(sent * columns), s.parts("gated"), between.row_chunks(sent)
        floats, begin = between.floats, part * columns
        both = Place("sums", begin, (count, parts, 2, floats), (floats, s.padded("gated"), inner, 1))
        if parts == 1:
            both = Place("sums", begin, (count, 2, floats), (floats, inner, 1))
        rest = Place("constants", 0, (gives * between.floats,))
        fields = {
            "data": both.elements // floats, "gives": gives, "size": min(sent * columns, inner - begin), "parts": parts,
            "target": 1, "part": part, "sent": sent, "gelu": int(s.form.activation != "silu"),
        }  # fmt: skip
        self._command("gated", [both, rest], np.zeros(0), self._row(gives, part * s.order.row_bytes), **fields)


def _merged(places: list[Place], stride: int) -> list[Place]:
    """Places at equal distances as one, if a descriptor has room for the distance."""
    first = places[0]
    if len(places) == 1:
        return places
    step = places[1].offset - first.offset
    if len(first.sizes) > 3 or step // 2 >= MOST_STRIDE:
        return places
    return [Place(first.buffer, first.offset, (len(places), *first.sizes), (step, *first.strides), first.scalar)]
