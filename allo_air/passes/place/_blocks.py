"""Blocks of cores, the grid they are placed on, and adjacency constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allo_air.core.constants import constant_of
from allo_air.dialects.air import HerdOp
from allo_air.errors import PassError, counted
from allo_air.mlir import ir

Place = tuple[int, int]
"""Column and row of a block's south-western core."""

Side = Literal["west", "east", "south", "north"]


@dataclass(frozen=True)
class Grid:
    """The usable cores: `columns` and `rows` of them from (`column`, `row`) on; rows count from the south."""

    columns: int
    rows: int
    column: int
    row: int

    def __str__(self) -> str:
        return (
            f"grid of {counted(self.columns, 'column')} and "
            f"{counted(self.rows, 'row')} from column {self.column}, row {self.row}"
        )

    def holds(self, block: Block, place: Place) -> bool:
        """Whether the whole `block` is on the grid when it is at `place`."""
        x, y = place[0] - self.column, place[1] - self.row
        return 0 <= x <= self.columns - block.width and 0 <= y <= self.rows - block.height


@dataclass(frozen=True, eq=False)
class Block:
    """A rectangle of cores for `herds`, which are phases of it; `x` and `y` are the place that the program sets, if any."""

    herds: tuple[HerdOp, ...]
    width: int
    height: int
    x: int | None
    y: int | None

    @property
    def name(self) -> str:
        name = self.herds[0].sym_name
        return "a herd without a name" if name is None else f"@{name}"

    @property
    def size(self) -> str:
        return f"{self.width}x{self.height}"

    def may_be_at(self, place: Place) -> bool:
        """Whether the block may be at `place`: the program sets this place, or none."""
        return self.x in (None, place[0]) and self.y in (None, place[1])


@dataclass(frozen=True)
class Neighbours:
    """`second` must touch `first` on one of `sides`; on `aligned` ones their edges must coincide."""

    first: Block
    second: Block
    sides: frozenset[Side]
    aligned: frozenset[Side]
    reason: str

    def hold(self, first: Place, second: Place) -> bool:
        """Whether the blocks at these places satisfy the constraint."""
        return any(self._touch(side, first, second) for side in self.sides)

    def _touch(self, side: Side, first: Place, second: Place) -> bool:
        flipped = side in ("west", "south")
        near, far = (self.second, self.first) if flipped else (self.first, self.second)
        (ax, ay), (bx, by) = (second, first) if flipped else (first, second)
        if side in ("west", "east"):
            touch, shift, spans = ax + near.width == bx, by - ay, (near.height, far.height)
        else:
            touch, shift, spans = ay + near.height == by, bx - ax, (near.width, far.width)
        return touch and (shift == 0 if side in self.aligned else -spans[1] < shift < spans[0])


def overlap(a: Block, place: Place, b: Block, bt: Place) -> bool:
    """Whether the blocks have a core in common."""
    return (
        place[0] < bt[0] + b.width
        and bt[0] < place[0] + a.width
        and place[1] < bt[1] + b.height
        and bt[1] < place[1] + a.height
    )


def blocks_of(herds: list[ir.Operation]) -> list[Block]:
    """One block for each herd, and one for all of the same name, in program order."""
    phases: dict[int | str, list[HerdOp]] = {}
    for n, herd in enumerate(map(HerdOp, herds)):
        phases.setdefault(n if herd.sym_name is None else herd.sym_name, []).append(herd)
    return [_block(value) for value in phases.values()]


def _block(herds: list[HerdOp]) -> Block:
    sizes = [_size(herd) for herd in herds]
    values = [_common_coordinate(herds, name) for name in ("x_loc", "y_loc")]
    return Block(tuple(herds), max(w for w, _ in sizes), max(h for _, h in sizes), *values)


def _size(herd: HerdOp) -> tuple[int, int]:
    """Columns and rows; raises PassError unless they are constant."""
    sizes = [constant_of(v) for v in herd.sizes]
    constants = [n for n in sizes if n is not None]
    if len(constants) < len(sizes) or len(sizes) > 2:
        raise PassError(
            "cannot be placed: expected a constant number of columns and rows, found "
            + (counted(len(sizes), "dimension") if len(sizes) > 2 else "a size that is not a constant; run canonicalize first"),
            herd.location,
            herd.operation.name,
        )
    columns, rows = (*constants, 1, 1)[:2]
    return columns, rows


def _common_coordinate(herds: list[HerdOp], name: str) -> int | None:
    values = {herd.attributes[name].value for herd in herds if name in herd.attributes}
    if len(values) > 1:
        raise PassError(
            f"has phases with different {name}, {' and '.join(map(str, sorted(values)))}, and herds of one name share their"
            " cores; give them one place, or different names",
            herds[0].location,
            herds[0].operation.name,
        )
    return next(iter(values), None)
