"""A generation of the array."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allo_air.arch.core import Core
from allo_air.arch.timing import Timing
from allo_air.device import Arch


@dataclass(frozen=True, eq=False)
class Architecture:
    """What devices of generation `name` do; clocks are in MHz, lengths in bytes where nothing else is said."""

    name: Arch
    core: Core | None = None
    latencies: Timing | None = None
    """At 1 GHz, which matters to those of external memory alone."""

    memory_gigabytes: float = 0.0
    """Effective bandwidth of external memory in GEMM patterns, in GB/s, reads and writes together."""

    measured_mhz: float = 1000.0
    """Clock at which that was measured."""

    nominal_mhz: int = 1000
    clock_source: str = "nominal"
    burst_lengths: tuple[int, ...] = ()
    """Burst lengths of the shim DMA; a BD holds the index, and 0 asks for the longest."""

    max_lock_value: int = 63
    """Largest value of a lock (6 bits); AIE1's hold one of two states."""

    cascade_bits: int = 512
    """Width of the cascade stream between neighbouring cores."""

    caveat: str = ""
    """What a reader of predicted cycles has to know."""

    @property
    def semaphore_locks(self) -> bool:
        """Whether locks count."""
        return self.max_lock_value > 1

    @property
    def stream_bytes(self) -> int:
        """Bytes that a stream, and so a shim's DMA channel, carries in a cycle."""
        return int(4 * self.latencies.stream_words_per_cycle) if self.latencies else 4

    @property
    def memory_bytes(self) -> float:
        """Bytes from and to external memory in a cycle at the nominal clock."""
        return self.memory_gigabytes * 1000 / self.nominal_mhz

    def timing(self, mhz: float | None = None) -> Timing:
        """The constants of the cycle model at a clock of `mhz`; ValueError where there is no model.

        Memory does not follow the clock: its bandwidth and refresh are the same in seconds, so not in cycles. The default is
        the clock of the measurements.
        """
        if self.latencies is None:
            raise ValueError(f"no timing for architecture '{self.name}'")
        clock = mhz or self.measured_mhz
        return replace(
            self.latencies,
            ddr_bytes_per_cycle=self.memory_gigabytes * 1000 / clock,
            ddr_refresh_interval=self.latencies.ddr_refresh_interval * clock / 1000,
            ddr_refresh=self.latencies.ddr_refresh * clock / 1000,
        )
