"""Folds the transfers of each shim channel into few multi-dimensional pieces, in the order in which the channel moves them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

from allo_air.passes.runtime._program import Loop, Node, Steps, Transfer, transfers
from allo_air.passes.runtime._rounds import Part, Piece, Rounds, one_by_one

LONGEST = 4
"""Largest number of alternating pieces: a channel's queue holds as many tasks."""

_SOME = LONGEST + 1
"""Smallest number of rounds that stay a loop: with fewer, several rounds could be one longer round."""


def channels(nodes: Iterable[Node]) -> list[str]:
    """The channels that `nodes` use, in program order."""
    return list(dict.fromkeys(t.channel for t in transfers(tuple(nodes))))


def parts(nodes: Sequence[Node], names: Collection[str]) -> list[Part]:
    """The transfers of the channel `names` in `nodes`, over a time from 0 to 1."""
    each = [(_of_node(node, names), _volume(node, names)) for node in nodes]
    total = sum(volume for _, volume in each)
    folded: list[Part] = []
    start = Fraction(0)
    for part, volume in each:
        if volume:
            scale = Fraction(volume, total)
            folded += [p.shifted(start, scale) for p in part]
            start += scale
    return _rolled(folded)


def _of_node(node: Node, names: Collection[str]) -> list[Part]:
    match node:
        case Transfer():
            return [Piece((node,), node.offset, node.dims, Fraction(0), Fraction(1))] if node.channel in names else []
        case Steps():
            part = Fraction(1, len(node.rounds))
            return [p.shifted(i * part, part) for i, body in enumerate(node.rounds) for p in parts(body, names)]
        case Loop():
            return _of_loop(node, parts(node.body, names))


def _of_loop(loop: Loop, inner: Sequence[Part]) -> list[Part]:
    part = Fraction(1, loop.trips)
    match inner:
        case [Piece() as only]:
            step, rest = only.without(loop.symbol)
            start, end = only.start / loop.trips, 1 - (1 - only.end) / loop.trips
            return [replace(rest, dims=((loop.trips, step), *only.dims), start=start, end=end)]
    split = [_without(p, loop.symbol) for p in inner]
    if rounds := _rounds_of_loop(split, loop.trips, part):
        return [rounds]
    return [_advanced(rest, steps, i).shifted(i * part, part) for i in range(loop.trips) for steps, rest in split]


def _without(part: Part, symbol: object) -> tuple[tuple[int, ...], Part]:
    """The steps of the pieces of `part` per iteration of `symbol`, and `part` without them."""
    if isinstance(part, Piece):
        step, rest = part.without(symbol)
        return (step,), rest
    results = [piece.without(symbol) for piece in part.first]
    return tuple(step for step, _ in results), replace(part, first=tuple(rest for _, rest in results))


def _advanced(part: Part, steps: Sequence[int], times: int) -> Part:
    if isinstance(part, Piece):
        return part.further(steps[0] * times)
    first = tuple(piece.further(step * times) for piece, step in zip(part.first, steps, strict=True))
    return replace(part, first=first)


def _rounds_of_loop(split: Sequence[tuple[tuple[int, ...], Part]], trips: int, part: Fraction) -> Rounds | None:
    """The rounds of a loop with at most `LONGEST` pieces; None if two of the pieces have the same pattern and could be
    merged."""
    pieces = [p for _, p in split if isinstance(p, Piece)]
    steps = tuple(step for (step, *_), _ in split)
    if not 1 < len(pieces) == len(split) <= LONGEST or trips < _SOME or min(steps) < 0:
        return None
    if any(a.resembles(b) for a, b in combinations(pieces, 2)):
        return None
    return Rounds(tuple(p.shifted(Fraction(0), part) for p in pieces), steps, trips, part)


def _volume(node: Node, names: Collection[str]) -> int:
    match node:
        case Transfer():
            return node.volume if node.channel in names else 0
        case Steps():
            return sum(_volume(n, names) for body in node.rounds for n in body)
        case Loop():
            return node.trips * sum(_volume(n, names) for n in node.body)


def _rolled(items: list[Part]) -> list[Part]:
    """Repeatedly merges consecutive pieces with one shape and equal distances into one piece with one more dimension."""
    while True:
        if any(_touch(a, b) for a, b in pairwise(items)):
            items = [*one_by_one(items)]
        merged: list[Part] = []
        first = 0
        while first < len(items):
            run, distance = _run(items, first)
            merged.append(_joined(run, distance) if len(run) > 1 else items[first])
            first += max(1, len(run))
        if len(merged) == len(items):
            return items
        items = merged


def _touch(first: Part, second: Part) -> bool:
    """Whether one of two neighbours is `Rounds`, and the adjacent pieces have the same pattern."""
    if isinstance(first, Piece) and isinstance(second, Piece):
        return False
    last = first if isinstance(first, Piece) else first.first[-1]
    return last.resembles(second if isinstance(second, Piece) else second.first[0])


def _run(items: Sequence[Part], first: int) -> tuple[list[Piece], int]:
    """The consecutive pieces from `first` on with equal distances, and the distance."""
    run: list[Piece] = []
    distance: int | None = None
    while first + len(run) < len(items):
        part = items[first + len(run)]
        if not isinstance(part, Piece):
            break
        if run:
            step = run[-1].distance(part)
            if not part.has_same_pattern(run[0]) or step < 0 or distance not in (None, step):
                break
            distance = step
        run.append(part)
    return run, distance or 0


def _joined(run: list[Piece], distance: int) -> Piece:
    sources = tuple(dict.fromkeys(t for piece in run for t in piece.sources))
    return replace(run[0], sources=sources, dims=((len(run), distance), *run[0].dims), end=run[-1].end)
