"""Compiled regions: they run on the simulator or the CPU, and can be profiled, traced and reported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError, counted
from allo_air.frontend.arrays import from_memory, to_memory
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.virtual import VirtualGraph
from allo_air.program.program import Program

PROJECT = "top.prj"
"""The default folder for written files."""

Tile = tuple[str, tuple[int, ...]]
"""A kernel's name, and the position of one of its cores."""


@dataclass(frozen=True)
class Profile:
    """The times of a profiled call, in microseconds: predicted for the NPU, measured on the CPU."""

    average_us: float
    minimum_us: float
    cycles: int
    iterations: int


@dataclass
class RegionProgram:
    """A compiled region. Call it with its tensors in order; tensors that kernels write are changed in place."""

    spec: RegionSpec
    program: Program
    module: str
    """The region as AIR."""
    written: tuple[bool, ...]
    graph: VirtualGraph
    """The virtual graph, after all mapping primitives."""
    mapping_primitives: tuple[Any, ...] = ()
    """The primitives that mapped the graph: the user's, and those of folding."""
    tiles: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Column and row of each node's core."""
    profile: bool = False
    num_iters: int = 100
    traced: tuple[Tile, ...] = ()
    project: Path = Path(PROJECT)
    last_profile: Profile | None = None
    _report: Any = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.program}>"

    def __call__(self, *args: np.ndarray) -> Profile | None:
        """Runs the region on the simulator; returns the times if the call is profiled."""
        arrays = host_arrays(self.spec, args)
        report = self.program.simulated(arrays, kernels=self.program.kernels, trace=bool(self.traced))
        self._report = report
        host_back(self.spec, args, arrays, self.written)
        if self.traced:
            _write_trace(self, report)
        if not self.profile:
            return None
        us = report.microseconds
        self.last_profile = Profile(us, us, report.cycles, self.num_iters)
        print(f"Avg NPU execution time: {us:.1f}us (predicted by the simulator)")
        print(f"Min NPU execution time: {us:.1f}us (predicted by the simulator)")
        return self.last_profile

    def report(self) -> Any:
        """The report of the last call: cycles, utilization, and the bound."""
        if self._report is None:
            raise AlloAirError(f"region '{self.spec.source.name}' has not run yet; call it, then ask for its report")
        return self.program.reported(self._report)

    def plot(self, path: str | os.PathLike[str], *args: Any) -> None:
        """Draws roofline.png or timeline.png (by the file's name) of a run on `args`, which stay unchanged."""
        from allo_air.program.reports.plot import check, save

        check(Path(path))
        arrays = [a.copy() for a in host_arrays(self.spec, args)]
        report = self.program.simulated(arrays, kernels=self.program.kernels, trace=True)
        save(Path(path), self.program.reported(report))


@dataclass
class CpuRegion:
    """A region compiled for the CPU, its kernels one after another."""

    spec: RegionSpec
    compiled: Any
    written: tuple[bool, ...]
    graph: VirtualGraph
    profile: bool = False
    warmup: int = 20
    num_iters: int = 100
    last_profile: Profile | None = None

    @property
    def module(self) -> str:
        """The region as an MLIR function."""
        return str(self.compiled.text)

    def __call__(self, *args: np.ndarray) -> Profile | None:
        """Runs the region; returns the times if the call is profiled."""
        arrays = host_arrays(self.spec, args)
        if self.profile:
            self.last_profile = self._timed(arrays)
        self.compiled(*arrays)
        host_back(self.spec, args, arrays, self.written)
        return self.last_profile

    def _timed(self, arrays: list[np.ndarray]) -> Profile:
        from time import perf_counter_ns

        times = []
        for number in range(self.warmup + self.num_iters):
            copies = [a.copy() for a in arrays]
            start = perf_counter_ns()
            self.compiled(*copies)
            if number >= self.warmup:
                times.append((perf_counter_ns() - start) / 1000)
        profile = Profile(sum(times) / len(times), min(times), 0, self.num_iters)
        print(f"Avg CPU execution time: {profile.average_us:.1f}us")
        print(f"Min CPU execution time: {profile.minimum_us:.1f}us")
        return profile


def host_arrays(spec: RegionSpec, args: Sequence[np.ndarray]) -> list[Any]:
    """The arguments of a call, in the form of compiled code."""
    tensors = spec.tensors
    if len(args) != len(tensors):
        names = ", ".join(f"{n}: {t}" for n, t in tensors.items())
        raise AlloAirError(f"region '{spec.source.name}' takes {counted(len(tensors), 'tensor')} ({names}), found {len(args)}")
    named = zip(args, tensors.items(), strict=True)
    arrays = [to_memory(value, kind, f"argument {i} ('{name}')") for i, (value, (name, kind)) in enumerate(named)]
    return [_padded(a, kind.shape) for a, kind in zip(arrays, spec.padded.values(), strict=True)]


def _padded(array: np.ndarray, shape: tuple[int, ...] | None) -> Any:
    """The array padded by repeating its last elements, so that padding computes no new values (such as a division by 0)."""
    if not shape or array.shape == shape:
        return array
    return np.pad(array, [(0, to - size) for size, to in zip(array.shape, shape, strict=True)], mode="edge")


def host_back(spec: RegionSpec, args: Sequence[np.ndarray], arrays: Sequence[np.ndarray], written: Sequence[bool]) -> None:
    """Copies the written tensors back into the arguments."""
    for number, (value, array, (name, kind)) in enumerate(zip(args, arrays, spec.tensors.items(), strict=True)):
        if not written[number] or array is value:
            continue
        if not hasattr(value, "__setitem__") or not hasattr(value, "dtype"):
            raise AlloAirError(f"argument {number} ('{name}') is written by the region, and must be a numpy array")
        array = array[tuple(map(slice, kind.shape))] if kind.shape else array
        value[...] = from_memory(array, kind, value.dtype)


def _write_trace(program: RegionProgram, report: object) -> None:
    """The events of the traced cores, for Perfetto."""
    from allo_air.program.reports.trace import write_trace

    owners = program.graph.owners()
    nodes = {(i.kernel.name, i.pid): owners[n] for n, i in enumerate(program.graph.instances)}
    labels: dict[tuple[int, int], str] = {}
    for kernel, pid in program.traced:
        tile = program.tiles[nodes[kernel, pid]]
        labels[tile] = ", ".join(filter(None, [labels.get(tile), f"{kernel} {pid}"]))
    program.project.mkdir(parents=True, exist_ok=True)
    write_trace(program.project / "trace.json", report, labels)
