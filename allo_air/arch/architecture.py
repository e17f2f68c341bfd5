"""A generation of the array."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from allo_air.arch.core import Core
from allo_air.arch.memory import NO_MEMORY, ExternalMemory
from allo_air.arch.timing import OF_THE_PROCESSOR, OVERHEADS, RECONFIGURE_MICROSECONDS, Overheads, Timing
from allo_air.device import Arch


@dataclass(frozen=True, eq=False)
class Architecture:
    """The properties of a generation `name`. Clocks are in MHz, and lengths in bytes unless stated otherwise."""

    name: Arch
    core: Core | None = None
    latencies: Timing | None = None
    """At 1 GHz, which matters to those of external memory and of the control processor."""

    memory: ExternalMemory = NO_MEMORY

    mhz: int = 1000
    """The default clock."""

    clock_source: str = "nominal"
    burst_lengths: tuple[int, ...] = ()
    """Burst lengths of the shim DMA; a BD holds the index, and 0 asks for the longest."""

    max_lock_value: int = 63
    """Largest value of a lock: 63 (6 bits), or 1 on AIE1, whose locks have two states."""

    pad_values: bool = False
    """Whether memtiles pad with a value, which each MM2S channel has a register for; others pad with zeros."""

    mirrored_rows: bool = False
    """Whether cores of even rows find their own memory in the west; it is in the east otherwise."""

    cascade_directions: bool = True
    """Whether a core's cascade directions are configurable."""

    holds_tasks: bool = False
    """Whether the tasks of a launch begin together, when the control processor waits for the first time."""

    scratchpad: bool = False
    """Whether the control processor has a scratchpad for parameters of a call."""

    loads_elf: bool = False
    """Whether a configuration may be in an ELF file; others are in an xclbin."""

    memtile_window: bool = False
    """Whether addresses in BDs that the host writes to a memtile include its own base."""

    cascade_bits: int = 512
    """Width of the cascade stream between neighbouring cores."""

    reload_microseconds: float = RECONFIGURE_MICROSECONDS
    """Until the array runs another configuration while a program runs, as the host's clock sees it."""

    overheads: Overheads = OVERHEADS
    """The planners' costs of launches, tasks and channels."""

    caveat: str = ""
    """A note for readers of predicted cycles."""

    @property
    def semaphore_locks(self) -> bool:
        """Whether locks count."""
        return self.max_lock_value > 1

    @property
    def stream_bytes(self) -> int:
        """Bytes that a stream, and so a shim's DMA channel, carries in a cycle."""
        return int(4 * self.latencies.stream_words_per_cycle) if self.latencies else 4

    @cached_property
    def memory_gigabytes(self) -> float:
        """The sustained rate of external memory for contiguous transfers, in GB/s, reads and writes together."""
        return self.memory.sustained

    @cached_property
    def memory_bytes(self) -> float:
        """Bytes from and to external memory in a cycle of the default clock, in contiguous transfers."""
        return self.memory_gigabytes * 1000 / self.mhz

    @cached_property
    def read_bytes(self) -> float:
        """The same if nothing is written."""
        return self.memory.reads * 1000 / self.mhz if self.memory.reads else self.memory_bytes

    @cached_property
    def channel_bytes(self) -> float:
        """Bytes that one channel of a shim moves in a cycle of the default clock at most."""
        return 4 / self.timing().shim_s2mm_cycles_per_word

    @property
    def column_bytes(self) -> float:
        """The same of all channels of one direction of a shim."""
        both = 2 * self.channel_bytes
        return min(both, self.memory.column * 1000 / self.mhz) if self.memory.column else both

    def memory_share(self, run: float) -> float:
        """Time of runs of that many bytes in external memory, as a multiple of that of contiguous transfers."""
        return self.memory.share(run) * self.memory_gigabytes / self.memory.peak

    def memory_share_at_least(self, run: float) -> float:
        """A lower bound of the share of external memory's time that runs of at most `run` bytes take, relative to
        contiguous transfers.
        """
        return self.memory.least_share(run) * self.memory_gigabytes / self.memory.peak

    def panel_parts(self, counts: Iterable[int], run: Callable[[int], float]) -> int:
        """The best number, among `counts`, of equal parts for a panel that is read while it arrives.

        With that many parts, its runs have `run(parts)` bytes; readers wait for the first part.
        """
        return min(counts, key=lambda parts: (self.memory_share(run(parts)) * (1 + 1 / parts), -parts))

    def timing(self, mhz: float | None = None, *, calls: bool = True) -> Timing:
        """The constants of the cycle model at a clock of `mhz`; raises ValueError if the generation has no model.

        With `calls`, cores use locks by function calls, otherwise by single instructions.

        The rates and the refresh of memory are constant in seconds, so their cycles change with the clock. The same is true
        of the control processor, which has its own clock, and of its time for a task and its end.
        """
        if self.latencies is None:
            raise ValueError(f"no timing for architecture '{self.name}'")
        clock = mhz or self.mhz
        fixed, memory = self.latencies if calls else self.latencies.without_calls(), self.memory
        slowest = 4 * clock / 1000 / memory.channel if memory.channel else 0.0
        return replace(
            fixed,
            shim_mm2s_cycles_per_word=max(fixed.shim_mm2s_cycles_per_word, slowest),
            shim_s2mm_cycles_per_word=max(fixed.shim_s2mm_cycles_per_word, slowest),
            shim_column_bytes_per_cycle=(memory.column or 0) * 1000 / clock,
            ddr_bytes_per_cycle=memory.peak * 1000 / clock,
            ddr_read_bytes_per_cycle=memory.read_peak * 1000 / clock if memory.reads else 0.0,
            ddr_run_bytes=memory.run_bytes,
            ddr_refresh_interval=fixed.ddr_refresh_interval * clock / 1000,
            ddr_refresh=fixed.ddr_refresh * clock / 1000,
            **{name: getattr(fixed, name) * clock / 1000 for name in OF_THE_PROCESSOR},
        )
