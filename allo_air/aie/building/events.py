"""Enumerations of the events that trace units record, by module, and the default events."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from allo_air.aie.building.errors import IronTypeError
from allo_air.target.trace_modules import MODULES


def _enumerated(name: str, module: str) -> Any:
    return IntEnum(name, dict(MODULES[module].events))


CoreEvent, MemEvent = _enumerated("CoreEvent", "core"), _enumerated("MemEvent", "mem")
ShimTileEvent, MemTileEvent = _enumerated("ShimTileEvent", "shimtile"), _enumerated("MemTileEvent", "memtile")
KINDS = {"core": CoreEvent, "mem": MemEvent, "shimtile": ShimTileEvent, "memtile": MemTileEvent}


class GenericEvent:
    """An event, given by its enumeration member, name or number."""

    def __init__(self, code: Any):
        self.code = code

    def name_in(self, module: str) -> str:
        """Its name in a module."""
        if isinstance(self.code, str):
            return self.code
        if isinstance(self.code, IntEnum):
            return self.code.name
        return str(KINDS[module](int(self.code)).name)


class PortEvent(GenericEvent):
    """An event of a port: `PortEvent(code, number, master)` by its number in the switch, or by kind and channel."""

    def __init__(self, code: object, port: Any = 0, channel: Any = None, master: bool = True, **named: Any):
        super().__init__(code)
        if isinstance(channel, bool):
            channel, master = None, channel
        port = named.get("port_number", named.get("bundle", port))
        self.port, self.channel, self.master = port, named.get("channel", channel), bool(named.get("master", master))


MemTilePortEvent = PortEvent
DMA_PORTS = {"core": (PortEvent(CoreEvent.PORT_RUNNING_0, 1, True), PortEvent(CoreEvent.PORT_RUNNING_1, 1, False))}
_CORE = ("INSTR_EVENT_0", "INSTR_EVENT_1", "INSTR_VECTOR", "MEMORY_STALL", "STREAM_STALL", "LOCK_STALL")
_BANKS = tuple(f"CONFLICT_DM_BANK_{n}" for n in range(4))
_TASKS = ("S2MM_0_START", "S2MM_1_START", "MM2S_0_START", "S2MM_0_FINISHED", "S2MM_1_FINISHED", "MM2S_0_FINISHED")
_SHIM = (*(f"DMA_{n}_TASK" for n in _TASKS), *(f"DMA_S2MM_{n}_STREAM_STARVATION" for n in (0, 1)))
DEFAULTS: dict[str, tuple[Any, ...]] = {
    "core": (*(CoreEvent[n] for n in _CORE), *DMA_PORTS["core"]),
    "mem": tuple(
        MemEvent[n]
        for n in ("DMA_S2MM_0_START_TASK", "DMA_MM2S_0_START_TASK", *_BANKS, "EDGE_DETECTION_EVENT_0", "EDGE_DETECTION_EVENT_1")
    ),
    "memtile": tuple(PortEvent(MemTileEvent[f"PORT_RUNNING_{n}"], "DMA", n % 4, n < 4) for n in range(8)),
    "shimtile": tuple(ShimTileEvent[n] for n in _SHIM),
}


def as_event(event: object) -> GenericEvent:
    """The event for a program's argument; an error for other values."""
    if isinstance(event, GenericEvent):
        return event
    if isinstance(event, str | int):
        return GenericEvent(event)
    raise IronTypeError(f"a traced event is {event!r}; give a member of CoreEvent, its name or number, or a PortEvent")
