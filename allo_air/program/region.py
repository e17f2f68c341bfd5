"""`df.build`: compiles a region to a program that is called on numpy arrays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.aie_api.build import find_compiler
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.assemble import Assembled
from allo_air.frontend.region import Region, RegionSpec, read_region
from allo_air.frontend.schedule.schedule import customize
from allo_air.frontend.virtual import VirtualGraph
from allo_air.program.compile import compile_source
from allo_air.program.hls import build_processes
from allo_air.program.region_program import PROJECT, CpuRegion, RegionProgram, Tile
from allo_air.program.source import Source
from allo_air.target.hls.calls import UnwrittenError
from allo_air.target.hls.flavors import FLAVORS

TARGETS = ("aie", "sim", "llvm")
_EITHER = "simulator"
"""The target names of Allo's simulator, which runs the kernels on the CPU."""
_OTHER_NAMES = {"cpu": "llvm"}


@dataclass(frozen=True)
class Lowered:
    """A region as AIR: the tensors that it writes, its virtual graph with the primitives that folded it, and the assembled
    module.
    """

    written: tuple[bool, ...]
    graph: VirtualGraph
    folded: tuple[Any, ...]
    assembled: Assembled

    @property
    def kernels(self) -> dict[str, Any]:
        """The simulator's replacements of external kernels."""
        return {name: module.kernel for name, module in self.assembled.externals.items()}


def build(
    func: Region,
    target: str = "aie",
    mode: str = "csim",
    project: str | os.PathLike[str] | None = None,
    configs: Any = None,
    wrap_io: bool = True,
    opt_default: bool = True,
    enable_tensor: bool = False,
    mapping_primitives: Sequence[tuple[str, list[Any]]] | None = None,
    profile: bool = False,
    warmup: int = 20,
    num_iters: int = 100,
    trace: Sequence[Tile] | None = None,
    trace_size: int = 4096,
    device_type: str | None = None,
    *,
    debug: bool | None = None,
    force_unroll_index: bool | None = None,
    aggressive_port_utilization: bool | None = None,
) -> Any:
    """Compiles region `func`. Without an NPU, `target="aie"` runs on the simulator, as `target="sim"` always does.

    Other targets: `"llvm"` runs the kernels on the CPU, one after another. `"simulator"` runs them on the CPU concurrently,
    which needs a C++ compiler; without one, it is `"llvm"` if that is possible, else `"sim"`. Targets of high-level synthesis
    (`"vitis_hls"`) write C++, which can be called on the host in `mode="csim"`.

    `device_type` is npu1 or npu2, or some of their columns (`npu1_2col`); the default is npu1, or npu2 if the environment has
    NPU2=1. `mapping_primitives` put several kernel instances on one core. `profile` prints and returns the predicted time of
    each call (on the CPU: the measured time of `num_iters` runs after `warmup` runs). `trace` lists cores, such as `("gemm",
    (0, 0))`, whose events each call writes to trace.json in `project`, for Perfetto; all events are kept, whatever `trace_size`
    says. `project` is a folder for the IR and, in its folder `program`, the files of `Program.save`. With `debug` (or DEBUG=1),
    pictures of the virtual graph before and after mapping are written there.

    `force_unroll_index` and `aggressive_port_utilization` (Allo's FORCE_UNROLL_INDEX and
    ENABLE_AGGRESSIVE_PORT_UTILIZATION_PATCH) are accepted without an effect: loops that select streams are always unrolled, and
    all ports are used.
    """
    if not isinstance(func, Region):
        raise AlloAirError(f"df.build takes a region, a function below @df.region(); found {func!r}")
    target = _OTHER_NAMES.get(target, target)
    if target not in (*TARGETS, _EITHER, *FLAVORS):
        raise UnknownNameError("target", target, (*TARGETS, *FLAVORS))
    debug = os.environ.get("DEBUG") == "1" if debug is None else debug
    folder = Path(project or PROJECT)
    if profile and (num_iters < 1 or warmup < 0):
        raise AlloAirError(f"num_iters must be at least 1 and warmup at least 0, found {num_iters} and {warmup}")
    device = device_of(device_type)
    if target in FLAVORS:
        _refuse(target, trace=trace, profile=profile, mapping_primitives=mapping_primitives)
        return build_processes(func, target, mode, project, configs)
    if target == _EITHER and not (trace or profile) and find_compiler():
        with suppress(UnwrittenError):
            return build_processes(func, target, "csim", project, configs)
    spec = read_region(func)
    if target == "llvm" or (target == _EITHER and not trace and _fits_cpu(spec)):
        if trace:
            raise AlloAirError("target 'llvm' does not take trace: the CPU has no cores with events; target='sim' has them")
        return _cpu_region(spec, profile, warmup, num_iters)
    primitives = tuple(mapping_primitives or ())
    lowered = lower_region(spec, device, primitives, folder if debug else None)
    text = lowered.assembled.text
    traced = _traced(lowered, trace or ())
    program = compile_source(
        Source(text, "<region>"), "air-npu", device, "sim", {"core_code": "improved"}, kernels=lowered.kernels
    )
    if debug or project is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "air.mlir").write_text(text)
        program.save(folder / "program")
    done = (*primitives, *lowered.folded)
    tiles = lowered.assembled.tiles
    return RegionProgram(
        spec, program, text, lowered.written, lowered.graph, done, tiles, profile, num_iters, traced, folder
    )  # fmt: skip


