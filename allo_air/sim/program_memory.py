"""Warns about cores whose code does not fit into their program memory, as the simulator estimates its size."""

from __future__ import annotations

from allo_air.core.diagnostics import emit
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing
from allo_air.device import Coordinate
from allo_air.errors import Diagnostic
from allo_air.sim.array import Design
from allo_air.sim.naming import position_of


def warn(design: Design) -> None:
    """A warning for each size that is too large, at the first core that has it."""
    tiles: dict[str, list[Coordinate]] = {}
    for tile, size in design.code_sizes.items():
        if size.bytes > design.layout.device.tile(*tile).program_memory:
            tiles.setdefault(str(size), []).append(tile)
    for text, (first, *same_tiles) in tiles.items():
        total, room = design.code_sizes[first].bytes, design.layout.device.tile(*first).program_memory
        cores = f"core {first}" + (
            f" and {len(same_tiles)} other cores" if same_tiles[1:] else f" and core {same_tiles[0]}" if same_tiles else ""
        )
        device = enclosing(design.core_ops[first], "aie.device")
        place = f"{cores} of @{sym_name_of(device)}" if device is not None and "sym_name" in device.attributes else cores
        message = (
            f"program-memory: the code of {place} takes about {total:,} bytes ({text}), and a core has {room:,} bytes of "
            "program memory; divide the kernels among more cores, or unroll fewer loops. The size is an estimate without "
            "scalar operations of kernels: compile the cores to know it"
        )
        emit(Diagnostic("warning", *position_of(design.core_ops[first]), message))
