"""The registers of tiles by kind: addresses, names and fields (docs/sources.md#device). Writers of configurations and readers
that decode them use the same table. Addresses are offsets in the tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from allo_air.device import DEVICES, Device
from allo_air.target.bd_layout import LAYOUTS, WORDS, Bits
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, LOCK_BASE, LOCK_STRIDE, QUEUE_BASE

CORE_CONTROL = 0x32000
ENABLE, RESET = 1, 2
"""Bits of Core_Control."""

CASCADE = 0x36060
"""Accumulator_Control: bit 0 input from west (else north), bit 1 output to east (else south)."""

PROGRAM_MEMORY = 0x20000
CHANNEL_ENABLE, CHANNEL_RESET = 1, 2
"""Bits of a DMA channel's control register."""

SHIM_MUX, SHIM_DEMUX = 0x1F000, 0x1F004
MUX_PORTS: Mapping[int, tuple[int, int]] = {3: (0xC00, 0x400), 7: (0xC000, 0x4000)}
"""Mask and value in the multiplexer that connect a shim's DMA to its North n, by n."""

DEMUX_PORTS: Mapping[int, tuple[int, int]] = {2: (0x30, 0x10), 3: (0xC0, 0x40)}
"""Mask and value in the demultiplexer that connect North n to a shim's DMA, by n."""

SWITCH: Mapping[str, int] = {"core": 0x3F000, "mem": 0xB0000, "shim_noc": 0x3F000, "shim_pl": 0x3F000}
"""The master registers of a stream switch; its slaves' are 0x100 after them, the slots of packet rules 0x200."""

SLAVES, SLOTS, SLOT_STRIDE = 0x100, 0x200, 0x10
SLOTS_PER_PORT = 4

PORT_ENABLE, PACKET_ENABLE = 1 << 31, 1 << 30
"""Bits of master and slave registers."""

MEM_PAD_VALUE = 0xA06E0
"""Constant_Pad_Value of MM2S channel 0 of a memtile (AIE2p), a register a channel, 4 bytes apart."""


@dataclass(frozen=True)
class Register:
    """`count` registers `name` that begin at `offset`, `stride` bytes apart; `fields` name their bits."""

    name: str
    offset: int
    count: int = 1
    stride: int = 4
    fields: Mapping[str, Bits] = field(default_factory=dict, hash=False)
    words: int = 1

    def index(self, offset: int) -> int | None:
        """The index of the register at `offset`; None if there is none."""
        number, rest = divmod(offset - self.offset, self.stride)
        return number if 0 <= number < self.count and rest < 4 * self.words else None


def _fields(text: str) -> dict[str, Bits]:
    """Fields of one word from `name=shift.width ...`."""
    bits = {}
    for entry in text.split():
        name, place = entry.split("=")
        shift, width = map(int, place.split("."))
        bits[name] = Bits(0, shift, width)
    return bits


_LOCK = _fields("value=0.6")
_CONTROL = _fields("enable=0.1 reset=1.1 out_of_order=3.1 controller_id=8.8")
_MASTER = _fields("source=0.7 arbiter=0.3 mselects=3.4 drop_header=7.1 packet=30.1 enable=31.1")
_SLAVE = _fields("packet=30.1 enable=31.1")
_SLOT = _fields("arbiter=0.3 msel=4.2 enable=8.1 mask=16.5 id=24.5")
_QUEUES = {
    "core": _fields("bd=0.4 repeat=16.8 token=31.1"),
    "mem": _fields("bd=0.6 repeat=16.8 token=31.1"),
    "shim_noc": _fields("bd=0.4 repeat=16.8 token=31.1"),
}
_TRACE = {"core": (0x340D0, 0x140D0), "mem": (0x940D0,), "shim_noc": (0x340D0,)}


@cache
def registers(kind: str) -> tuple[Register, ...]:
    """The registers of a tile of `kind` that configurations and runtime sequences write."""
    tile = next(iter(DEVICES["npu1"].tiles[k] for k in DEVICES["npu1"].tiles if k == kind))
    all_registers = list(_switch_registers(kind))
    if kind in BD_BASE:
        all_registers.append(Register("Lock", LOCK_BASE[kind], tile.locks, LOCK_STRIDE, _LOCK))
        all_registers.append(Register("BD", BD_BASE[kind], tile.bds, BD_STRIDE, LAYOUTS[kind], WORDS[kind]))
        for direction, base, count in zip(("S2MM", "MM2S"), QUEUE_BASE[kind], tile.channels, strict=True):
            all_registers.append(Register(f"{direction}_Control", base - 4, count, 8, _CONTROL))
            all_registers.append(Register(f"{direction}_Queue", base, count, 8, _QUEUES[kind]))
        all_registers += [
            Register(name, base + register_offset, 1, 4)
            for base in _TRACE[kind]
            for register_offset, name in (
                (0, "Trace_Control_0"),
                (4, "Trace_Control_1"),
                (16, "Trace_Event_0"),
                (20, "Trace_Event_1"),
            )
        ]
    if kind == "core":
        all_registers.append(Register("Core_Control", CORE_CONTROL, fields=_fields("enable=0.1 reset=1.1")))
        all_registers.append(Register("Accumulator_Control", CASCADE, fields=_fields("input_west=0.1 output_east=1.1")))
    if kind == "mem":
        all_registers.append(Register("Constant_Pad_Value", MEM_PAD_VALUE, tile.channels[1]))
    if kind == "shim_noc":
        all_registers.append(Register("Mux_Config", SHIM_MUX, fields=_fields("South2=8.2 South3=10.2 South6=12.2 South7=14.2")))
        all_registers.append(
            Register("Demux_Config", SHIM_DEMUX, fields=_fields("North2=4.2 North3=6.2 North4=8.2 North5=10.2"))
        )
    return tuple(all_registers)


def _switch_registers(kind: str) -> Iterator[Register]:
    ports = DEVICES["npu1"].tiles[kind].ports
    base = SWITCH[kind]
    yield Register("Master", base, sum(ports.masters.values()), fields=_MASTER)
    yield Register("Slave", base + SLAVES, sum(ports.slaves.values()), fields=_SLAVE)
    yield Register("Slot", base + SLOTS, SLOTS_PER_PORT * sum(ports.slaves.values()), fields=_SLOT)


def port_index(device: Device, column: int, row: int, bundle: str, channel: int, *, master: bool) -> int | None:
    """The number of a port in a switch's registers; None if its kind of tile has no such port."""
    ports = device.tile(column, row).ports
    before = 0
    for name, count in (ports.masters if master else ports.slaves).items():
        if name == bundle:
            return before + channel if 0 <= channel < count else None
        before += count
    return None


def port_name(kind: str, index: int, *, master: bool) -> tuple[str, int]:
    """Bundle and channel of a port by its number in the registers; ValueError for one that does not exist."""
    ports = DEVICES["npu1"].tiles[kind].ports
    rest = index
    for name, count in (ports.masters if master else ports.slaves).items():
        if rest < count:
            return name, rest
        rest -= count
    raise ValueError(f"a {kind} tile's switch has no {'master' if master else 'slave'} {index}")


def program_memory(device: Device) -> int:
    """Bytes of a core's program memory."""
    return device.tiles["core"].program_memory
