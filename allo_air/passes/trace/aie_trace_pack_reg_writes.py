"""aie-trace-pack-reg-writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations
from allo_air.mlir import ir
from allo_air.passes.trace._unit import register_of


@dataclass(frozen=True)
class AieTracePackRegWrites(Pass):
    """Packs the fields of a register of a trace configuration into one value; fields that are not set are 0.

    Before:

        aie.trace.reg register = "Trace_Control0" field = "Mode" value = 0 : i32
        aie.trace.reg register = "Trace_Control0" field = "Trace_Start_Event" value = 122 : i32

    After:

        aie.trace.reg register = "Trace_Control0" value = 7995392 : i32
    """

    name = "aie-trace-pack-reg-writes"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        for config in declarations(op, "aie.trace.config"):
            _pack(config)


def _pack(config: Any) -> None:
    packed: dict[str, tuple[Any, int]] = {}  # the last operation and the value of each register
    for op in [o for o in config.body.blocks[0].operations if o.operation.name == "aie.trace.reg"]:
        if op.mask is not None:  # a masked write is packed already
            continue
        register = register_of(op, config)
        earlier, value = packed.get(op.register, (None, 0))
        if op.field is not None:
            low, _ = register.fields[op.field]
            value = (value & ~register.mask(op.field)) | op.value << low
        packed[op.register] = op, op.value if op.field is None else value
        if earlier is not None:
            earlier.operation.erase()
    for name, (op, value) in packed.items():
        aie.TraceRegOp(register=name, value=value, loc=op.operation.location, ip=ir.InsertionPoint(op))
        op.operation.erase()
