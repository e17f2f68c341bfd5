"""Finds cores whose code does not fit into their program memory, as its size is estimated."""

from __future__ import annotations

from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing
from allo_air.device import Coordinate
from allo_air.errors import counted
from allo_air.sim.array import Design
from allo_air.sim.finding import Finding, make_finding
from allo_air.sim.naming import position_of

CODE = "memory.program"


def findings(design: Design) -> list[Finding]:
    """A finding for each size that is too large, at the first core that has it."""
    tiles: dict[str, list[Coordinate]] = {}
    for tile, size in design.code_sizes.items():
        if size.bytes > design.layout.device.tile(*tile).program_memory:
            tiles.setdefault(str(size), []).append(tile)
    results = []
    for text, (first, *same_tiles) in tiles.items():
        total, room = design.code_sizes[first].bytes, design.layout.device.tile(*first).program_memory
        cores = f"core {first}" + (f" and {counted(len(same_tiles), 'other core')}" if same_tiles else "")
        device = enclosing(design.core_ops[first], "aie.device")
        place = f"{cores} of @{sym_name_of(device)}" if device is not None and "sym_name" in device.attributes else cores
        message = (
            f"the code of {place} takes about {total:,} bytes ({text}), and a core has {room:,} bytes of program memory; "
            "divide the work among more cores or kernels, or unroll fewer loops. The size is an estimate: compile the cores to "
            "know it"
        )
        results.append(make_finding(CODE, message, position_of(design.core_ops[first]), tile=first, unit="core"))
    return results
