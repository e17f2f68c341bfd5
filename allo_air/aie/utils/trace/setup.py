"""Traces of designs by the low-level builders: traced tiles, their events, and the buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.scope import enclosing
from allo_air.aie.building.values import value_of
from allo_air.aie.dialects._aie_trace import check_buffer, check_options, declare, trace_host_config, trace_start_config
from allo_air.mlir import ir

_MODULES = {0: ("shimtile",), 1: ("memtile",)}


def configure_trace(
    tiles_to_trace: Sequence[object],
    *,
    coretile_events: object = None,
    coremem_events: object = None,
    memtile_events: object = None,
    shimtile_events: object = None,
    core_trace_mode: object = 0,
    **keywords: object,
) -> None:
    """Declares the traces of tiles in the device; a tile that is listed twice also traces its memory module."""
    refuse(keywords, "configure_trace")
    events = {"core": coretile_events, "mem": coremem_events, "memtile": memtile_events, "shimtile": shimtile_events}
    seen: dict[tuple[int, str], None] = {}
    for tile in tiles_to_trace:
        module, place = _module(tile)
        key = (id(value_of(tile)), module) if place is None else (place, module)
        if key in seen and module == "core":
            module = "mem"
        seen[key] = None
        name = f"trace_{module}_{len(seen) - 1 if place is None else place}"
        declare(value_of(tile), module, name, events[module], core_trace_mode if module == "core" else 0)


def _module(tile: object) -> tuple[str, Any]:
    op = value_of(tile).owner.opview
    row, column = op.row, op.col
    if row is not None:
        return _MODULES.get(row, ("core",))[0], None if column is None else f"{column}_{row}"
    return {0: "core", 1: "memtile"}.get(op.tile_type, "shimtile"), None


def start_trace(
    trace_size: int,
    egress_shim_col: int | None = None,
    reuse_output_buffer: bool | None = None,
    routing: object = None,
    **keywords: object,
) -> None:
    """In the sequence: gives the traces a buffer of `trace_size` bytes, and starts them."""
    refuse(keywords, "start_trace")
    device = enclosing("aie.device")
    trace_host_config(trace_size, egress_shim_col, reuse_output_buffer or None, routing)
    for op in device.block.operations:
        if op.operation.name == "aie.trace":
            trace_start_config(op.sym_name)


def configure_packet_tracing_flow(tiles_to_trace: Sequence[object], shim: object = None, **keywords: object) -> None:
    """For programs of March 2026: does nothing, since declaring a trace creates its route."""
    refuse(keywords, "configure_packet_tracing_flow")


def configure_packet_tracing_aie2(
    tiles_to_trace: Sequence[object], shim: object = None, trace_size: int = 8192, trace_offset: int = 0,
    ddr_id: int | None = None, *, coretile_events: object = None, coremem_events: object = None, memtile_events: object = None,
    shimtile_events: object = None, core_trace_mode: object = 0, **keywords: object,
) -> None:  # fmt: skip
    """In the sequence, for programs of March 2026: declares the traces of tiles, and starts them."""
    check_options({**keywords, "trace_offset": trace_offset}, "configure_packet_tracing_aie2", trace_size)
    check_buffer(ddr_id)
    sequence = enclosing("aie.runtime_sequence")
    with ir.InsertionPoint(sequence):
        configure_trace(
            tiles_to_trace, coretile_events=coretile_events, coremem_events=coremem_events, memtile_events=memtile_events,
            shimtile_events=shimtile_events, core_trace_mode=core_trace_mode,
        )  # fmt: skip
    start_trace(trace_size)


configure_packet_tracing = configure_packet_tracing_aie2


def gen_trace_done_aie2(shim: object = None, **keywords: object) -> None:
    """In the sequence, for programs of March 2026: does nothing, since traces stop at its end."""
    refuse(keywords, "gen_trace_done_aie2")


gen_trace_done = gen_trace_done_aie2
