"""Prepares designs in the aie dialect for compilation: places tiles, lowers traces, and assigns buffers to parameters."""

from __future__ import annotations

_TRACES = "aie-insert-trace-flows,aie-trace-to-config,aie-trace-pack-reg-writes,aie-inline-trace-config"

_PARAMETER = "aiex.scratchpad_parameter"


def prepared(text: str) -> str:
    """The design of `text` with its tiles placed, scratchpad parameters lowered, and an argument for a trace."""
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.air.passmanager import PassManager

    if not any(word in text for word in ("aie.logical_tile", "aie.trace.host_config", _PARAMETER)):
        return text
    placed = air_ir.Module.parse(text, air_ir.Context())
    with placed.context:
        PassManager.parse("builtin.module(aie-place-tiles)").run(placed.operation)
        if "aie.trace.host_config" in text:
            PassManager.parse(f"builtin.module({_TRACES})").run(placed.operation)
        if _PARAMETER in text:
            PassManager.parse("builtin.module(aie-lower-scratchpad-parameters)").run(placed.operation)
    return asm.write(placed.operation, debug_info=True)
