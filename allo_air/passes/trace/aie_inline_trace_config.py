"""aie-inline-trace-config."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations, place_of
from allo_air.mlir import ir
from allo_air.passes.trace._unit import module_of, register_of


@dataclass(frozen=True)
class AieInlineTraceConfig(Pass):
    """Inlines the register writes of a trace configuration where a runtime sequence starts it.

    Before:

        aie.trace.config @core_trace(%tile_0_2) packet_type = core {
          aie.trace.reg register = "Trace_Control0" value = 7995392 : i32
        }
        aie.runtime_sequence @seq() {
          aie.trace.start_config @core_trace
        }

    After:

        aie.runtime_sequence @seq() {
          aiex.npu.write32 {address = 213200 : ui32, column = 0 : i32, row = 2 : i32, value = 7995392 : ui32}
        }
    """

    name = "aie-inline-trace-config"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        dialects.load(op.context, ("aiex",))
        configs = {c.sym_name: c for c in declarations(op, "aie.trace.config")}
        for start in [o.opview for o in walk_named(op, "aie.trace.start_config")]:
            if start.trace_config not in configs:
                raise error_at(start, f"starts @{start.trace_config}, an aie.trace; run aie-trace-to-config first")
            _write(configs[start.trace_config], start)
            start.operation.erase()
        for config in configs.values():
            config.operation.erase()


def _write(config: Any, start: ir.OpView) -> None:
    column, row = place_of(config, config.tile)
    loc_and_ip = {"loc": start.operation.location, "ip": ir.InsertionPoint(start), "column": column, "row": row}
    for op in config.body.blocks[0].operations:
        if op.operation.name != "aie.trace.reg":
            continue
        register = register_of(op, config)
        address = register.address(module_of(config))
        if op.mask is not None:
            aiex.NpuMaskWrite32Op(address=address, value=op.value, mask=op.mask, **loc_and_ip)
        elif op.field is None:
            aiex.NpuWrite32Op(address=address, value=op.value, **loc_and_ip)
        else:
            value = op.value << register.fields[op.field][0]
            aiex.NpuMaskWrite32Op(address=address, value=value, mask=register.mask(op.field), **loc_and_ip)
