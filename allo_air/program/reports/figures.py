"""The figures of a run as data: cycles, time, achieved and peak rates, use of tiles, and the bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from allo_air.arch import Architecture, arch_of
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.device import Device
from allo_air.program.reports import bottleneck
from allo_air.program.reports.bottleneck import Load
from allo_air.program.reports.usage import TileUsage
from allo_air.sim import report_types as sim
from allo_air.sim.verdict import verdict_of


@dataclass(frozen=True)
class Kernel:
    """The part of a run between two configuration loads; `bytes` are those to and from external memory, `code_bytes` the
    estimated bytes of the longest code of a core.
    """

    name: str
    cycles: int
    microseconds: float
    bytes: int
    bound: str
    code_bytes: int = 0


@dataclass(frozen=True)
class CoreCode:
    """The code of the cores at `tiles` (column, row) of a configuration: `bytes` is its estimated size, `of` that of program
    memory.

    `device` is the name of the `aie.device`; empty if the program has one configuration.
    """

    device: str
    bytes: int
    of: int
    tiles: tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class Figures:
    """A run of the simulator, and the data to evaluate it.

    `macs` are the multiply-accumulates of the user's program (without padding) if known, else those that cores counted.
    `element` is the operands' type, `tiles` the resources that the design uses of each tile, and `notes` what passes said about
    their plan.
    """

    title: str
    run: sim.Report
    device: Device
    element: str
    macs: int
    tiles: tuple[TileUsage, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def arch(self) -> Architecture:
        """The device's generation."""
        return arch_of(self.device)

    @property
    def cycles(self) -> int:
        """NPU cycles until the last instruction has ended."""
        return self.run.cycles

    @property
    def mhz(self) -> float:
        """The clock of the run."""
        return self.run.clock_mhz or self.arch.mhz

    @property
    def microseconds(self) -> float:
        """Predicted time of a call as the host sees it: cycles at the clock of the run, launch, and further configuration
        loads.
        """
        return self.cycles / self.mhz + LAUNCH_MICROSECONDS + self.reconfiguring

    @property
    def launching(self) -> float:
        """Microseconds of driver and firmware around the run; not in the cycles."""
        return LAUNCH_MICROSECONDS

    @property
    def reconfigurations(self) -> int:
        """Number of configurations that are loaded during the run."""
        return max(0, len(self.run.parts) - 1)

    @property
    def reconfiguring(self) -> float:
        """Predicted microseconds of loading configurations; not in the cycles."""
        return self.run.reconfiguring

    @property
    def kernels(self) -> list[Kernel]:
        """The parts of the run, one for each configuration, in order; empty for a program with one configuration."""
        return [
            Kernel(
                part.kernel,
                part.cycles,
                part.cycles / self.mhz,
                part.ddr_bytes,
                bottleneck.verdict(bottleneck.loads(part, lambda tile: self.device.kind(*tile))),
                max(part.code_bytes.values(), default=0),
            )
            for part in self.run.parts
        ]

    @property
    def configurations(self) -> list[Kernel]:
        """The parts of the run, one for each configuration, in order: `kernels`, or the whole run."""
        longest = max(self.run.code_bytes.values(), default=0)
        whole = Kernel("all kernels", self.cycles, self.cycles / self.mhz, self.run.ddr_bytes, self.bound, longest)
        return self.kernels or [whole]

    @property
    def clock(self) -> str:
        """The clock and its source."""
        return f"{self.mhz / 1000:.2f} GHz ({self.clock_source})"

    @property
    def clock_source(self) -> str:
        """Why the run has this clock."""
        return self.arch.clock_source if self.mhz == self.arch.mhz else f"as asked for; by default {self.arch.mhz / 1000:.2f}"

    @cached_property
    def core_code(self) -> tuple[int, int]:
        """Cycles of the core with the most work, if its code is scheduled by hand, and if Peano compiles it from MLIR. For
        several configurations, their sum.

        Calls of linked kernels and of library functions have their own costs, which are in neither number.
        """
        parts = [_work_cycles(part) for part in self.run.parts or [self.run]]
        cycles, pair = (sum(numbers) for numbers in zip(*parts, strict=True))
        return (cycles, pair) if self.run.code == "scheduled" else (pair, cycles)

    @property
    def code_bytes(self) -> list[CoreCode]:
        """The size of the cores' code (allo_air.sim.cores.code_size), for each configuration the longest first. Cores with
        code of one size are listed together.
        """
        parts = {part.kernel: part.code_bytes for part in self.run.parts} or {"": self.run.code_bytes}
        results: list[CoreCode] = []
        for name, sizes in parts.items():
            for size in sorted(set(sizes.values()), reverse=True):
                tiles = tuple(sorted(tile for tile, number in sizes.items() if number == size))
                results.append(CoreCode(name, size, self.device.tile(*tiles[0]).program_memory, tiles))
        return results

    @property
    def cores(self) -> int:
        """The number of cores that the design uses."""
        return len(self.run.cores)

    @property
    def macs_per_cycle(self) -> float:
        """Achieved MACs per cycle of the whole array."""
        return self.macs / self.cycles if self.cycles else 0.0

    @property
    def peak_per_cycle(self) -> int | None:
        """Peak MACs per cycle of the used cores; None if the type has no multiplier."""
        peak = None if self.arch.core is None else self.arch.core.peak_macs.get(self.element)
        return None if peak is None else peak * self.cores

    @property
    def efficiency(self) -> float | None:
        """Achieved over peak."""
        peak = self.peak_per_cycle
        return self.macs_per_cycle / peak if peak else None

    @property
    def tera_ops(self) -> float:
        """Achieved operations per second at the clock of the run, in 10^12; a MAC is two."""
        return 2 * self.macs_per_cycle * self.mhz * 1e6 / 1e12

    @cached_property
    def loads(self) -> list[Load]:
        """The busiest unit of every part of the machine, most loaded first."""
        return bottleneck.loads(self.run, lambda tile: self.device.kind(*tile))

    @property
    def bound(self) -> str:
        """The bound of the run, as a sentence."""
        return bottleneck.verdict(self.loads)

    def as_dict(self) -> dict[str, Any]:
        """All figures as JSON data."""
        controller = self.run.controller
        return {
            "title": self.title,
            "device": self.device.name,
            "status": self.run.status,
            "cycles": self.cycles,
            "microseconds": self.microseconds,
            "launch_microseconds": self.launching,
            "kernels": [asdict(k) for k in self.kernels],
            "reconfigurations": self.reconfigurations,
            "reconfiguring_microseconds": self.reconfiguring,
            "clock_mhz": self.mhz,
            "clock_source": self.clock_source,
            "core_code": {"priced_as": self.run.code, "scheduled": self.core_code[0], "compiled": self.core_code[1]},
            "code_bytes": [asdict(code) for code in self.code_bytes],
            "element": self.element,
            "macs": self.macs,
            "macs_per_cycle": self.macs_per_cycle,
            "peak_macs_per_cycle": self.peak_per_cycle,
            "efficiency": self.efficiency,
            "tera_ops": self.tera_ops,
            "bound": self.bound,
            "loads": [bottleneck.as_dict(load) for load in self.loads],
            "words_moved": self.run.words_moved,
            "ddr_bytes": self.run.ddr_bytes,
            "model": self.arch.caveat,
            "simulation_seconds": self.run.seconds,
            "notes": dict(self.notes),
            "cores": [_without_figure(asdict(c), "regions") for c in self.run.cores],
            "channels": [asdict(c) for c in self.run.channels],
            "controller": None if controller is None else asdict(controller),
            "tiles": [asdict(t) for t in self.tiles],
            "expected": [c.as_dict() for c in self.run.compared],
            "verdict": str(verdict_of(self.run).word),
            "orders": self.run.orders,
            "findings": [f.as_dict() for f in verdict_of(self.run).findings],
        }


def _without_figure(values: Mapping[str, object], name: str) -> dict[str, Any]:
    return {n: v for n, v in values.items() if n != name}


def _work_cycles(run: sim.Report) -> tuple[int, int]:
    """Cycles of work of the busiest core, by its price of code and by the other price."""
    works = [
        (
            sum(cycles for _, cycles in core.regions.values()),
            sum(times * run.regions[n].other for n, (times, _) in core.regions.items()),
        )
        for core in run.cores
    ]
    return max(works, default=(0, 0))
