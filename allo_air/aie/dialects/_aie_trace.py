"""Traces: what a tile's trace unit records, and where it goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.aie.building.regions import fill_with
from allo_air.aie.building.values import value_of
from allo_air.aie.dialects._aie_dma import direction
from allo_air.aie.dialects._aie_tiles import EndOp
from allo_air.dialects import aie as _aie
from allo_air.mlir import ir


def trace(tile: Any, sym_name: str, buffer_size: int | None = None, **_: Any) -> Callable[[Callable[..., Any]], Any]:
    """`@trace(tile, "name")`: the function below says what is recorded."""

    def fill(function: Callable[..., Any]) -> Any:
        made = _aie.TraceOp(tile=value_of(tile), sym_name=sym_name, buffer_size=buffer_size)
        fill_with(made, function, EndOp)
        return made

    return fill


def trace_mode(mode: Any) -> Any:
    """Event-Time, Event-PC or Execution, by name or number."""
    return _aie.TraceModeOp(mode=mode if isinstance(mode, str) else int(mode))


def trace_packet(id: int | None = None, type: Any = "core") -> Any:
    """The packets' id and type."""
    return _aie.TracePacketOp(id=id, type=type if isinstance(type, str) else int(type))


def trace_event(event: Any, label: str | None = None) -> Any:
    """An event to record."""
    return _aie.TraceEventOp(event=event_of(event), label=label)


def trace_port(slot: int, port: Any, channel: int, direction_: Any = None, **named: Any) -> Any:
    """The port that a slot of port events watches."""
    way = named.get("direction", direction_)
    return _aie.TracePortOp(
        slot=slot, port=port if isinstance(port, str) else int(port), channel=int(channel), direction=direction(way)
    )


def trace_start(broadcast: int | None = None, event: Any = None) -> Any:
    """When recording starts."""
    return _aie.TraceStartOp(broadcast=broadcast, event=None if event is None else event_of(event))


def trace_stop(broadcast: int | None = None, event: Any = None) -> Any:
    """When recording stops."""
    return _aie.TraceStopOp(broadcast=broadcast, event=None if event is None else event_of(event))


def trace_start_config(name: Any) -> Any:
    """In the sequence: starts the trace of that name."""
    return _aie.TraceStartConfigOp(trace_config=str(name))


def trace_host_config(
    buffer_size: int, egress_shim_col: int | None = None, reuse_output_buffer: bool | None = None, routing: Any = None, **_: Any
) -> Any:
    """In the sequence: the buffer that traces go to."""
    return _aie.TraceHostConfigOp(
        buffer_size=buffer_size, egress_shim_col=egress_shim_col, reuse_output_buffer=reuse_output_buffer, routing=routing
    )


def event_of(given: Any) -> Any:
    """The attribute of an event, by its name or a member of an enumeration of events."""
    return ir.Attribute.parse(f'#aie.trace_event<"{given if isinstance(given, str) else given.name}">')
