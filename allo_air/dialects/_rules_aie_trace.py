"""Rules of trace configurations, and of events and ports of cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.dialects._aie_streams import EventOp
from allo_air.dialects._aie_trace import TraceOp, TracePacketOp, TraceStartConfigOp
from allo_air.dialects._places import symbols_of
from allo_air.dialects._rules import Report, operations, rule

if TYPE_CHECKING:
    from allo_air.dialects._aie_trace import TraceComboEventOp, TraceEdgeEventOp, TracePortOp, TraceStartOp, TraceStopOp

_MAX_EVENTS = 8  # slots of a trace unit
_MAX_BROADCAST = 15
_SLOTS = {"aie.trace.port": 8, "aie.trace.combo_event": 3, "aie.trace.edge_event": 2}


@rule("aie.trace")
def trace_slots(op: TraceOp, report: Report) -> None:
    """At most eight events; each port, combo and edge slot is set once."""
    events = 0
    slots: dict[tuple[str, int], Any] = {}
    for inner in operations(op.regions[0].blocks[0]):
        if inner.name == "aie.trace.event":
            events += 1
            if events > _MAX_EVENTS:
                report.error(op, f"trace unit supports maximum {_MAX_EVENTS} events", (inner, "no slot for this event"))
                return
        elif inner.name in _SLOTS and "slot" in inner.attributes:
            key = (inner.name, inner.attributes["slot"].value)
            if key in slots:
                report.error(inner, f"sets slot {key[1]} a second time", (slots[key], "first"))
                return
            slots[key] = inner


@rule(*_SLOTS)
def slot_exists(op: TraceComboEventOp | TraceEdgeEventOp | TracePortOp, report: Report) -> None:
    """A tile has eight port selectors, three combo events and two edge detectors."""
    count = _SLOTS[op.OPERATION_NAME]
    if not 0 <= op.slot < count:
        report.error(op, f"slot must be in range [0, {count - 1}], found {op.slot}")


@rule("aie.trace.packet")
def trace_packet(op: TracePacketOp, report: Report) -> None:
    """The packet id fits the header."""
    if op.id is not None and not 0 <= op.id <= MAX_PACKET_ID:
        report.error(op, f"packet ID must be in range [0, {MAX_PACKET_ID}], found {op.id}")


@rule("aie.trace.start", "aie.trace.stop")
def start_or_stop(op: TraceStartOp | TraceStopOp, report: Report) -> None:
    """A broadcast channel or an event, not both."""
    if (op.broadcast is None) == (op.event is None):
        result = "both" if op.event is not None else "neither"
        report.error(op, f"must specify either broadcast or event, found {result}")
    elif op.broadcast is not None and not 0 <= op.broadcast <= _MAX_BROADCAST:
        report.error(op, f"broadcast must be in range [0, {_MAX_BROADCAST}], found {op.broadcast}")


@rule("aie.trace.start_config")
def start_config(op: TraceStartConfigOp, report: Report) -> None:
    """Names a trace of this device."""
    symbols = symbols_of(op, report)
    if symbols and getattr(symbols.get(op.trace_config), "name", "") not in ("aie.trace", "aie.trace.config"):
        report.error(op, f"'{op.trace_config}' does not name an aie.trace of this device")


@rule("aie.event")
def user_event(op: EventOp, report: Report) -> None:
    """A core has user events 0 to 3."""
    if not 0 <= op.val <= 3:
        report.error(op, f"user event must be in range [0, 3], found {op.val}")
