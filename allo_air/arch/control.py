"""What planners count for the control processor: the start of tasks, of cold channels, and the load of a configuration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from allo_air.arch import arch_of
from allo_air.arch.timing import Timing
from allo_air.device import Device


@dataclass(frozen=True)
class Control:
    """Cycles of the array for actions that take nanoseconds: more cycles at a faster clock.

    The figures were measured on npu1 at 1 GHz (docs/sources.md#timing).
    """

    channel: float
    """The start of a channel that has one task in a launch: copies of a runtime sequence start 1056 to 1094 ns apart."""
    descriptor: float
    """A task with descriptors that alternate on a channel, for each, as simulated: 927 ns for two operands, 1013 for three."""
    move: float
    """A task of a kernel that only moves elements: its descriptor, its start and its end."""
    cold: float
    """From the start of a cold shim channel to its first words: 1103 to 1126 ns."""
    tail: float
    """From the last result to the host's notice."""
    reload: float
    """The load of another configuration."""


@lru_cache
def control_of(device: Device) -> Control:
    """The costs on `device`."""
    arch = arch_of(device)
    gigahertz = arch.mhz / 1000
    nanoseconds = 1075, 1000, 700, 1110, Timing.token_tail, 1000 * arch.reload_microseconds
    return Control(*(n * gigahertz for n in nanoseconds))
