"""Designs in the aie dialect before they are compiled: tiles get places, declared traces their registers, flows and buffer."""

from __future__ import annotations

_TRACES = "aie-insert-trace-flows,aie-trace-to-config,aie-trace-pack-reg-writes,aie-inline-trace-config"


def prepared(text: str) -> str:
    """The design of `text` with its tiles placed, and with an argument for the trace where the sequence gives it a size."""
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.air.passmanager import PassManager

    if "aie.logical_tile" not in text and "aie.trace.host_config" not in text:
        return text
    placed = air_ir.Module.parse(text, air_ir.Context())
    with placed.context:
        PassManager.parse("builtin.module(aie-place-tiles)").run(placed.operation)
        if "aie.trace.host_config" in text:
            PassManager.parse(f"builtin.module({_TRACES})").run(placed.operation)
    return asm.write(placed.operation, debug_info=True)
