"""What one core of a kernel runs: its function with the core's numbers known, buffers in L1, blocks of streams put and got."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from allo_air.frontend.annotations import Declared
from allo_air.frontend.functions import compile_function, type_of
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.operands import as_operand
from allo_air.frontend.region import KernelSpec, RegionSpec
from allo_air.frontend.source import Source
from allo_air.frontend.state import Module, State
from allo_air.frontend.statements import statements
from allo_air.frontend.static import evaluate
from allo_air.frontend.streams import gather, scatter, select, transfer
from allo_air.frontend.values import Buffer, Known, StreamValue
from allo_air.mlir import AnyOp, PassManager, func, ir, memref

_PREPARE = "builtin.module(func.func(canonicalize,cse),lower-affine,inline,func.func(mem2reg,canonicalize,cse))"


@dataclass
class Instance:
    """A core's program: the function's text with arguments %arg0, %arg1, ..., the ports it reads and writes, its streams."""

    kernel: str
    pid: tuple[int, ...]
    body: str
    reads: tuple[bool, ...]
    writes: tuple[bool, ...]
    puts: dict[str, int] = field(default_factory=dict)
    gets: dict[str, int] = field(default_factory=dict)
    externals: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "_".join([self.kernel, *map(str, self.pid)])


def compile_instance(spec: RegionSpec, kernel: KernelSpec, pid: tuple[int, ...], context: Any) -> Instance:
    """Compiles the program of the core `pid`."""
    source = Source(spec.source.function, (spec.state.names[0], *spec.source.frame_names), kernel.node)
    puts: dict[str, int] = {}
    gets: dict[str, int] = {}
    externals: dict[str, Any] = {}
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            state = _state(spec, kernel, pid, source, Module(module, compile_function, "cpp-style"), puts, gets, externals)
            op = _function(state, kernel)
        module.operation.verify()
        reads, writes = _directions(op)
        PassManager.parse(_PREPARE).run(module.operation)
        op = next(o for o in module.body.operations if isinstance(o, func.FuncOp) and o.name.value == "core")
        body = _text(op)
    return Instance(kernel.name, pid, body, reads, writes, puts, gets, externals)


def _state(
    spec: RegionSpec,
    kernel: KernelSpec,
    pid: tuple[int, ...],
    source: Source,
    shared: Module,
    puts: Any,
    gets: Any,
    externals: Any,
) -> State:
    hooks = {
        "get_pid": lambda state, node, target: tuple(map(Known, pid)) if len(pid) > 1 else Known(pid[0]),
        "stream": select,
        "stream_method": lambda state, node, owner, name: transfer(state, node, owner, name, puts, gets),
        "gather": lambda state, node, target: gather(state, node, target, gets),
        "scatter": lambda state, node, target: scatter(state, node, puts),
        "external": lambda state, node, target: _external(state, node, externals),
    }
    names = {name: StreamValue(name, kind) for name, kind in spec.streams.items()}
    names |= {name: value for name, value in spec.state.names[0].items() if name not in names}
    return State(shared, source, "core", [names, {}], hooks=hooks)


def _function(state: State, kernel: KernelSpec) -> Any:
    kinds = [Declared(p.element, p.dealt.local_shape()) for p in kernel.ports]
    with state.at(kernel.node):
        op = func.FuncOp("core", ir.FunctionType.get([type_of(k) for k in kinds], []))
        block = op.add_entry_block()
    state.body = block
    state.names.insert(0, {})
    with ir.InsertionPoint(block), state.at(kernel.node):
        for port, argument in zip(kernel.ports, block.arguments, strict=True):
            state.names[-1][port.name] = Buffer(argument, port.element)
        statements(state, kernel.node.body)
        if state.returned:
            raise state.error(kernel.node, f"kernel '{kernel.name}' returns something; results are stored to its parameters")
        func.ReturnOp([])
    return op


def _external(state: State, node: ast.Call, externals: dict[str, Any]) -> None:
    module = evaluate(state, node.func)
    values = [as_operand(expression(state, a)) for a in node.args]
    count = len({*module.input_idx, *module.output_idx})
    if len(values) != count:
        raise state.error(node, f"external kernel '{module.top}' takes {count} arguments, found {len(values)}")
    for value, argument in zip(values, node.args, strict=True):
        if not isinstance(value, Buffer):
            raise state.error(argument, f"external kernels take tensors, found {describe(value)}")
    body = state.shared.module.body
    if module.top not in externals:
        externals[module.top] = module
        with ir.InsertionPoint.at_block_begin(body):
            declaration = func.FuncOp(module.top, ir.FunctionType.get([v.value.type for v in values], []), visibility="private")
            declaration.attributes["allo.writes"] = ir.DenseI64ArrayAttr.get(list(module.output_idx))
    func.CallOp([], ir.FlatSymbolRefAttr.get(module.top), [v.value for v in values])


def _directions(op: Any) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    from allo_air.frontend.effects import directions

    found = [directions(a) for a in op.entry_block.arguments]
    return tuple(r for r, _ in found), tuple(w for _, w in found)


def _text(op: Any) -> str:
    """The statements of a function, with buffers in L1, freed where their block ends."""
    _free(op.entry_block)
    _into_l1(op)
    text = op.operation.get_asm(enable_debug_info=True, use_local_scope=True, assume_verified=True)
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith("func.func"))
    last = max(i for i, line in enumerate(lines) if line.lstrip().startswith("return"))
    return "\n".join(lines[start + 1 : last])


def _free(block: ir.Block) -> None:
    terminator = list(block.operations)[-1]
    for op in list(block.operations):
        if op.operation.name == "memref.alloc" and not _is_freed(op):
            with ir.InsertionPoint(terminator), op.location:
                memref.DeallocOp(op.operation.results[0])
        for region in op.operation.regions:
            for inner in region.blocks:
                _free(inner)


def _is_freed(op: AnyOp) -> bool:
    return any(use.owner.name == "memref.dealloc" for use in op.operation.results[0].uses)


def _into_l1(op: Any) -> None:
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)

    def moved(kind: Any) -> Any:
        if not isinstance(kind, ir.MemRefType):
            return kind
        return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout, space)

    def visit(block: ir.Block) -> None:
        for argument in block.arguments:
            argument.set_type(moved(argument.type))
        for inner in block.operations:
            for result in inner.operation.results:
                result.set_type(moved(result.type))
            for region in inner.operation.regions:
                for nested in region.blocks:
                    visit(nested)

    visit(op.entry_block)
