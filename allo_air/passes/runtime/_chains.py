"""Turns transfers of a channel that alternate in a fixed pattern into chains of BDs that the channel's queue repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise

from allo_air.access.dims import merged, visited_elements, volume
from allo_air.access.fit import split
from allo_air.arch.limits import MAX_REPEAT
from allo_air.device import SHIM_BD
from allo_air.passes.runtime._fold import LONGEST
from allo_air.passes.runtime._program import Transfer
from allo_air.passes.runtime._rounds import Part, Piece, Rounds, one_by_one
from allo_air.passes.runtime._shim_limits import Descriptor, limits_of


@dataclass(frozen=True)
class Chain:
    """Transfers that repeat after every `length` ones, each time advanced by the same distance."""

    pieces: tuple[Piece, ...]
    length: int = 1

    @property
    def first(self) -> tuple[Piece, ...]:
        """The pieces of the first repetition."""
        return self.pieces[: self.length]

    @property
    def rounds(self) -> int:
        return len(self.pieces) // self.length

    @property
    def steps(self) -> tuple[int, ...]:
        """For each piece of the first repetition: the distance in elements to its next repetition; 0 if there is none."""
        if self.rounds < 2:
            return (0,) * self.length
        return tuple(a.distance(b) for a, b in zip(self.pieces, self.pieces[self.length : 2 * self.length], strict=False))

    @property
    def sources(self) -> tuple[Transfer, ...]:
        return tuple(dict.fromkeys(source for piece in self.pieces for source in piece.sources))

    def cut(self, begin: int, end: int) -> Chain:
        """The rounds from `begin` to before `end`."""
        return Chain(self.pieces[begin * self.length : end * self.length], self.length)


Repeated = Chain | Rounds


def chained(parts: Sequence[Part]) -> list[Repeated]:
    """The pieces in their order; those in a chain of at least two pieces and two repetitions are grouped."""
    if any(_mixes(parts, index) for index in range(len(parts))):
        parts = one_by_one(parts)
    chains: list[Repeated] = []
    for _, group in groupby(parts, type):
        some = list(group)
        chains += _of_pieces([p for p in some if isinstance(p, Piece)]) or [r for r in some if isinstance(r, Rounds)]
    return chains


def _mixes(parts: Sequence[Part], index: int) -> bool:
    """Whether the rounds at `index` could form a chain with their neighbours."""
    if isinstance(rounds := parts[index], Piece):
        return False
    near = [p for p in parts[max(0, index - LONGEST) : index + 1 + LONGEST] if isinstance(p, Piece)]
    if any(piece.has_same_pattern(near_piece) for near_piece in near for piece in rounds.first):
        return True
    return index + 1 < len(parts) and isinstance(following := parts[index + 1], Rounds) and rounds.go_on(following)


def _of_pieces(pieces: Sequence[Piece]) -> list[Repeated]:
    chains: list[Repeated] = []
    first = 0
    while first < len(pieces):
        several = (_chain(pieces, first, length) for length in range(2, LONGEST + 1))
        best = max((c for c in several if c.rounds > 1), key=lambda c: len(c.pieces), default=Chain((pieces[first],)))
        chains.append(best)
        first += len(best.pieces)
    return chains


def alternating(piece: Piece) -> Iterator[list[Rounds]]:
    """The ways to move `piece` by a few alternating descriptors, each of which iterates over an outer loop. A descriptor has
    one iteration dimension, so a piece with more dimensions would need a task for each of its iterations. Of the dimensions
    (n, s), (k, d) and inner ones, k descriptors d apart are repeated n times, s apart.
    """
    dims = merged(piece.dims)
    for dim in range(1, len(dims) - 1):
        (rounds, step), (count, distance) = dims[dim - 1 : dim + 1]
        if not (1 < count <= LONGEST and rounds > 1):
            continue
        starts = list(visited_elements(dims[: dim - 1]))
        long = (piece.end - piece.start) / len(starts)
        period = long / rounds
        inner = replace(piece, dims=dims[dim + 1 :], end=piece.start + period / count)
        yield [
            Rounds(
                tuple(
                    inner.further(start + distance * i).shifted(number * long + i * period / count, Fraction(1))
                    for i in range(count)
                ),
                (step,) * count,
                rounds,
                period,
            )
            for number, start in enumerate(starts)
        ]


def cuts(chain: Repeated) -> list[Repeated]:
    """`chain`, split so that no part has more rounds than a descriptor can iterate."""
    most = SHIM_BD.max_iterations if any(chain.steps) else MAX_REPEAT
    count = -(-chain.rounds // most)
    bounds = [chain.rounds * n // count for n in range(count + 1)]
    return [chain.cut(begin, end) for begin, end in pairwise(bounds)]


def link(piece: Piece, step: int, rounds: int, bits: int) -> Descriptor | None:
    """The descriptor for `piece`, repeated with a step of `step` elements; None if one descriptor is not enough."""
    limits = limits_of(bits)
    walk = merged(piece.dims)
    if not walk or not (walk[-1][1] == 1 or limits.steps(walk[-1][1])):
        walk = (*walk, (1, 1))
    outer_walk, core = split(walk, limits)
    if outer_walk or (step and not limits.steps(step)):
        return None
    if step:  # the iteration is the fourth dimension; the run is then a dimension whose size must fit its field
        core = split(((1, volume(core)), *core), limits)[1] if len(core) == 1 else core
        core = (*[(1, volume(core))] * (SHIM_BD.dimensions - len(core)), *core)
        if not limits.allow(core):
            return None
    elif len(core) == 1 and core[0][1] == 1:
        core = ()
    return Descriptor(piece.offset.constant, volume(piece.dims), core, rounds, step)


def _chain(pieces: Sequence[Piece], first: int, length: int) -> Chain:
    """The longest chain of period `length` that starts at piece `first`."""
    end = first + length
    while end + length <= len(pieces):
        new, old, before = (pieces[end - n * length : end - (n - 1) * length] for n in range(3))
        steps = [a.distance(b) if a.has_same_pattern(b) else -1 for a, b in zip(old, new, strict=True)]
        if min(steps) < 0 or (end > first + length and steps != [a.distance(b) for a, b in zip(before, old, strict=True)]):
            break
        end += length
    return Chain(tuple(pieces[first:end]), length)
