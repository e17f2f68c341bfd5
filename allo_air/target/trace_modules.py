"""Events and trace registers of the modules that have a trace unit (docs/sources.md#hardware-flow; aie-rt's event tables).

A core tile has two: `core` and `mem`; a memtile has `memtile`, a shim `shimtile`. Numbers are those of AIE2, which mlir-aie
uses for AIE2p as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from allo_air.device import Device

_DMA_KINDS = ("START_TASK", "FINISHED_BD", "FINISHED_TASK", "STALLED_LOCK")
_STREAM = {"S2MM": ("STREAM_STARVATION", "MEMORY_BACKPRESSURE"), "MM2S": ("STREAM_BACKPRESSURE", "MEMORY_STARVATION")}

_CORE = """
    0 NONE TRUE GROUP_0 TIMER_SYNC TIMER_VALUE_REACHED PERF_CNT_0 PERF_CNT_1 PERF_CNT_2 PERF_CNT_3 COMBO_EVENT_0
    COMBO_EVENT_1 COMBO_EVENT_2 COMBO_EVENT_3 EDGE_DETECTION_EVENT_0 EDGE_DETECTION_EVENT_1 GROUP_PC_EVENT PC_0 PC_1 PC_2
    PC_3 PC_RANGE_0_1 PC_RANGE_2_3 GROUP_CORE_STALL MEMORY_STALL STREAM_STALL CASCADE_STALL LOCK_STALL DEBUG_HALTED ACTIVE
    DISABLED ECC_ERROR_STALL ECC_SCRUBBING_STALL GROUP_CORE_PROGRAM_FLOW INSTR_EVENT_0 INSTR_EVENT_1 INSTR_CALL INSTR_RETURN
    INSTR_VECTOR INSTR_LOAD INSTR_STORE INSTR_STREAM_GET INSTR_STREAM_PUT INSTR_CASCADE_GET INSTR_CASCADE_PUT
    INSTR_LOCK_ACQUIRE_REQ INSTR_LOCK_RELEASE_REQ GROUP_ERRORS_0 GROUP_ERRORS_1 SRS_OVERFLOW UPS_OVERFLOW 73
    GROUP_STREAM_SWITCH 106 GROUP_BROADCAST 123 GROUP_USER_EVENT USER_EVENT_0 USER_EVENT_1 USER_EVENT_2 USER_EVENT_3
"""
_MEM = """
    0 NONE TRUE GROUP_0 TIMER_SYNC TIMER_VALUE_REACHED PERF_CNT_0 PERF_CNT_1 COMBO_EVENT_0 COMBO_EVENT_1 COMBO_EVENT_2
    COMBO_EVENT_3 EDGE_DETECTION_EVENT_0 EDGE_DETECTION_EVENT_1 15 GROUP_WATCHPOINT WATCHPOINT_0 WATCHPOINT_1
    GROUP_DMA_ACTIVITY 43 GROUP_LOCK 76 GROUP_MEMORY_CONFLICT CONFLICT_DM_BANK_0 CONFLICT_DM_BANK_1 CONFLICT_DM_BANK_2
    CONFLICT_DM_BANK_3 CONFLICT_DM_BANK_4 CONFLICT_DM_BANK_5 CONFLICT_DM_BANK_6 CONFLICT_DM_BANK_7 106 GROUP_BROADCAST 123
    GROUP_USER_EVENT USER_EVENT_0 USER_EVENT_1 USER_EVENT_2 USER_EVENT_3
"""
_MEMTILE = """
    0 NONE TRUE GROUP_0 TIMER_SYNC TIMER_VALUE_REACHED PERF_CNT0_EVENT PERF_CNT1_EVENT PERF_CNT2_EVENT PERF_CNT3_EVENT
    COMBO_EVENT_0 COMBO_EVENT_1 COMBO_EVENT_2 COMBO_EVENT_3 EDGE_DETECTION_EVENT_0 EDGE_DETECTION_EVENT_1 GROUP_WATCHPOINT
    WATCHPOINT_0 WATCHPOINT_1 WATCHPOINT_2 WATCHPOINT_3 GROUP_DMA_ACTIVITY 45 GROUP_LOCK 78 GROUP_STREAM_SWITCH 111
    GROUP_MEMORY_CONFLICT 141 GROUP_BROADCAST 158 GROUP_USER_EVENT USER_EVENT_0 USER_EVENT_1
"""
_SHIM = """
    0 NONE TRUE GROUP_0 TIMER_SYNC TIMER_VALUE_REACHED PERF_CNT_0 PERF_CNT_1 COMBO_EVENT_0 COMBO_EVENT_1 COMBO_EVENT_2
    COMBO_EVENT_3 EDGE_DETECTION_EVENT_0 EDGE_DETECTION_EVENT_1 GROUP_DMA_ACTIVITY 38 GROUP_LOCK 76 GROUP_STREAM_SWITCH 109
    GROUP_BROADCAST 126 USER_EVENT_0 USER_EVENT_1
