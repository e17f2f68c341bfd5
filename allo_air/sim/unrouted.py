"""Finds tasks of shim channels without a flow. They move no data, which only matters if an operation waits for them."""

from __future__ import annotations

from allo_air.device import Coordinate
from allo_air.errors import Diagnostic
from allo_air.sim.naming import Names, position_of

_SHIM_ROW = 0


def unrouted(names: Names) -> list[Diagnostic]:
    """A warning for each such channel, at the operation that starts its first task."""
    first: dict[tuple[Coordinate, int, int], object] = {}
    for start in names.design.starts:
        first.setdefault((start.tile, start.direction, start.channel), start.op)
    for key, pushes in names.pushes.items():
        first.setdefault(key, pushes[0][0])
    ends = {(0, d.port) for route in names.design.routes for d in route.destinations}
    ends |= {(1, route.source) for route in names.design.routes}
    diagnostics = []
    for (tile, direction, channel), op in first.items():
        if tile[1] != _SHIM_ROW or (direction, (*tile, "DMA", channel)) in ends:
            continue
        verb = "leads out of it" if direction else "leads to it"
        message = (
            f"a task is queued on {names.channel(tile, direction, channel)}, and no flow {verb}: it moves nothing and "
            "never ends; add an aie.flow, or drop the task"
        )
        diagnostics.append(Diagnostic("warning", *position_of(op), message))
    return diagnostics
