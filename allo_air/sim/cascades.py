"""Cascade streams between neighbouring cores."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects._enums import CASCADE_DIR
from allo_air.dialects.declarations import place_of
from allo_air.sim.layout import Layout

_STEP = {"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0)}
_AT_RESET = ("North", "South")
"""Input and output of a core whose cascade is not configured: Accumulator_Control is 0 at reset (docs/sources.md#device)."""


def cascades_of(layout: Layout) -> list[tuple[Coordinate, Coordinate]]:
    """The cascade links (from, to): those of flows, and those of neighbours with matching directions."""
    links: dict[tuple[Coordinate, Coordinate], Any] = {}
    directions: dict[Coordinate, tuple[str, str]] = {}
    for op in layout.op.block.operations:
        match op.operation.name:
            case "aie.cascade_flow":
                link = place_of(op, op.source_tile), place_of(op, op.dest_tile)
                for neighbour in links:
                    if link != neighbour and (link[0] == neighbour[0] or link[1] == neighbour[1]):
                        raise error_at(
                            op, f"is a second cascade flow of a core; {neighbour[0]} to {neighbour[1]} is one already"
                        )
                links[link] = op
            case "aie.configure_cascade":
                directions[place_of(op, op.tile)] = CASCADE_DIR.keyword(op.inputDir), CASCADE_DIR.keyword(op.outputDir)
            case "aie.core":
                directions.setdefault(place_of(op, op.tile), _AT_RESET)
    return [
        *links,
        *(link for link in matching_links(directions, frozenset(t for link in links for t in link)) if link not in links),
    ]


def matching_links(
    directions: dict[Coordinate, tuple[str, str]], apart: frozenset[Coordinate] = frozenset()
) -> list[tuple[Coordinate, Coordinate]]:
    """The links (from, to) between neighbours whose directions (input, output) match, except for the tiles `apart`."""
    links = []
    for tile, (_, output) in directions.items():
        dx, dy = _STEP[output]
        to = tile[0] + dx, tile[1] + dy
        if to not in directions or tile in apart or to in apart:
            continue
        dx, dy = _STEP[directions[to][0]]
        if (to[0] + dx, to[1] + dy) == tile:
            links.append((tile, to))
    return links
