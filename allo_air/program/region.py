"""`df.build`: a region to a program that is called on numpy arrays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.arrays import from_memory, to_memory
from allo_air.frontend.region import Region, RegionSpec, read_region
from allo_air.frontend.virtual import VirtualGraph
from allo_air.program.compile import compile_source
from allo_air.program.program import Program
from allo_air.program.source import Source

TARGETS = ("aie", "sim")


@dataclass(frozen=True)
class Profile:
    """What a profiled call took: predicted times of the NPU in microseconds."""

    average_us: float
    minimum_us: float
    cycles: int
    iterations: int


@dataclass(frozen=True)
class Lowered:
    """A region as AIR: which tensors it writes, its external kernels, its virtual graph, how that was folded."""

    text: str
    written: tuple[bool, ...]
    kernels: dict[str, Any]
    graph: VirtualGraph
    folded: tuple[Any, ...]


@dataclass
class RegionProgram:
    """A compiled region: called with its tensors in order; tensors that kernels write are changed in place."""

    spec: RegionSpec
    program: Program
    module: str
    """The region as AIR."""
    written: tuple[bool, ...]
    graph: VirtualGraph
    """The virtual graph, after all mapping primitives."""
    mapping_primitives: tuple[Any, ...] = ()
    """What made it of the graph as written: those that were given, and those of folding."""
    profile: bool = False
    num_iters: int = 100
    last_profile: Profile | None = None

    def __call__(self, *args: Any) -> None:
        """Runs the region on the simulator."""
        tensors = self.spec.tensors
        if len(args) != len(tensors):
            names = ", ".join(f"{n}: {t}" for n, t in tensors.items())
            raise AlloAirError(f"region '{self.spec.source.name}' takes {len(tensors)} tensors ({names}), found {len(args)}")
        named = zip(args, tensors.items(), strict=True)
        arrays = [to_memory(given, kind, f"argument {i} ('{name}')") for i, (given, (name, kind)) in enumerate(named)]
        report = self.program.simulated(arrays, kernels=self.program.kernels)
        for given, array, kind, written in zip(args, arrays, tensors.values(), self.written, strict=True):
            if written and array is not given:
                given[...] = from_memory(array, kind, given.dtype)
        if self.profile:
            us = report.microseconds
            self.last_profile = Profile(us, us, report.cycles, self.num_iters)
            print(f"Avg NPU execution time: {us:.1f}us (predicted by the simulator)")
            print(f"Min NPU execution time: {us:.1f}us (predicted by the simulator)")


def build(
    func: Any,
    target: str = "aie",
    mode: str = "csim",
    project: str | os.PathLike[str] = "top.prj",
    configs: Any = None,
    wrap_io: bool = True,
    opt_default: bool = True,
    enable_tensor: bool = False,
    mapping_primitives: Sequence[tuple[str, list[Any]]] = (),
    profile: bool = False,
    warmup: int = 20,
    num_iters: int = 100,
    trace: Sequence[tuple[str, tuple[int, ...]]] | None = None,
    trace_size: int = 4096,
    device_type: str | None = None,
) -> RegionProgram:
    """Compiles region `func`; without an NPU (`target="aie"`), and with `target="sim"`, it runs on the simulator.

    `device_type` is npu1 or npu2, or some of their columns (`npu1_2col`); left out, npu1, or npu2 where the environment has
    NPU2=1. `profile` prints the predicted time of each call and keeps it in `last_profile`. `project` is a folder for the
    IR, made with DEBUG=1.
    """
    if not isinstance(func, Region):
        raise AlloAirError(f"df.build takes a region, a function below @df.region(); found {func!r}")
    if target == "simulator":
        target = "sim"
    if target not in TARGETS:
        raise UnknownNameError("target", target, TARGETS)
    if trace:
        raise AlloAirError("traces of regions are not there yet; program.trace(...) of allo_air.compile has them")
    device = device_type or ("npu2" if os.environ.get("NPU2") == "1" else "npu1")
    spec = read_region(func)
    lowered = lower_region(spec, device, mapping_primitives)
    text = lowered.text
    program = compile_source(Source(text, "<region>"), "air-npu", device, "sim", {}, kernels=lowered.kernels)
    if os.environ.get("DEBUG") == "1":
        folder = Path(project)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "air.mlir").write_text(text)
        (folder / "top.mlir").write_text(program.text())
    primitives = (*mapping_primitives, *lowered.folded)
    return RegionProgram(spec, program, text, lowered.written, lowered.graph, primitives, profile, num_iters)


def lower_region(spec: RegionSpec, device: str, primitives: Sequence[Any] = ()) -> Lowered:
    """The region as AIR, its nodes bundled and chained by `primitives`, and folded where there are more than cores."""
    from allo_air.device import DEVICES
    from allo_air.dialects import load
    from allo_air.frontend.assemble import assemble
    from allo_air.frontend.folding import fold
    from allo_air.frontend.graph import read_graph
    from allo_air.mlir import ir, new_context

    context = new_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        graph = read_graph(spec, context)
        for primitive in primitives:
            graph.apply(primitive)
        target = DEVICES[device]
        folded = fold(graph, target.columns * len(target.core_rows))
        text, externals = assemble(graph, spec, target, context)
    written = [False] * len(spec.tensors)
    for instance in graph.instances:
        for port, writes in zip(instance.kernel.ports, instance.writes, strict=True):
            written[port.tensor] |= writes
    kernels = {name: module.kernel for name, module in externals.items()}
    return Lowered(text, tuple(written), kernels, graph, tuple(folded))
