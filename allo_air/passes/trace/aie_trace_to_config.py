"""aie-trace-to-config."""

from dataclasses import dataclass
from itertools import count

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir
from allo_air.passes.trace._unit import Unit


@dataclass(frozen=True)
class AieTraceToConfig(Pass):
    """Turns declared traces into the register fields that configure their trace units.

    Events become numbers of the traced module, ports numbers of the tile's switch. A trace that a broadcast starts resets its
    timer at the same time. A trace @t becomes the configuration @t_config, to which `aie.trace.start_config` then refers.

    Before:

        aie.trace @core_trace(%tile_0_2) {
          aie.trace.packet id = 1 type = core
          aie.trace.event <"INSTR_EVENT_0">
          aie.trace.start broadcast = 15
        }

    After:

        aie.trace.config @core_trace_config(%tile_0_2) packet_type = core {
          aie.trace.reg register = "Timer_Control" field = "Reset_Event" value = 122 : i32
          aie.trace.reg register = "Trace_Event0" field = "Trace_Event0" value = 33 : i32
          aie.trace.reg register = "Trace_Control1" field = "ID" value = 1 : i32
          aie.trace.reg register = "Trace_Control1" field = "Packet_Type" value = 0 : i32
          aie.trace.reg register = "Trace_Control0" field = "Mode" value = 0 : i32
          aie.trace.reg register = "Trace_Control0" field = "Trace_Start_Event" value = 122 : i32
        }
    """

    name = "aie-trace-to-config"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        names: dict[str, str] = {}
        for trace in declarations(op, "aie.trace"):
            names[trace.sym_name] = _name(op, trace.sym_name)
            _lower(Unit(op, trace), names[trace.sym_name])
        for start in walk_named(op, "aie.trace.start_config"):
            view = start.opview
            view.trace_config = names.get(view.trace_config, view.trace_config)


def _name(device: AnyOp, trace: str) -> str:
    """The symbol of a trace's configuration; a number is appended if it is used."""
    names = {sym_name_of(o) for o in device.opview.block.operations if "sym_name" in o.attributes}
    name = expected = f"{trace}_config"
    for number in count():
        if name not in names:
            break
        name = f"{expected}_{number}"
    return name


def _lower(unit: Unit, name: str) -> None:
    trace = unit.op
    if unit.packet is not None and unit.packet.id is None:
        raise error_at(trace, "has packets without an id; run aie-insert-trace-flows, which gives them one, or write it")
    loc = {"loc": trace.operation.location}
    config = aie.TraceConfigOp(
        tile=trace.tile, sym_name=name, packet_type=unit.module.packet_type, ip=ir.InsertionPoint(trace), **loc
    )
    ip = ir.InsertionPoint(config.body.blocks.append())
    for register, field, value in unit.settings():
        aie.TraceRegOp(register=register, field=field, value=value, ip=ip, **loc)
    aie.EndOp(ip=ip, **loc)
    trace.operation.erase()
