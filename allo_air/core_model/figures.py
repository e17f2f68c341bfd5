"""The issue figures of an operation as data: instructions by unit, latencies, multiply-accumulates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

UNITS = ("vector", "load", "store", "move", "scalar")


@dataclass(frozen=True)
class Issue:
    """Instructions by unit, and latencies.

    `move` counts conversions, shuffles, broadcasts and element extractions. `unit_a` marks loads into accumulators and scalar
    registers, which only one of the load units can do. `forward` is the latency from the accumulator (the last operand), if
    it differs. `last` is the latency of the last instruction, if it waits for the others. `calls` is the number of calls of
    run-time functions whose instructions `scalar` counts; the code has the calls only.
    """

    load: int = 0
    store: int = 0
    vector: int = 0
    move: int = 0
    scalar: int = 0
    latency: int = 0
    forward: int | None = None
    macs: int = 0
    unit_a: bool = False
    last: int | None = None
    calls: int = 0

    @cached_property
    def units(self) -> tuple[tuple[str, int], ...]:
        """The units that it occupies, and with how many instructions."""
        return tuple((unit, count) for unit in UNITS if (count := getattr(self, unit)))


FREE = Issue()
