"""The directions of cascade connections between neighbouring cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects.declarations import place_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_streams import CascadeFlowOp

INPUTS: dict[Coordinate, str] = {(0, 1): "North", (-1, 0): "West"}
"""The input direction of a core's cascade, by the position of the source relative to the core (columns, rows)."""

OUTPUTS: dict[Coordinate, str] = {(0, -1): "South", (1, 0): "East"}
"""The output direction of a core's cascade, by the position of the destination relative to the core (columns, rows)."""

SIDES = {"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0)}
"""The position of a neighbour (columns, rows), by the name of the direction."""


def misplaced(source: Coordinate, dest: Coordinate) -> str:
    """The error for a cascade from core `source` to core `dest`; empty if the hardware has this connection."""
    if (dest[0] - source[0], dest[1] - source[1]) in OUTPUTS:
        return ""
    return f"goes from {source} to {dest}; a cascade goes to the south or the east neighbour"


def directions(flows: list[CascadeFlowOp]) -> dict[Coordinate, tuple[str, str]]:
    """(input, output) directions of every core with a cascade. An unused input is North and an unused output South, as after a
    reset.

    Raises DiagnosticError for a cascade that the hardware does not have, and for a second one at one side of a core.
    """
    inputs: dict[Coordinate, str] = {}
    outputs: dict[Coordinate, str] = {}
    for flow in flows:
        source, dest = place_of(flow, flow.source_tile), place_of(flow, flow.dest_tile)
        distance = dest[0] - source[0], dest[1] - source[1]
        if wrong := misplaced(source, dest):
            raise error_at(flow, wrong)
        for side, place, name, role in (
            (outputs, source, OUTPUTS[distance], "output"),
            (inputs, dest, INPUTS[-distance[0], -distance[1]], "input"),
        ):
            if place in side:
                raise error_at(flow, f"is a second cascade at the {role} of core {place}, which has one")
            side[place] = name
    places = sorted(inputs.keys() | outputs.keys())
    return {place: (inputs.get(place, "North"), outputs.get(place, "South")) for place in places}
