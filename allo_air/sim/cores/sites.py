"""Relates the text of a core's program to the design: source locations and memory banks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from allo_air.core.diagnostics import position
from allo_air.core_model.banks import Shares, shares_of
from allo_air.device import Coordinate
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import ir
from allo_air.sim.cores.families import Member, location_in
from allo_air.sim.cores.layout import Layout
from allo_air.sim.cores.program import Program
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.text import Refused


@dataclass(frozen=True)
class Site:
    """The source position to which a finding of a core refers."""

    tile: Coordinate
    op: str
    file: str
    line: int
    column: int


def shares_in(program: Program, layout: Layout) -> tuple[Shares, ...]:
    """The memory banks of each value that the program captures; () for one that is not a buffer.

    The data memories that it accesses are numbered in the order of their first use.
    """
    memories: dict[Coordinate, int] = {}
    shares: list[Shares] = []
    for value in program.captures:
        place = layout.place(value) if isinstance(value.type, ir.MemRefType) else None
        if place is None:
            shares.append(())
        else:
            tile, offset, size = place
            shares.append(shares_of(memories.setdefault(tile, len(memories)), offset, size))
    return tuple(shares)


@contextmanager
def located(program: Program, member: Member) -> Iterator[None]:
    """Turns Refused, which names a position in the text of `member`, into an error at the source location in `program`."""
    try:
        yield
    except Refused as refused:
        file, line, column = position(location_in(program, member, refused.place))
        raise DiagnosticError([_moved(d, file, line, column) for d in refused.error.diagnostics[:1]]) from None


def _moved(diagnostic: Diagnostic, file: str, line: int, column: int) -> Diagnostic:
    return replace(diagnostic, file=file, line=line, column=column, notes=())


def site_of(tile: Coordinate, name: str, location: ir.Location) -> Site:
    return Site(tile, name, *position(location))


def region_of(tile: Coordinate, region: Region, location: ir.Location) -> Region:
    file, line, column = position(location)
    return replace(region, tile=tile, file=file, line=line, column=column)
