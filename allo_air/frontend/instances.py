"""The program of one core of a kernel: the ports that it reads and writes, its streams, and the elements that it shares with
other cores.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted
from allo_air.frontend.effects import bound, directions
from allo_air.frontend.errors import KernelError, PaddingError
from allo_air.frontend.functions import compile_function
from allo_air.frontend.independence import dependence
from allo_air.frontend.kinds import Decisions, Kinds, numbers_of
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.operands import as_operand
from allo_air.frontend.ports import KernelSpec
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.source import Source
from allo_air.frontend.state import Module, State
from allo_air.frontend.statements import statements
from allo_air.frontend.static import evaluate
from allo_air.frontend.streams import fifos, gather, scatter, select_streams, transfer
from allo_air.frontend.traffic import Traffic, counts, events_of
from allo_air.frontend.types import StreamType
from allo_air.frontend.values import Buffer, StreamValue, memref_type, shape_text
from allo_air.mlir import PassManager, func, ir

if TYPE_CHECKING:
    from allo_air.frontend.mac import Macs


@dataclass(frozen=True)
class Part:
    """A part of a tensor of the region: the tensor's number, the part's offset and its shape."""

    tensor: int
    start: tuple[int, ...]
    sizes: tuple[int, ...]

    def overlaps(self, other: Part) -> bool:
        """Whether two parts share elements."""
        ends = zip(self.start, self.sizes, other.start, other.sizes, strict=True)
        return self.tensor == other.tensor and all(a < b + n and b < a + m for a, m, b, n in ends)


@dataclass(frozen=True)
class Instance:
    """One core's instance of a kernel: the parts of its ports, which of them it reads and writes, and the number of blocks in
    each stream.
    """

    kernel: KernelSpec
    pid: tuple[int, ...]
    reads: tuple[bool, ...]
    writes: tuple[bool, ...]
    puts: dict[str, int | None] = field(hash=False)
    gets: dict[str, int | None] = field(hash=False)
    code: str = field(hash=False, repr=False)
    """Its statements, without file locations, and with streams numbered in order of appearance."""
    externals: dict[str, Any] = field(default_factory=dict, hash=False)
    events: tuple[tuple[bool, str], ...] | None = field(default=None, hash=False, repr=False)
    """Its puts and gets with their streams, in order; None if they depend on loops, conditions or functions."""

    @cached_property
    def name(self) -> str:
        return "_".join([self.kernel.name, *map(str, self.pid)])

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The part of the tensor that each port accesses."""
        return tuple(Part(p.tensor, p.distributed.offsets(self.pid), p.distributed.local_shape()) for p in self.kernel.ports)

    @cached_property
    def streams(self) -> list[str]:
        """The instance's streams, in the numbering of `code`."""
        return list(dict.fromkeys([*self.puts, *self.gets]))


def inspect(spec: RegionSpec, kernel: KernelSpec, context: ir.Context) -> Iterator[Instance]:
    """The kernel's cores; the kernel is compiled once for one core of each kind."""
    kinds = Kinds()
    for pid in kernel.pids():
        result = kinds.find(pid)
        if result is None:
            decisions = Decisions()
            new = _compiled(spec, kernel, pid, context, decisions)
            kinds.keep(pid, decisions, new)
            yield new
        else:
            like, names = result
            puts, gets = ({names.get(n, n): count for n, count in ends.items()} for ends in (like.puts, like.gets))
            events = None if like.events is None else tuple((is_put, names.get(n, n)) for is_put, n in like.events)
            yield replace(like, pid=pid, puts=puts, gets=gets, events=events)


def _compiled(
    spec: RegionSpec, kernel: KernelSpec, pid: tuple[int, ...], context: ir.Context, decisions: Decisions
) -> Instance:
    """Compiles the kernel for core `pid`. Raises AlloAirError if padding its tensors could affect a result."""
    if not kernel.padded:
        return _trace_instance(spec, kernel, pid, context, decisions)
    try:
        return _trace_instance(spec, kernel, pid, context, decisions)
    except PaddingError:
        raise
    except KernelError as error:
        part = kernel.padded[0].distributed.local_shape()
        raise kernel.unsafe(
            spec.source, f"with parts of {shape_text(part)}, line {error.line} says: {error.message}"
        ) from error


def _trace_instance(
    spec: RegionSpec, kernel: KernelSpec, pid: tuple[int, ...], context: ir.Context, decisions: Decisions
) -> Instance:
    externals: dict[str, Any] = {}
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            shared = Module(module, compile_function, spec.rules, decisions=decisions, rebinds=spec.rebinds)
            kinds = [memref_type(p.element, p.distributed.local_shape()) for p in kernel.ports]
            op = func.FuncOp("core", ir.FunctionType.get(kinds, []))
            block = op.add_entry_block()
            with ir.InsertionPoint(block):
                emit(spec, kernel, pid, shared, block, list(block.arguments), Traffic(), externals)
                func.ReturnOp([])
        module.operation.verify()
        events = events_of(op)
        PassManager.parse("builtin.module(func.func(canonicalize,cse))").run(module.operation)
        result = bound(op.entry_block, [directions(a) for a in op.entry_block.arguments])
        puts, gets = counts(op)
        if kernel.padded and (reason := dependence(module, _labels(kernel))):
            raise kernel.unsafe(spec.source, reason)
        code = module.operation.get_asm(use_local_scope=True, assume_verified=True)
    order = {name: f"@{number}" for number, name in enumerate(dict.fromkeys([*puts, *gets]))}
    code = re.sub(r"chan_name = @(\w+)", lambda m: f"chan_name = {order[m[1]]}", code)
    reads, writes = tuple(r for r, _ in result), tuple(w for _, w in result)
    return Instance(kernel, pid, reads, writes, puts, gets, code, externals, events)