"""


# Names in the order of their numbers; a number sets the number of the next name.


@dataclass(frozen=True)
class Module:
    """A module: registers from `base` on, port selections at `ports` (0: none), packets from switch port `Trace` `channel`."""

    name: str
    base: int
    ports: int
    channel: int
    event_bits: int
    broadcast: int  # the event of broadcast 0
    first_port: int  # PORT_IDLE_0; -1: none
    first_dma: int  # -1: none
    selected: bool  # whether DMA events are for two selected channels per direction
    plain: str

    @property
    def packet_type(self) -> int:
        """The type in the header of its packets."""
        return tuple(MODULES).index(self.name)

    @property
    def events(self) -> Mapping[str, int]:
        """Its events by name."""
        return _events(self)


MODULES: Mapping[str, Module] = {
    m.name: m
    for m in (
        Module("core", 0x34000, 0x3FF00, 0, 7, 107, 74, -1, False, _CORE),
        Module("mem", 0x14000, 0, 1, 7, 107, -1, 19, False, _MEM),
        Module("shimtile", 0x34000, 0x3FF00, 0, 7, 110, 77, 14, False, _SHIM),
        Module("memtile", 0x94000, 0xB0F00, 0, 8, 142, 79, 21, True, _MEMTILE),
    )
}
"""The modules by packet type, in the order of the types' numbers."""

MODULES_OF = {"core": ("core", "mem"), "mem": ("memtile",), "shim_noc": ("shimtile",)}
"""The modules of a kind of tile; the first is the default."""


@cache
def _events(module: Module) -> Mapping[str, int]:
    events: dict[str, int] = {}
    number = 0
    for word in module.plain.split():
        if word.isdigit():
            number = int(word)
            continue
        events[word] = number
        number += 1
    for n in range(16):
        events[f"BROADCAST_{n}"] = module.broadcast + n
        if module.name == "shimtile":
            events[f"BROADCAST_A_{n}"] = module.broadcast + n
    if module.first_port >= 0:
        for n in range(8):
            for i, what in enumerate(("IDLE", "RUNNING", "STALLED", "TLAST")):
                events[f"PORT_{what}_{n}"] = module.first_port + 4 * n + i
    if module.first_dma >= 0:
        for d, direction in enumerate(("S2MM", "MM2S")):
            for c in range(2):
                channel = f"SEL{c}" if module.selected else str(c)
                for k, kind in enumerate((*_DMA_KINDS, *_STREAM[direction])):
                    events[f"DMA_{direction}_{channel}_{kind}"] = module.first_dma + 4 * k + 2 * d + c
    return events


def event_name(module: Module, number: int) -> str:
    """The name of event `number`; the number itself if the tables have no name."""
    return next((name for name, n in module.events.items() if n == number), f"event {number}")


def port_index(device: Device, column: int, row: int, bundle: str, channel: int, *, master: bool) -> int | None:
    """The number of a switch's port in port selections; None if the tile has no such port."""
    ports = device.tile(column, row).ports
    index = 0
    for name, count in (ports.masters if master else ports.slaves).items():
        if name == bundle:
            return index + channel if 0 <= channel < count else None
        index += count
    return None


@dataclass(frozen=True)
class Register:
    """`offset` after the module's base (or its port selections, if `of_ports`); fields are (lowest bit, bits)."""

    offset: int
    fields: Mapping[str, tuple[int, int]]
    of_ports: bool = False

    def address(self, module: Module) -> int:
        """Its offset in the tile."""
        return (module.ports if self.of_ports else module.base) + self.offset

    def mask(self, field: str) -> int:
        """The bits of a field."""
        low, bits = self.fields[field]
        return (1 << bits) - 1 << low


@cache
def registers(module: Module) -> Mapping[str, Register]:
    """The registers that configure a trace, ordered so that everything is set up before it can start."""
    e = module.event_bits
    results = {
        "Timer_Control": Register(0x00, {"Reset_Event": (8, e)}),
        "Combo_event_inputs": Register(0x400, {f"event{name}": (8 * i, e) for i, name in enumerate("ABCD")}),
        "Combo_event_control": Register(0x404, {f"combo{i}": (8 * i, 2) for i in range(3)}),
        "Edge_Detection_event_control": Register(
            0x408,
            {f"Edge_Detection_Event_{i}": (16 * i, e) for i in range(2)}
            | {
                f"Edge_Detection_{i}_Trigger_{k}": (16 * i + 9 + j, 1)
                for i in range(2)
                for j, k in enumerate(("Rising", "Falling"))
            },
        ),
        "Trace_Event0": Register(0xE0, {f"Trace_Event{i}": (8 * i, e) for i in range(4)}),
        "Trace_Event1": Register(0xE4, {f"Trace_Event{i}": (8 * (i - 4), e) for i in range(4, 8)}),
        "Trace_Control1": Register(0xD4, {"ID": (0, 5), "Packet_Type": (12, 3)}),
        "Trace_Control0": Register(0xD0, {"Mode": (0, 2), "Trace_Start_Event": (16, e), "Trace_Stop_Event": (24, e)}),
    }
    selections = {
        f"Stream_Switch_Event_Port_Selection_{r}": Register(
            4 * r,
            {f"Port_{p}_ID": (8 * (p % 4), 5) for p in range(4 * r, 4 * r + 4)}
            | {f"Port_{p}_Master_Slave": (8 * (p % 4) + 5, 1) for p in range(4 * r, 4 * r + 4)},
            of_ports=True,
        )
        for r in range(2)
    }
    return (selections if module.ports else {}) | results
