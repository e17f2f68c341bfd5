"""The bandwidth of external memory for the shims, by length of runs, by channel and by column.

It does not depend on the NPU's clock. A transfer reads or writes runs of contiguous bytes. Memory transfers whole lines, and
each start of a run, or of a page in a run, occupies the bus for an additional time. Reads and writes share one bus.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd

LINE_BYTES = 64
"""The shim's shortest burst (docs/sources.md#device), and a cache line of the host."""

PAGE_BYTES = 4096
"""AXI bursts do not cross 4 KiB (AMBA AXI, A3.4.1), and the host's IOMMU translates pages of that size."""

UNCACHED = 2417 / 2016
"""The slowdown of transfers whose BDs have AxCache 0 instead of 2 (docs/sources.md#timing: a copy on npu2)."""


@dataclass(frozen=True)
class ExternalMemory:
    """Rates of external memory in GB/s, for reads and writes together unless stated otherwise."""

    peak: float
    """The rate inside a run."""

    run_ns: float
    """The bus is busy for this long when a run or a page of it begins."""

    channel: float | None = None
    """The largest rate of one MM2S or S2MM channel of a shim; None if its stream is the limit."""

    column: float | None = None
    """The largest joint rate of the channels of one direction of a shim."""

    reads: float | None = None
    """The rate of contiguous reads while nothing is written; None if reads alone are as fast as with writes."""

    @property
    def run_bytes(self) -> float:
        """Bytes that could move while a run begins."""
        return self.run_ns * self.peak

    def share(self, run: float) -> float:
        """The bus time of runs of `run` bytes, divided by the time of their bytes at the peak rate.

        Runs begin at multiples of their length. If the length is not a multiple of a line, some runs touch an additional
        line.
        """
        lines = run + LINE_BYTES - gcd(round(run), LINE_BYTES)
        return (lines + self.run_bytes * max(1.0, run / PAGE_BYTES)) / run

    def least_share(self, run: float) -> float:
        """A lower bound of `share` for runs of at most `run` bytes, which may be whole lines."""
        return 1 + self.run_bytes / min(run, PAGE_BYTES)

    @property
    def read_peak(self) -> float:
        """The rate of reads inside a run, which takes as long to begin as on the bus."""
        return self.peak if self.reads is None else PAGE_BYTES / (PAGE_BYTES / self.reads - self.run_ns)

    @cached_property
    def sustained(self) -> float:
        """The rate of contiguous transfers."""
        return self.peak / self.share(PAGE_BYTES)


NO_MEMORY = ExternalMemory(0.0, 0.0)
"""For generations without a model of time."""