def _labels(kernel: KernelSpec) -> list[list[tuple[int, int] | None]]:
    """For each parameter, the padded dimensions: the dimension of the mapping that cuts them, and their size."""
    labels: list[list[tuple[int, int] | None]] = []
    for port in kernel.ports:
        axes, whole = port.distributed.axes(), port.distributed.shape
        marks = zip(axes, port.own_shape, whole, strict=True)
        labels.append([(axis, size) if axis is not None and size != to else None for axis, size, to in marks])
    return labels


def emit(
    spec: RegionSpec,
    kernel: KernelSpec,
    pid: tuple[int, ...],
    shared: Module,
    block: ir.Block,
    buffers: Sequence[ir.Value],
    traffic: Traffic,
    externals: dict[str, object],
    macs: Macs | None = None,
) -> None:
    """Emits the statements of core `pid` at the insertion point, which is in `block`. Each port accesses a buffer.

    `macs` emits products of matrices.
    """
    source = Source(spec.source.function, (spec.state.names[0], *spec.source.frame_names), kernel.node)
    hooks: dict[str, Any] = {
        "get_pid": lambda state, node, target: _pid(state, node, pid, spec, kernel),
        "stream": select_streams,
        "stream_method": lambda state, node, owner, name: transfer(state, node, owner, name, traffic),
        "gather": lambda state, node, target: gather(state, node, target, traffic),
        "scatter": lambda state, node, target: scatter(state, node, traffic),
        "region": lambda state, node, target: _nested(state, node, traffic),
        "external": lambda state, node, target: _external(state, node, externals),
    }
    if macs is not None:
        hooks["macs"] = macs
    names: dict[str, Any] = {name: StreamValue(name, kind) for name, kind in spec.streams.items()}
    names |= {name: value for name, value in spec.state.names[0].items() if name not in names}
    ports: dict[str, Any] = {p.name: Buffer(b, p.element) for p, b in zip(kernel.ports, buffers, strict=True)}
    state = State(shared, source, "core", [{}, names, ports], hooks=hooks)
    state.body = block
    with state.at(kernel.node):
        statements(state, kernel.node.body)
        if state.returned:
            raise state.error(kernel.node, f"kernel '{kernel.name}' returns a value; store results to its parameters")


def _pid(state: State, node: ast.Call, pid: tuple[int, ...], spec: RegionSpec, kernel: KernelSpec) -> Any:
    if kernel.padded:
        raise kernel.unsafe(spec.source, "the kernel asks for the number of its core")
    if node.args or node.keywords:
        raise state.error(node, "get_pid takes no arguments")
    return numbers_of(pid)


def _nested(state: State, node: ast.Call, traffic: Traffic) -> Any:
    if hasattr(traffic, "region"):
        return traffic.region(state, node)
    raise state.error(
        node, f"'{ast.unparse(node.func)}' is a region, which no kernel can call; write its kernels in this one, or a function"
    )


def stream_types(spec: RegionSpec) -> dict[str, StreamType]:
    """The type of each FIFO of the region's streams."""
    return {name: kind for stream, type_of in spec.streams.items() for name, kind in fifos(stream, type_of).items()}


def _external(state: State, node: ast.Call, externals: dict[str, object]) -> None:
    module = evaluate(state, node.func)
    values = [as_operand(expression(state, a)) for a in node.args]
    count = len({*module.input_idx, *module.output_idx})
    if len(values) != count:
        raise state.error(node, f"external kernel '{module.top}' takes {counted(count, 'argument')}, found {len(values)}")
    for value, argument in zip(values, node.args, strict=True):
        if not isinstance(value, Buffer):
            raise state.error(argument, f"external kernels take tensors, found {describe(value)}")
    body = state.shared.module.body
    if module.top not in externals:
        externals[module.top] = module
        with ir.InsertionPoint.at_block_begin(body):
            declaration = func.FuncOp(module.top, ir.FunctionType.get([v.value.type for v in values], []), visibility="private")
            declaration.attributes["allo.reads"] = ir.DenseI64ArrayAttr.get(list(module.input_idx))
            declaration.attributes["allo.writes"] = ir.DenseI64ArrayAttr.get(list(module.output_idx))
    func.CallOp([], ir.FlatSymbolRefAttr.get(module.top), [v.value for v in values])
