"""Micro-tiles: the shape of the core's matrix instruction, and the shapes of operands that are packed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from allo_air.air.api.errors import TypeError, ValueError
from allo_air.air.api.symbol import plain

Role = Literal["A", "B", "C"]


class PackedShape(tuple[int, ...]):
    """The shape of a packed buffer: `lead`, then outer tiles and the micro-tile, in the order of its role."""

    role: Role
    micro: MicroTile
    logical: tuple[int, int]
    lead: tuple[int, ...]

    @staticmethod
    def of(role: Role, micro: MicroTile, logical: tuple[int, int], lead: tuple[int, ...]) -> PackedShape:
        """The shape of `logical` rows and columns, once for each of `lead`."""
        rows, columns = micro.extents(role)
        for extent, unit, axis in zip(logical, (rows, columns), micro.axes(role), strict=True):
            if extent <= 0 or extent % unit:
                raise ValueError(
                    f"micro_tile: {axis} of {role} is {extent}, not a multiple of the micro-tile's {axis.lower()} = {unit}"
                )
        packed_shape = PackedShape((*lead, logical[1] // columns, logical[0] // rows, rows, columns))
        packed_shape.role, packed_shape.micro, packed_shape.logical, packed_shape.lead = role, micro, logical, lead
        return packed_shape

    def __repr__(self) -> str:
        return f"{self.role}{tuple(self)}"


@dataclass(frozen=True)
class MicroTile:
    """`m x k` times `k x n`, as one matrix instruction computes it."""

    m: int
    k: int
    n: int

    def axes(self, role: Role) -> tuple[str, str]:
        """The names of rows and columns."""
        return {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}[role]

    def extents(self, role: Role) -> tuple[int, int]:
        """Rows and columns of the micro-tile of an operand."""
        return {"A": (self.m, self.k), "B": (self.k, self.n), "C": (self.m, self.n)}[role]

    def a(self, M: int, K: int, lead: Sequence[int] = (1, 1)) -> PackedShape:
        """The shape of a packed `M x K` left operand."""
        return PackedShape.of("A", self, (_integer(M, "M"), _integer(K, "K")), _lead(lead))

    def b(self, K: int, N: int, lead: Sequence[int] = (1, 1)) -> PackedShape:
        """The shape of a packed `K x N` right operand."""
        return PackedShape.of("B", self, (_integer(K, "K"), _integer(N, "N")), _lead(lead))

    def c(self, M: int, N: int, lead: Sequence[int] = (1, 1)) -> PackedShape:
        """The shape of a packed `M x N` accumulator."""
        return PackedShape.of("C", self, (_integer(M, "M"), _integer(N, "N")), _lead(lead))


def micro_tile(m: int, k: int, n: int) -> MicroTile:
    """The micro-tile `m x k x n`."""
    extents = [_integer(e, name) for e, name in ((m, "m"), (k, "k"), (n, "n"))]
    for extent, name in zip(extents, "mkn", strict=True):
        if extent <= 0:
            raise ValueError(f"micro_tile: {name} is {extent}, expected a positive integer")
    return MicroTile(*extents)


def _integer(value: object, name: str) -> int:
    if not isinstance(number := plain(value), int):
        raise TypeError(f"micro_tile: {name} is {value!r}, expected an integer")
    return number


def _lead(lead: object) -> tuple[int, ...]:
    if not isinstance(lead, list | tuple):
        raise TypeError(f"micro_tile: lead is {lead!r}, expected a list of integers")
    return tuple(_integer(n, "lead") for n in lead)