def build_any(source: Any, target: str | None = None, mode: str | None = None, **options: Any) -> Any:
    """`allo_air.build`: builds a region, a schedule, or a function for `target`, with the options of its own `build`."""
    if isinstance(source, Region):
        values: dict[str, Any] = {k: v for k, v in (("target", target), ("mode", mode)) if v}
        return build(source, **values, **options)
    if not hasattr(source, "build") and not callable(source):
        raise AlloAirError(f"allo.build takes a region, a schedule or a function; found {source!r}")
    schedule = source if hasattr(source, "build") else customize(source)
    return schedule.build(target=target, mode=mode, **options)


def _refuse(target: str, **options: object) -> None:
    """Raises an error for options that a target does not use."""
    for name, value in options.items():
        if value:
            raise AlloAirError(
                f"target '{target}' does not take {name}: it writes the region as C++, and places and times nothing"
            )


def device_of(device_type: str | None) -> str:
    """The device's name: `device_type`, or that of the environment."""
    from allo_air.device import DEVICES, default_npu, known_as

    name = known_as(device_type or default_npu())
    if name not in DEVICES:
        raise UnknownNameError("device_type", name, sorted(DEVICES), f"there are {', '.join(sorted(DEVICES))}")
    return name


def _fits_cpu(spec: RegionSpec) -> bool:
    """Whether the CPU can run the kernels one after another."""
    from allo_air.core.contexts import reused_context
    from allo_air.dialects import load
    from allo_air.frontend.graph import read_graph
    from allo_air.frontend.sequential import why_not
    from allo_air.mlir import ir

    context = reused_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        return not why_not(read_graph(spec, context))


def _cpu_region(spec: RegionSpec, profile: bool, warmup: int, num_iters: int) -> CpuRegion:
    from allo_air.core.contexts import reused_context
    from allo_air.dialects import load
    from allo_air.frontend.graph import read_graph
    from allo_air.frontend.sequential import compile_sequential
    from allo_air.mlir import ir

    context = reused_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        graph = read_graph(spec, context)
        compiled = compile_sequential(spec, graph, context)
    return CpuRegion(spec, compiled, _written_tensors(spec, graph), graph, profile, warmup, num_iters)


def _written_tensors(spec: RegionSpec, graph: VirtualGraph) -> tuple[bool, ...]:
    written = [False] * len(spec.tensors)
    for instance in graph.instances:
        for port, writes in zip(instance.kernel.ports, instance.writes, strict=True):
            written[port.tensor] |= writes
    return tuple(written)


def lower_region(spec: RegionSpec, device: str, primitives: Sequence[object] = (), pictures: Path | None = None) -> Lowered:
    """The region as AIR. `primitives` bundle and chain nodes; then nodes are folded if there are more than cores."""
    from allo_air.core.contexts import reused_context
    from allo_air.device import DEVICES
    from allo_air.dialects import load
    from allo_air.frontend.assemble import assemble
    from allo_air.frontend.folding import fold
    from allo_air.frontend.graph import read_graph
    from allo_air.mlir import ir

    context = reused_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        graph = read_graph(spec, context)
        _picture(graph, pictures, "virtual_graph")
        graph.apply(primitives)
        target = DEVICES[device]
        folded = fold(graph, target.columns * len(target.core_rows))
        if primitives or folded:
            _picture(graph, pictures, "after_mapping")
        return Lowered(_written_tensors(spec, graph), graph, tuple(folded), assemble(graph, spec, target, context))


def _picture(graph: VirtualGraph, folder: Path | None, name: str) -> None:
    from allo_air.program.reports.virtual_graph import draw

    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        draw(graph, folder, name)


def _traced(lowered: Lowered, trace: Sequence[object]) -> tuple[Tile, ...]:
    """The cores to trace. Raises AlloAirError for a core that the region does not have."""
    names = {(i.kernel.name, i.pid): i.name for i in lowered.graph.instances}
    tiles = []
    for entry in trace:
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            raise AlloAirError(
                f"trace takes pairs of a kernel's name and a core's numbers, as ('gemm', (0, 0)); found {entry!r}"
            )
        kernel, pid = entry[0], tuple(entry[1]) if isinstance(entry[1], (tuple, list)) else (entry[1],)
        if (kernel, pid) not in names:
            kernel_names = ", ".join(dict.fromkeys(i.kernel.name for i in lowered.graph.instances))
            raise AlloAirError(f"trace: there is no core {pid} of a kernel '{kernel}'; the region's kernels are {kernel_names}")
        tiles.append((str(kernel), pid))
    return tuple(tiles)
