"""Per shim channel, the transfers of a program as few pieces with many dimensions, in the order the channel moves them.

Time runs from 0 to 1 through a stretch of the program and is shared by all channels: rounds of a loop take equal parts of it,
and within a round each channel's transfers follow one another at the rate of their size. It tells what belongs together when
the pieces of several channels are put in one order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from allo_air.access.dims import Dims
from allo_air.access.linear import Linear
from allo_air.passes.runtime._program import Loop, Node, Steps, Transfer, transfers


@dataclass(frozen=True)
class Piece:
    """Elements of an argument from `offset` on, in the order of `dims`, moved between times `start` and `end`."""

    sources: tuple[Transfer, ...]
    offset: Linear
    dims: Dims
    start: Fraction
    end: Fraction

    def shifted(self, by: Fraction, scale: Fraction) -> Piece:
        """The same piece with time scaled and then moved."""
        return replace(self, start=by + self.start * scale, end=by + self.end * scale)

    @property
    def argument(self) -> int:
        return self.sources[0].argument


def channels(nodes: Iterable[Node]) -> list[str]:
    """The channels that `nodes` use, in the order of the text."""
    return list(dict.fromkeys(t.channel for t in transfers(tuple(nodes))))


def pieces(nodes: Sequence[Node], channel: str) -> list[Piece]:
    """What `channel` moves in `nodes`, its time from 0 to 1."""
    parts = [(_of_node(node, channel), _volume(node, channel)) for node in nodes]
    total = sum(volume for _, volume in parts)
    found: list[Piece] = []
    at = Fraction(0)
    for part, volume in parts:
        if volume:
            scale = Fraction(volume, total)
            found += [p.shifted(at, scale) for p in part]
            at += scale
    return _rolled(found)


def _of_node(node: Node, channel: str) -> list[Piece]:
    match node:
        case Transfer():
            return [Piece((node,), node.offset, node.dims, Fraction(0), Fraction(1))] if node.channel == channel else []
        case Steps():
            part = Fraction(1, len(node.rounds))
            return [p.shifted(i * part, part) for i, body in enumerate(node.rounds) for p in pieces(body, channel)]
        case Loop():
            inner = pieces(node.body, channel)
            if len(inner) == 1:
                [only] = inner
                step, rest = _without(only.offset, node.symbol)
                start, end = only.start / node.trips, 1 - (1 - only.end) / node.trips
                return [replace(only, offset=rest, dims=((node.trips, step), *only.dims), start=start, end=end)]
            return [p for i in range(node.trips) for p in _round(inner, node, i)]


def _round(inner: list[Piece], loop: Loop, i: int) -> list[Piece]:
    part = Fraction(1, loop.trips)
    found = []
    for piece in inner:
        step, rest = _without(piece.offset, loop.symbol)
        found.append(replace(piece, offset=rest + Linear(step * i)).shifted(i * part, part))
    return found


def _without(offset: Linear, symbol: object) -> tuple[int, Linear]:
    """The coefficient of `symbol` in `offset`, and `offset` without it."""
    step = sum(c for v, c in offset.terms if v == symbol)
    return step, Linear(offset.constant, tuple((v, c) for v, c in offset.terms if v != symbol))


def _volume(node: Node, channel: str) -> int:
    match node:
        case Transfer():
            return node.volume if node.channel == channel else 0
        case Steps():
            return sum(_volume(n, channel) for body in node.rounds for n in body)
        case Loop():
            return node.trips * sum(_volume(n, channel) for n in node.body)


def _rolled(found: list[Piece]) -> list[Piece]:
    """Neighbours of one shape at equal distances become one piece with one more dimension, as long as there are any."""
    while True:
        merged: list[Piece] = []
        at = 0
        while at < len(found):
            count, distance = _run(found, at)
            merged.append(found[at] if count == 1 else _joined(found[at : at + count], distance))
            at += count
        if len(merged) == len(found):
            return found
        found = merged


def _run(found: list[Piece], at: int) -> tuple[int, int]:
    """How many pieces from `at` on follow at one distance, and that distance."""
    first, distance, count = found[at], None, 1
    while at + count < len(found):
        one, next_ = found[at + count - 1], found[at + count]
        step = next_.offset.constant - one.offset.constant
        same = (next_.dims, next_.argument, next_.offset.terms) == (first.dims, first.argument, first.offset.terms)
        if not same or step < 0 or distance not in (None, step):
            break
        distance = step
        count += 1
    return count, distance or 0


def _joined(run: list[Piece], distance: int) -> Piece:
    sources = tuple(dict.fromkeys(t for piece in run for t in piece.sources))
    return replace(run[0], sources=sources, dims=((len(run), distance), *run[0].dims), end=run[-1].end)
