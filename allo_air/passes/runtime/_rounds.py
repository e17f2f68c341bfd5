"""The transfers of a shim channel: pieces, and rounds of pieces that a loop repeats.

Time runs from 0 to 1 through a part of the program, and is the same for all channels: rounds of a loop take equal parts of it,
and within a round each channel's transfers follow one another at a rate proportional to their size. This shows which pieces
belong together when the pieces of several channels are put in one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from allo_air.access.dims import Dims
from allo_air.access.linear import Linear
from allo_air.passes.runtime._program import Transfer


@dataclass(frozen=True)
class Piece:
    """Elements of an argument from `offset` on, in the order of `dims`, moved between times `start` and `end`."""

    sources: tuple[Transfer, ...]
    offset: Linear
    dims: Dims
    start: Fraction
    end: Fraction

    def shifted(self, by: Fraction, scale: Fraction) -> Piece:
        """The same piece with time scaled and then shifted."""
        return replace(self, start=by + self.start * scale, end=by + self.end * scale)

    def further(self, elements: int) -> Piece:
        return replace(self, offset=self.offset + Linear(elements))

    def without(self, symbol: object) -> tuple[int, Piece]:
        """The coefficient of `symbol` in the offset, and the piece without it."""
        step = sum(c for v, c in self.offset.terms if v == symbol)
        rest = Linear(self.offset.constant, tuple((v, c) for v, c in self.offset.terms if v != symbol))
        return step, replace(self, offset=rest)

    def has_same_pattern(self, other: Piece) -> bool:
        """Whether both move elements of one argument in one pattern, with any offsets."""
        return (*self._pattern, self.offset.terms) == (*other._pattern, other.offset.terms)

    def resembles(self, other: Piece) -> bool:
        """Whether both could have the same pattern after their loops are merged."""
        return self._pattern == other._pattern

    def distance(self, other: Piece) -> int:
        """The distance in elements from the start of this piece to that of `other`."""
        return other.offset.constant - self.offset.constant

    @property
    def _pattern(self) -> tuple[Dims, int, str]:
        return self.dims, self.argument, self.allocation

    @property
    def allocation(self) -> str:
        """The shim DMA allocation, one of those that share its channel."""
        return self.sources[0].channel

    @property
    def argument(self) -> int:
        return self.sources[0].argument


@dataclass(frozen=True)
class Rounds:
    """`rounds` repetitions of the pieces `first`, which have different patterns. Each repetition advances a piece by its
    step, and its time by `period`."""

    first: tuple[Piece, ...]
    steps: tuple[int, ...]
    rounds: int
    period: Fraction

    @property
    def sources(self) -> tuple[Transfer, ...]:
        return tuple(dict.fromkeys(source for piece in self.first for source in piece.sources))

    def shifted(self, by: Fraction, scale: Fraction) -> Rounds:
        """The same rounds with time scaled and then shifted."""
        return replace(self, first=tuple(piece.shifted(by, scale) for piece in self.first), period=self.period * scale)

    def round(self, number: int) -> tuple[Piece, ...]:
        """The pieces of round `number`, from 0 on."""
        moved = (piece.further(step * number) for piece, step in zip(self.first, self.steps, strict=True))
        return tuple(piece.shifted(number * self.period, Fraction(1)) for piece in moved)

    def cut(self, begin: int, end: int) -> Rounds:
        """The rounds from `begin` to before `end`."""
        return replace(self, first=self.round(begin), rounds=end - begin)

    def go_on(self, other: Rounds) -> bool:
        """Whether `other` begins with a further round of these."""
        return len(self.first) == len(other.first) and all(
            piece.has_same_pattern(more) and piece.distance(more) == step * self.rounds
            for piece, more, step in zip(self.first, other.first, self.steps, strict=True)
        )

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces, one by one."""
        return tuple(piece for number in range(self.rounds) for piece in self.round(number))


Part = Piece | Rounds


def one_by_one(parts: Sequence[Part]) -> list[Piece]:
    """All pieces of `parts`."""
    return [p for part in parts for p in (part.pieces if isinstance(part, Rounds) else (part,))]
