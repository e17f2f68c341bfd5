"""Compiles a region to one function for the CPU: kernel instances run one after another, each after the senders of its
streams.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from allo_air.errors import AlloAirError
from allo_air.frontend import tensors
from allo_air.frontend.cpu import CpuModule, build
from allo_air.frontend.functions import Compiled, compile_function, type_of
from allo_air.frontend.indexing import subview
from allo_air.frontend.instances import Instance, emit
from allo_air.frontend.overlaps import Parts
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.rounds import hazardous
from allo_air.frontend.state import Module
from allo_air.frontend.traffic import LocalFifo, Traffic
from allo_air.frontend.values import Buffer, allocate
from allo_air.frontend.virtual import VirtualGraph, topological
from allo_air.mlir import func, ir

if TYPE_CHECKING:
    from allo_air.frontend.instances import Part


def compile_sequential(spec: RegionSpec, graph: VirtualGraph, context: ir.Context) -> CpuModule:
    """The region as a function for the CPU. Raises AlloAirError if its kernels must run concurrently."""
    if why := why_not(graph):
        raise AlloAirError(f"target 'llvm' runs kernels one after another, and {why}; use target='sim'")
    named = {i.name: i for i in graph.instances}
    order = [named[name] for name in topological(graph.instance_edges())]
    traffic = Traffic({e.stream: LocalFifo(e.puts or 0) for e in graph.edges})
    parameters = tuple(spec.padded.values())
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            name = spec.source.name
            op = func.FuncOp(name, ir.FunctionType.get([type_of(p) for p in parameters], []))
            block = op.add_entry_block()
            shared = Module(module, compile_function, "cpp-style")
            with ir.InsertionPoint(block):
                whole = [Buffer(a, p.element) for a, p in zip(block.arguments, parameters, strict=True)]
                before = [_copied(b) for b in whole] if hazardous(graph.instances) else list(whole)
                for tensor in _written_together(graph.instances):
                    before[tensor] = whole[tensor]
                for instance in order:
                    _instance(spec, instance, before, whole, shared, block, traffic)
                func.ReturnOp([])
        module.operation.verify()
        text = str(module)
        return build(text, Compiled(op, name, parameters, (), tuple(spec.tensors)))


def why_not(graph: VirtualGraph) -> str:
    """Why a region's kernels cannot run one after another; empty if they can."""
    if graph.cycle is not None:
        return f"the streams of this region form a cycle ({' -> '.join(graph.cycle)})"
    for edge in graph.edges:
        if edge.puts is None or edge.puts != edge.gets:
            return (
                f"stream '{edge.stream}' is kept in memory, so that its puts and gets must be equally many, in numbers that are"
                " known when the kernel is compiled"
            )
    for instance in graph.instances:
        for name in instance.externals:
            return f"it cannot call the external kernel '{name}' of {instance.name}"
    return ""


def _written_together(instances: Sequence[Instance]) -> set[int]:
    """The tensors with parts that several instances write: each instance starts with the values of the previous ones."""
    written: Parts[str] = Parts()
    sharing = set()
    for instance in instances:
        for part, is_written in zip(instance.parts, instance.writes, strict=True):
            if is_written:
                sharing |= {overlapping.tensor for _, overlapping, _ in written.shared(part)}
                written.add(part, instance.name)
    return sharing


def _copied(buffer: Buffer) -> Buffer:
    result = allocate(buffer.element, buffer.shape)
    tensors.copy(buffer, result)
    return result


def _instance(
    spec: RegionSpec,
    instance: Instance,
    before: list[Buffer],
    after: list[Buffer],
    shared: Module,
    block: ir.Block,
    traffic: Traffic,
) -> None:
    buffers = []
    for port, part, reads in zip(instance.kernel.ports, instance.parts, instance.reads, strict=True):
        buffers.append(allocate(port.element, part.sizes))
        if reads or before[part.tensor] is after[part.tensor]:
            tensors.copy(_subpart(before[part.tensor], part), buffers[-1])
    emit(spec, instance.kernel, instance.pid, shared, block, [b.value for b in buffers], traffic, {})
    for buffer, part, writes in zip(buffers, instance.parts, instance.writes, strict=True):
        if writes:
            tensors.copy(buffer, _subpart(after[part.tensor], part))


def _subpart(whole: Buffer, part: Part) -> Buffer:
    if part.sizes == whole.shape:
        return whole
    return subview(
        whole, [(start, size, 1) for start, size in zip(part.start, part.sizes, strict=True)], [True] * len(part.sizes)
    )
