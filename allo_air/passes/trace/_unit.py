"""One declared trace: its module, and the values of its registers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects._enums import BUNDLE, TRACE_PACKET
from allo_air.dialects.declarations import device_of, place_of
from allo_air.errors import counted
from allo_air.target.trace_modules import MODULES, MODULES_OF, Module, port_index, registers

if TYPE_CHECKING:
    from allo_air.dialects._aie_trace import TraceConfigOp, TraceRegOp
    from allo_air.mlir import AnyOp, ir

Setting = tuple[str, str, int]
"""Register, field, value."""


class Unit:
    """An `aie.trace` of a device; DiagnosticError for a name that its module does not have."""

    def __init__(self, device_op: Any, op: Any):
        self.op, self.device = op, device_of(device_op)
        self.place: Coordinate = place_of(op, op.tile)
        self.inner = [o for o in op.body.blocks[0].operations if o.operation.name != "aie.end"]
        self.packet = self._one("aie.trace.packet")
        self.module = self._module()

    def settings(self) -> list[Setting]:
        """All fields to set, in the order in which the registers are written."""
        order = list(registers(self.module))
        return sorted(self._settings(), key=lambda s: order.index(s[0]))

    def broadcast(self, name: str) -> int | None:
        """The broadcast that `aie.trace.start` or `aie.trace.stop` waits for."""
        op = self._one(name)
        return None if op is None else op.broadcast

    def _one(self, name: str) -> Any:
        results = [o for o in self.inner if o.operation.name == name]
        if len(results) > 1:
            raise error_at(results[1], f"is the second of trace @{self.op.sym_name}, which has room for one")
        return results[0] if results else None

    def _module(self) -> Module:
        kind = self.device.kind(*self.place)
        names = MODULES_OF.get(kind, ())
        if not names:
            raise error_at(self.op, f"traces tile {self.place}, a {kind} tile, which has no trace unit here")
        name = names[0] if self.packet is None else TRACE_PACKET.keyword(self.packet.type)
        if name not in names:
            raise error_at(self.packet, f"has type {name}; tile {self.place} has {' and '.join(names)}")
        return MODULES[name]

    def _settings(self) -> Iterator[Setting]:
        mode = self._one("aie.trace.mode")
        yield "Trace_Control0", "Mode", 0 if mode is None else mode.mode
        for name, field in (("aie.trace.start", "Trace_Start_Event"), ("aie.trace.stop", "Trace_Stop_Event")):
            if (op := self._one(name)) is not None:
                event = self._event(op, op.event) if op.broadcast is None else self.module.broadcast + op.broadcast
                yield "Trace_Control0", field, event
                if field == "Trace_Start_Event" and op.broadcast is not None:
                    yield "Timer_Control", "Reset_Event", event
        if self.packet is not None:
            yield "Trace_Control1", "ID", self.packet.id
            yield "Trace_Control1", "Packet_Type", self.module.packet_type
        events = [o for o in self.inner if o.operation.name == "aie.trace.event"]
        for i, op in enumerate(events):
            yield f"Trace_Event{i // 4}", f"Trace_Event{i}", self._event(op, op.event)
        for op in self.inner:
            match op.operation.name:
                case "aie.trace.port":
                    yield from self._port(op)
                case "aie.trace.combo_event":
                    yield from self._combo(op)
                case "aie.trace.edge_event":
                    yield from self._edge(op)

    def _event(self, op: AnyOp, attribute: ir.Attribute) -> int:
        """The number of an event, given by its name, with or without the name of its enumeration."""
        name = re.findall(r"\w+", str(attribute))[-1]
        events = self.module.events
        if name not in events:
            near = get_close_matches(name, events, 3)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise error_at(op, f"names event {name}, which module {self.module.name} of tile {self.place} does not have{hint}")
        return events[name]

    def _port(self, op: ir.OpView) -> Iterator[Setting]:
        if not self.module.ports:
            raise error_at(op, f"selects a stream port, which module {self.module.name} does not see; the core's module does")
        bundle, master = BUNDLE.keyword(op.port), op.direction == 0
        column, row = self.place
        index = port_index(self.device, column, row, bundle, op.channel, master=master)
        if index is None:
            role = "an S2MM (master)" if master else "an MM2S (slave)"
            raise error_at(
                op, f"selects {bundle} {op.channel} as {role} port, which the switch of tile {self.place} does not have"
            )
        register = f"Stream_Switch_Event_Port_Selection_{op.slot // 4}"
        yield register, f"Port_{op.slot}_ID", index
        yield register, f"Port_{op.slot}_Master_Slave", int(master)

    def _combo(self, op: ir.OpView) -> Iterator[Setting]:
        a, b = self._event(op, op.eventA), self._event(op, op.eventB)
        yield "Combo_event_control", f"combo{op.slot}", op.logic
        if op.slot < 2:
            yield "Combo_event_inputs", f"event{'AC'[op.slot]}", a
            yield "Combo_event_inputs", f"event{'BD'[op.slot]}", b
            return
        first = self.module.events["COMBO_EVENT_0"]
        if (a, b) != (first, first + 1):
            raise error_at(op, "is combo event 2, which combines COMBO_EVENT_0 and COMBO_EVENT_1 and no others")

    def _edge(self, op: ir.OpView) -> Iterator[Setting]:
        register = "Edge_Detection_event_control"
        yield register, f"Edge_Detection_Event_{op.slot}", self._event(op, op.event)
        yield register, f"Edge_Detection_{op.slot}_Trigger_Rising", op.trigger & 1
        yield register, f"Edge_Detection_{op.slot}_Trigger_Falling", op.trigger >> 1


def module_of(config: TraceConfigOp) -> Module:
    """The module that an `aie.trace.config` is for."""
    return MODULES[TRACE_PACKET.keyword(config.packet_type)]


def register_of(op: TraceRegOp, config: TraceConfigOp) -> Any:
    """The register that an `aie.trace.reg` sets; DiagnosticError for names that its module does not have."""
    module = module_of(config)
    fields_of_module = registers(module)
    if op.register not in fields_of_module:
        raise error_at(
            op, f"sets register {op.register}, which module {module.name} does not have; it has {', '.join(fields_of_module)}"
        )
    register = fields_of_module[op.register]
    if op.field is not None and op.field not in register.fields:
        raise error_at(op, f"sets field {op.field} of {op.register}, which has {', '.join(register.fields)}")
    if op.field is not None and op.value > register.mask(op.field) >> register.fields[op.field][0]:
        raise error_at(
            op, f"sets {op.register}.{op.field} to {op.value}, which has {counted(register.fields[op.field][1], 'bit')}"
        )
    return register
