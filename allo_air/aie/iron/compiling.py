"""Designs as programs for the simulator: tiles are placed, queues become buffers, and everything gets its address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TRACES = "aie-insert-trace-flows,aie-trace-to-config,aie-trace-pack-reg-writes,aie-inline-trace-config"


def compiled(module: Any, kernels: Mapping[str, object] | None = None) -> Any:
    """The program of `module`; `kernels` stand for external functions, others are looked for beside the program."""
    import allo_air
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.air.backend.sources import kernels_beside
    from allo_air.air.passmanager import PassManager
    from allo_air.core.walking import walk_named

    placed = air_ir.Module.parse(asm.write(module.operation, debug_info=True), air_ir.Context())
    with placed.context:
        PassManager.parse("builtin.module(aie-place-tiles)").run(placed.operation)
        if any(walk_named(placed.operation, "aie.trace.host_config")):
            PassManager.parse(f"builtin.module({_TRACES})").run(placed.operation)
    text = asm.write(placed.operation, debug_info=True)
    found = {**kernels_beside(str(module)), **(kernels or {})}
    return allo_air.compile(text, pipeline="aie-prepare", kernels=found or None)
