"""Assigns the tiles of herds to cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.mlir import AnyOp
from allo_air.passes.to_aie._design import Place
from allo_air.passes.to_aie._segment import Placed
from allo_air.passes.to_aie._sequences import LockScheme

PlacedHerd = tuple[AnyOp, Place, Place]
"""A herd, its core with the lowest column and row, and its numbers of columns and rows."""


@dataclass(frozen=True)
class Settings:
    """The options of the pass."""

    device: Device
    row_offset: int
    col_offset: int
    stack_size: int
    emit_while_loop: bool
    herd_lock: bool = False
    trace: bool = False
    logical_tiles: bool = False
    locks: LockScheme = LockScheme.SHARED
    fifos: bool = False
    is_march: bool = False

    @property
    def memtiles_in_turn(self) -> bool:
        """Whether L2 buffers are distributed over all memtiles in turn, independent of their cores, as in mlir-air until
        April 2026."""
        return self.is_march and self.by_channel

    @property
    def by_channel(self) -> bool:
        """Whether cores have a pair of locks for each channel, as in mlir-air."""
        return self.locks is not LockScheme.ONE_TAKER


def placed_herds(
    herds: Sequence[Placed], settings: Settings
) -> tuple[list[PlacedHerd], dict[Place, list[tuple[Placed, tuple[int, ...]]]]]:
    """The place of each herd, and the herds on each core, in order, with the core's ids in them. Cores are ordered herd by
    herd and row by row, as in mlir-air; with our own locks, by column, so that shared buffers and locks keep their planned
    places.

    DiagnosticError if a place is not a core, or two blocks share a core.
    """
    where: list[PlacedHerd] = []
    results: dict[Place, list[tuple[Placed, tuple[int, ...]]]] = {}
    device = settings.device
    for placed in herds:
        op = placed.op
        corner = (integer(op, "x_loc", settings.col_offset), integer(op, "y_loc", settings.row_offset))
        sizes = [constant_of(v) for v in op.sizes]
        if not 1 <= len(sizes) <= 2 or any(s is None for s in sizes):
            raise error_at(op, f"has size {sizes}; air-to-aie takes herds of one or two constant sizes")
        shape = (sizes[0] or 0, (sizes[1] or 0) if len(sizes) == 2 else 1)
        where.append((op, corner, shape))
        for y in range(shape[1]):
            for x in range(shape[0]):
                place = corner[0] + x, corner[1] + y
                if not device.holds(*place) or device.kind(*place) != "core":
                    raise error_at(
                        op,
                        f"of size {shape} at column {corner[0]}, row {corner[1]} needs a core at {place}; {device.name} "
                        f"has cores in columns 0 to {device.columns - 1}, rows {max(device.mem_rows, default=0) + 1} to "
                        f"{device.rows - 1}",
                    )
                rest = results.setdefault(place, [])
                if rest and rest[0][0].block != placed.block:
                    raise error_at(op, f"shares core {place} with another herd that another block runs; place them apart")
                rest.append((placed, (x, y)[: len(sizes)]))
    return where, results if settings.by_channel else dict(sorted(results.items()))


def integer(op: AnyOp, name: str, default: int) -> int:
    """Attribute `name` of `op` as an int."""
    attributes = op.operation.attributes
    return int(attributes[name].value) if name in attributes else default
