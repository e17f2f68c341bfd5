"""Compiles a region to concurrent functions, one for each core of each kernel, which communicate by streams.

Streams are functions without a body, `put_pipe(block)` and `get_pipe(block)`. The region's own function is marked `dataflow`,
lists the streams' names and depths, and calls the other functions.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted
from allo_air.frontend.annotations import Declared
from allo_air.frontend.functions import Compiled, compile_function, type_of
from allo_air.frontend.indexing import subview
from allo_air.frontend.instances import emit, stream_types
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.numbers import BOOL, Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.region import Region, RegionSpec, read_region
from allo_air.frontend.schedule.schedule import Schedule
from allo_air.frontend.state import Module, State
from allo_air.frontend.static import evaluate
from allo_air.frontend.traffic import Traffic
from allo_air.frontend.types import ScalarType, StreamType, carried_by
from allo_air.frontend.values import Buffer, allocate
from allo_air.mlir import func, ir, memref, new_context
from allo_air.target.hls.calls import UnwrittenError

if TYPE_CHECKING:
    from allo_air.frontend.ports import KernelSpec, Port


def compile_processes(spec: RegionSpec, context: ir.Context) -> tuple[str, Compiled]:
    """The module with the region's function, and that function."""
    with context, ir.Location.unknown():
        module = ir.Module.create()
        shared = Module(module, compile_function, spec.rules, rebinds=spec.rebinds)
        with ir.InsertionPoint(module.body):
            op = _region(spec, shared)
        module.operation.verify()
        name = str(op.name.value)
        return str(module), Compiled(None, name, tuple(spec.padded.values()), (), tuple(spec.tensors))


def scheduled_processes(spec: RegionSpec) -> Schedule:
    """The module of `compile_processes`, for schedule primitives on its functions."""
    context = new_context()
    text, top = compile_processes(spec, context)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        names = {op.name.value: ("core", op.name.value) for op in module.body.operations if isinstance(op, func.FuncOp)}
        return Schedule(module, top, dict(names), context, spec.source, (), top, spec.rules, spec.rebinds, text)


def _region(spec: RegionSpec, shared: Module) -> Any:
    """Emits the region's function, after those that it calls."""
    kinds = stream_types(spec)
    prefix = shared.unique(spec.source.name)
    parameters = list(spec.padded.values())
    functions = [
        (kernel, pid, _core(spec, shared, kernel, pid, Pipes(kinds=kinds, prefix=prefix)))
        for kernel in spec.kernels
        for pid in kernel.pids()
    ]
    op = func.FuncOp(prefix, ir.FunctionType.get([type_of(p) for p in parameters], []))
    op.attributes["itypes"] = ir.StringAttr.get("".join("s" if p.element.signed else "u" for p in parameters))
    op.attributes["otypes"] = ir.StringAttr.get("")
    op.attributes["arg_names"] = ir.ArrayAttr.get([ir.StringAttr.get(name) for name in spec.padded])
    op.attributes["dataflow"] = ir.UnitAttr.get()
    named = [f"{prefix}_{name}:{kind.depth}" for name, kind in kinds.items()]
    op.attributes["streams"] = ir.ArrayAttr.get([ir.StringAttr.get(n) for n in named])
    block = op.add_entry_block()
    with ir.InsertionPoint(block):
        whole = [Buffer(a, p.element) for a, p in zip(block.arguments, parameters, strict=True)]
        for kernel, pid, item in functions:
            func.CallOp(item, [_part_of_core(whole[port.tensor], port, pid).value for port in kernel.ports])
        func.ReturnOp([])
    return op


def _core(spec: RegionSpec, shared: Module, kernel: KernelSpec, pid: tuple[int, ...], traffic: Pipes) -> Any:
    """Emits the function of one core."""
    name = shared.unique("_".join([kernel.name, *map(str, pid)]))
    op = func.FuncOp(name, ir.FunctionType.get(list(map(_type, kernel.ports)), []))
    op.attributes["itypes"] = ir.StringAttr.get("".join("s" if p.element.signed else "u" for p in kernel.ports))
    op.attributes["otypes"] = ir.StringAttr.get("")
    op.attributes["arg_names"] = ir.ArrayAttr.get([ir.StringAttr.get(p.name) for p in kernel.ports])
    block = op.add_entry_block()
    with ir.InsertionPoint(block):
        emit(spec, kernel, pid, shared, block, list(block.arguments), traffic, {})
        func.ReturnOp([])
    return op


