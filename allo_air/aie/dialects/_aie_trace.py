"""Traces: the events that a tile's trace unit records, and the destination of the packets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronMissing, IronValueError
from allo_air.aie.building.events import DEFAULTS, PortEvent, as_event
from allo_air.aie.building.regions import fill_with
from allo_air.aie.building.scope import enclosing
from allo_air.aie.building.values import value_of
from allo_air.aie.dialects._aie_dma import direction
from allo_air.aie.dialects._aie_tiles import EndOp
from allo_air.device import DEVICES
from allo_air.dialects import aie as _aie
from allo_air.errors import counted
from allo_air.mlir import ir

_OWN = "a trace gets a buffer of its own after the sequence's arguments"
_IGNORED = ("enable_token", "brdcst_num", "user_event", "shim_burst_length")  # neither events nor a buffer


def check_options(keywords: Mapping[str, object], who: str, size: int) -> None:
    """Checks the arguments of `enable_trace` and similar functions; an error if there is a destination but no size."""
    missing = {"trace_offset": f"{_OWN}, where it begins at 0"}
    refuse(keywords, who, ignored=_IGNORED if size else (*_IGNORED, *missing), missing=missing if size else None)


def trace(
    tile: object, sym_name: str, buffer_size: int | None = None, **keywords: object
) -> Callable[[Callable[..., Any]], Any]:
    """`@trace(tile, "name")`: the decorated function lists the recorded events."""
    refuse(keywords, "trace", ignored=("loc", "ip"))

    def fill(function: Callable[..., object]) -> Any:
        op = _aie.TraceOp(tile=value_of(tile), sym_name=sym_name, buffer_size=buffer_size)
        fill_with(op, function, EndOp)
        return op

    return fill


def trace_mode(mode: Any) -> Any:
    """The trace mode (Event-Time, Event-PC or Execution), by name or number."""
    return _aie.TraceModeOp(mode=mode if isinstance(mode, str) else int(mode))


def trace_packet(id: int | None = None, type: str = "core") -> Any:
    """The packets' id and type."""
    return _aie.TracePacketOp(id=id, type=type if isinstance(type, str) else int(type))


def trace_event(event: object, label: str | None = None) -> Any:
    """An event to record."""
    return _aie.TraceEventOp(event=event_of(event), label=label)


def trace_port(slot: int, port: str, channel: int, direction_: object = None, **named: str) -> Any:
    """The port that a slot of port events observes."""
    port_direction = named.get("direction", direction_)
    return _aie.TracePortOp(
        slot=slot, port=port if isinstance(port, str) else int(port), channel=int(channel), direction=direction(port_direction)
    )


def trace_start(broadcast: int | None = None, event: object = None) -> Any:
    """The event that starts recording."""
    return _aie.TraceStartOp(broadcast=broadcast, event=None if event is None else event_of(event))


def trace_stop(broadcast: int | None = None, event: object = None) -> Any:
    """The event that stops recording."""
    return _aie.TraceStopOp(broadcast=broadcast, event=None if event is None else event_of(event))


def trace_start_config(name: object) -> Any:
    """In the sequence: starts the trace with this name."""
    return _aie.TraceStartConfigOp(trace_config=str(name))


def trace_host_config(
    buffer_size: int,
    egress_shim_col: int | None = None,
    reuse_output_buffer: bool | None = None,
    routing: object = None,
    **keywords: object,
) -> Any:
    """In the sequence: sets the buffer for traces."""
    refuse(keywords, "trace_host_config", ignored=("loc", "ip"))
    return _aie.TraceHostConfigOp(
        buffer_size=buffer_size, egress_shim_col=egress_shim_col, reuse_output_buffer=reuse_output_buffer, routing=routing
    )


def check_buffer(ddr_id: int | None) -> None:
    """In the sequence: checks that the trace's buffer is the argument after the arrays, not one of them."""
    sequence = enclosing("aie.runtime_sequence")
    count = 0 if sequence is None else len(sequence.body.blocks[0].arguments)
    if ddr_id is not None and 0 <= int(ddr_id) < count:
        raise IronMissing(f"a trace with ddr_id={ddr_id} is not supported: argument {ddr_id} is an array, and {_OWN}")


def event_of(event: Any) -> Any:
    """The attribute of an event, by its name or a member of an enumeration of events."""
    return ir.Attribute.parse(f'#aie.trace_event<"{event if isinstance(event, str) else event.name}">')


def declare(tile: object, module: str, name: str, events: Any = None, mode: object = 0) -> None:
    """Declares the trace of a tile's module, started and stopped by broadcasts, with up to eight events."""
    chosen = [as_event(e) for e in (events if events is not None else DEFAULTS[module])]
    if len(chosen) > _SLOTS:
        raise IronValueError(f"trace of {name}: {counted(len(chosen), 'event')}; a trace unit has {_SLOTS} slots")

    def body() -> None:
        trace_mode(mode)
        trace_packet(type=module)
        ports = [e for e in chosen if isinstance(e, PortEvent)]
        for event in chosen:
            trace_event(event.name_in(module))
        for event in ports:
            slot = int(event.name_in(module).rpartition("_")[2])
            bundle, channel = _port(event, module)
            trace_port(slot, bundle, channel, direction="S2MM" if event.master else "MM2S")
        trace_start(broadcast=15)
        trace_stop(broadcast=14)

    trace(tile, name)(body)


_SLOTS = 8
_PORTS = {"core": (2, "core"), "memtile": (1, "mem"), "shimtile": (0, "shim_noc")}


def _port(event: PortEvent, module: str) -> tuple[Any, int]:
    """Kind and channel of a port that may be given by its number in the switch."""
    if isinstance(event.port, str) or event.channel is not None:
        kind = event.port if isinstance(event.port, str) else event.port.name
        return kind, int(event.channel or 0)
    tile = DEVICES["npu1"].tile(0, _PORTS[module][0])
    rest = int(event.port)
    for kind, count in (tile.ports.masters if event.master else tile.ports.slaves).items():
        if rest < count:
            return str(kind), rest
        rest -= count
    raise IronValueError(f"a traced port has number {event.port}; the switch of a {module} tile has fewer ports")
