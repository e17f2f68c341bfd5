"""The numbers that planners use: all capacities, rates and overheads of a device.

Times are cycles of the array at the device's default clock. The control processor and the path to external memory have clocks
of their own; their times are nanoseconds in `Overheads`, and take more cycles on a faster array. Sources are sections of
docs/sources.md, or simulated programs if a comment says so.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

from allo_air.arch.architecture import Architecture
from allo_air.arch.limits import core_room
from allo_air.arch.timing import OVERHEADS, Overheads
from allo_air.device import BDFormat, Device

__all__ = ["OVERHEADS", "Machine", "Overheads", "machine"]


@dataclass(frozen=True)
class Machine:
    """A device as planners see it; capacities and rates are those of `allo_air.device` and of its `Architecture`."""

    columns: int
    rows: int  # of cores
    l1: int  # bytes of a core's memory without its stack
    l2: int  # bytes of a memtile
    core_channels: int  # DMA channels of a core in each direction
    shim_channels: int  # of a shim
    shim_bd: BDFormat  # fields of a shim's descriptor
    stream_bytes: float  # bytes per cycle of a stream
    channel_bytes: float  # bytes per cycle of one channel of a shim
    column_bytes: float  # bytes per cycle of all channels of one direction of a shim
    memory_bytes: float  # bytes per cycle of external memory, reads and writes together, in contiguous transfers
    read_delay: float  # further cycles of a byte that is read, on the path of reads: it is slower than the bus
    push: float  # cycles of the control processor from the start of one channel of a shim to that of the next
    descriptor: float  # cycles of the control processor for a descriptor of a shim and its share of a task
    task: float  # cycles of the control processor for a task of a chain: descriptor, start and end
    cold: float  # cycles from the start of a cold shim channel to its first words
    arrival: float  # cycles until the first word of an operand has come through L2 to a core
    tail: float  # cycles from the last result to the host's notice
    reload: float  # cycles until the array runs another configuration
    holds_tasks: bool  # whether the first tasks of all channels begin together

    @property
    def cores(self) -> int:
        """All cores of the array."""
        return self.columns * self.rows

    def lead(self, operands: float, results: float) -> float:
        """Cycles until the control processor has started the shim channels of the `operands`, and also those of the `results`
        if all tasks of a launch begin together.
        """
        return self.push * (operands + results * self.holds_tasks)

    def moving(self, read: float, written: float) -> float:
        """Cycles of external memory to read and write so many bytes at the same time, in contiguous transfers."""
        return max((read + written) / self.memory_bytes, read * (1 / self.memory_bytes + self.read_delay))

    def run(self, cycles: float, channels: int = 0) -> float:
        """Cycles of a run: `cycles` of work, the starts of `channels` shim channels, and the overheads before and after.

        If all tasks of a launch begin together, the work follows the starts; otherwise it overlaps with them.
        """
        pushes = self.push * channels
        return self.cold + (cycles + pushes if self.holds_tasks else max(cycles, pushes)) + self.tail


@lru_cache(maxsize=64)
def machine(device: Device, arch: Architecture) -> Machine:
    """The machine of `device`, with the rates and overheads of `arch`."""
    core, shim = device.tiles["core"], device.tiles["shim_noc"]
    memtile = device.tiles.get("mem")
    gigahertz = arch.mhz / 1000
    assert shim.bd is not None
    return Machine(
        columns=device.columns,
        rows=len(device.core_rows),
        l1=core_room(device),
        l2=memtile.memory if memtile else 0,
        core_channels=core.channels[0],
        shim_channels=shim.channels[0],
        shim_bd=shim.bd,
        stream_bytes=arch.stream_bytes,
        channel_bytes=arch.channel_bytes,
        column_bytes=arch.column_bytes,
        memory_bytes=arch.memory_bytes,
        read_delay=1 / arch.read_bytes - 1 / arch.memory_bytes,
        reload=arch.reload_microseconds * arch.mhz,
        holds_tasks=arch.holds_tasks,
        **{field.name: getattr(arch.overheads, field.name) * gigahertz for field in fields(Overheads)},
    )