def _part_of_core(whole: Buffer, port: Port, pid: tuple[int, ...]) -> Buffer:
    sizes = port.distributed.local_shape()
    if sizes == whole.shape:
        return whole
    pieces = [(start, size, 1) for start, size in zip(port.distributed.offsets(pid), sizes, strict=True)]
    result = subview(whole, pieces, [True] * len(sizes))
    return Buffer(memref.cast(_type(port), result.value), port.element, whole.value)


def _type(port: Port) -> Any:
    """The type of a core's part of a tensor, with any offset."""
    part = Declared(port.element, port.distributed.local_shape())
    if part.shape == port.distributed.shape:
        return type_of(part)
    strides = [1]
    for size in reversed(port.distributed.shape[1:]):
        strides.insert(0, strides[0] * size)
    layout = ir.StridedLayoutAttr.get(ir.ShapedType.get_dynamic_stride_or_offset(), strides)
    return ir.MemRefType.get(list(part.shape or ()), type_of(part).element_type, layout)


@dataclass
class Pipes(Traffic):
    """The streams of a region whose cores run concurrently."""

    kinds: dict[str, StreamType] = field(default_factory=dict)
    prefix: str = ""

    def put(self, state: State, stream: str, block: Buffer) -> None:
        """Sends all of `block`."""
        func.CallOp(self._function(state, "put", stream, [block.value.type], []), [block.value])

    def get(self, state: State, stream: str, element: ScalarType, shape: tuple[int, ...]) -> Buffer:
        """The next block of `stream`."""
        block = allocate(element, shape)
        func.CallOp(self._function(state, "get", stream, [block.value.type], []), [block.value])
        return block

    def test_state(self, state: State, stream: str, question: str) -> Number:
        """`empty`: whether no block is available; `full`: whether a put would have to wait."""
        op = func.CallOp(self._function(state, question, stream, [], [ir.IntegerType.get_signless(1)]), [])
        return Number(op.results[0], BOOL)

    def _function(self, state: State, operation: str, stream: str, inputs: list[ir.Type], results: list[ir.Type]) -> Any:
        """The declared function that implements `operation` of a stream."""
        name = f"{operation}_{self.prefix}_{stream}"
        body = state.shared.module.body
        for op in body.operations:
            if isinstance(op, func.FuncOp) and op.name.value == name:
                return op
        kind = self.kinds[stream].element
        [element] = carried_by(self.kinds[stream])
        with ir.InsertionPoint.at_block_begin(body):
            function = func.FuncOp(name, ir.FunctionType.get(inputs, results), visibility="private")
            function.attributes["stream"] = ir.StringAttr.get(f"{self.prefix}_{stream}")
            function.attributes["does"] = ir.StringAttr.get(operation)
            if isinstance(kind, ScalarType):
                function.attributes["scalar"] = ir.UnitAttr.get()
            if not element.signed:
                function.attributes["unsigned"] = ir.UnitAttr.get()
        return function

    def region(self, state: State, node: ast.Call) -> None:
        """Emits a call of another region. The calling core waits while the cores of that region run."""
        called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        template = evaluate(state, node.func.slice) if isinstance(node.func, ast.Subscript) else ()
        inner: Region = evaluate(state, called)
        spec = read_region(inner, host=True, template=template if isinstance(template, tuple) else (template,))
        values = [as_operand(expression(state, a)) for a in node.args]
        kinds = list(spec.padded.values())
        if len(values) != len(kinds):
            raise state.error(node, f"region '{inner.__name__}' takes {counted(len(kinds), 'argument')}, found {len(values)}")
        for argument, value, kind in zip(node.args, values, kinds, strict=True):
            if not isinstance(value, Buffer) or not kind.admits(value.shape) or value.element != kind.element:
                raise state.error(argument, f"expected {kind}, found {describe(value)}")
        with ir.InsertionPoint.at_block_begin(state.shared.module.body):
            region = _region(spec, state.shared)
        func.CallOp([], ir.FlatSymbolRefAttr.get(region.name.value), [v.value for v in values])


def readable(region: Region) -> RegionSpec:
    """The region, read without the limits of DMAs, for the host. Raises UnwrittenError if a mapping does not divide sizes."""
    spec = read_region(region, host=True)
    for kernel in spec.kernels:
        for port in kernel.ports:
            if port.uneven:
                raise UnwrittenError(
                    f"kernel '{kernel.name}' cuts '{port.outer}' into parts of different sizes; pad it in the program"
                )
    return spec
