"""Pieces of a channel that take turns in one pattern, as chains of descriptors that the channel's queue repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from allo_air.access.dims import merged, volume
from allo_air.access.fit import split
from allo_air.arch.limits import MAX_REPEAT
from allo_air.device import SHIM_BD
from allo_air.passes.runtime._fold import Piece
from allo_air.passes.runtime._shim_limits import Descriptor, limits_of

LONGEST = 4
"""Descriptors of a chain at most: as many as the tasks of a channel's queue have one by one."""


@dataclass(frozen=True)
class Chain:
    """Pieces of which `length` take turns: each is as the one so many before it, and always as far from it."""

    pieces: tuple[Piece, ...]
    length: int = 1

    @property
    def rounds(self) -> int:
        return len(self.pieces) // self.length

    @property
    def steps(self) -> list[int]:
        """Elements from a piece to the one that takes its turn in the next round; 0 where there is none."""
        if self.rounds < 2:
            return [0] * self.length
        return [_distance(a, b) for a, b in zip(self.pieces, self.pieces[self.length : 2 * self.length], strict=False)]


def chained(found: Sequence[Piece]) -> list[Chain]:
    """The pieces in their order, those together of which two or more take turns, twice or more."""
    made: list[Chain] = []
    at = 0
    while at < len(found):
        several = (_chain(found, at, length) for length in range(2, LONGEST + 1))
        best = max((c for c in several if c.rounds > 1), key=lambda c: len(c.pieces), default=Chain((found[at],)))
        made.append(best)
        at += len(best.pieces)
    return made


def parts(chain: Chain) -> list[Chain]:
    """`chain` in as many rounds at a time as a descriptor iterates."""
    most = SHIM_BD.max_iterations if any(chain.steps) else MAX_REPEAT
    count = -(-chain.rounds // most)
    bounds = [chain.rounds * n // count * chain.length for n in range(count + 1)]
    return [Chain(chain.pieces[begin:end], chain.length) for begin, end in pairwise(bounds)]


def link(piece: Piece, step: int, rounds: int, bits: int) -> Descriptor | None:
    """The descriptor that walks `piece` and is repeated, `step` elements further each time; None where one does not do."""
    limits = limits_of(bits)
    walk = merged(piece.dims)
    if not walk or not (walk[-1][1] == 1 or limits.steps(walk[-1][1])):
        walk = (*walk, (1, 1))
    left, core = split(walk, limits)
    if left or (step and not limits.steps(step)):
        return None
    if step:  # an iteration is the fourth dimension, and a run in front of it one that its field must hold
        core = split(((1, volume(core)), *core), limits)[1] if len(core) == 1 else core
        core = (*[(1, volume(core))] * (SHIM_BD.dimensions - len(core)), *core)
        if not limits.allow(core):
            return None
    elif len(core) == 1 and core[0][1] == 1:
        core = ()
    return Descriptor(piece.offset.constant, volume(piece.dims), core, rounds, step)


def _chain(found: Sequence[Piece], at: int, length: int) -> Chain:
    """The longest chain from `at` on of which `length` pieces take turns."""
    end = at + length
    while end + length <= len(found):
        new, old, before = (found[end - n * length : end - (n - 1) * length] for n in range(3))
        steps = [_distance(a, b) if _alike(a, b) else -1 for a, b in zip(old, new, strict=True)]
        if min(steps) < 0 or (end > at + length and steps != [_distance(a, b) for a, b in zip(before, old, strict=True)]):
            break
        end += length
    return Chain(tuple(found[at:end]), length)


def _alike(one: Piece, other: Piece) -> bool:
    return (one.dims, one.argument, one.offset.terms) == (other.dims, other.argument, other.offset.terms)


def _distance(one: Piece, other: Piece) -> int:
    return other.offset.constant - one.offset.constant
