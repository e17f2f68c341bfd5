"""What one core of a kernel runs: its function with the core's numbers known, buffers in L1, blocks of streams put and got."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from allo_air.frontend import tensors
from allo_air.frontend.annotations import Declared
from allo_air.frontend.functions import compile_function, type_of
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.numbers import Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.region import KernelSpec, RegionSpec
from allo_air.frontend.source import Source
from allo_air.frontend.state import Module, State
from allo_air.frontend.statements import statements
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.types import ScalarType, StreamType, TensorType
from allo_air.frontend.values import Buffer, Known, StreamValue, allocate, memref_type
from allo_air.mlir import PassManager, func, ir, memref

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


def block_type(kind: StreamType) -> tuple[ScalarType, tuple[int, ...]]:
    """Element type and shape of what a stream carries in L1: scalars fill words of 32 bits."""
    if isinstance(kind.element, TensorType):
        return kind.element.element, tuple(kind.element.shape)
    return kind.element, (max(1, 32 // kind.element.bits),)


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
        "stream": _select,
        "stream_method": lambda state, node, owner, name: _transfer(state, node, owner, name, puts, gets),
        "gather": lambda state, node, target: _gather(state, node, target, gets),
        "scatter": lambda state, node, target: _scatter(state, node, puts),
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


def _select(state: State, owner: StreamValue, at: ast.AST) -> Any:
    """`pipe[i, j]` of an array of streams; slices give a list."""
    nodes = list(at.elts) if isinstance(at, ast.Tuple) else [at]
    if len(nodes) != len(owner.type.array):
        raise state.error(
            at, f"stream '{owner.symbol}' is an array of {len(owner.type.array)} dimensions, found {len(nodes)} subscripts"
        )
    choices: list[list[int]] = []
    for node, size in zip(nodes, owner.type.array, strict=True):
        choices.append(_positions(state, owner, node, size))
    element = StreamType(owner.type.element, owner.type.depth)
    found = [StreamValue("_".join([owner.symbol, *map(str, place)]), element) for place in _product(choices)]
    return found[0] if not any(isinstance(n, ast.Slice) for n in nodes) else tuple(found)


def _product(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    import itertools

    return itertools.product(*choices)


def _positions(state: State, owner: StreamValue, node: ast.AST, size: int) -> list[int]:
    if isinstance(node, ast.Slice):
        bounds = [None if n is None else evaluate(state, n) for n in (node.lower, node.upper, node.step)]
        if UNKNOWN in bounds:
            raise state.error(node, "the slice of an array of streams must be known when the kernel is compiled")
        return list(range(size))[slice(*bounds)]
    found = evaluate(state, node)
    if found is UNKNOWN or not isinstance(found, int):
        raise state.error(
            node,
            f"'{ast.unparse(node)}' chooses among streams '{owner.symbol}' and must be known when the kernel is compiled: "
            "use the core's numbers, or the variable of allo.meta_for",
        )
    if not -size <= found < size:
        raise state.error(node, f"subscript {found} of a dimension of {size} streams '{owner.symbol}'")
    return [found % size]


def _transfer(state: State, node: ast.Call, owner: StreamValue, name: str, puts: dict[str, int], gets: dict[str, int]) -> Any:
    if owner.type.array:
        raise state.error(node, f"'{owner.symbol}' is an array of streams; choose one by its subscripts")
    if name == "put" and len(node.args) == 1:
        _put(state, node, owner, expression(state, node.args[0]), puts)
        return None
    if name == "get" and not node.args:
        return _get(owner, gets)
    raise state.error(node, f"a stream has put(x) and get(), found '{name}' with {len(node.args)} arguments")


def _put(state: State, node: ast.AST, owner: StreamValue, found: Any, puts: dict[str, int]) -> None:
    element, shape = block_type(owner.type)
    found = as_operand(found)
    if isinstance(owner.type.element, TensorType):
        if not isinstance(found, Buffer) or found.shape != shape:
            raise state.error(node, f"stream '{owner.symbol}' carries {owner.type.element}, found {describe(found)}")
        block = found
        if found.root is not None or found.value.type != memref_type(element, shape):
            block = allocate(element, shape)
            tensors.copy(found, block)
    else:
        if not isinstance(found, (Number, int, float)):
            raise state.error(node, f"stream '{owner.symbol}' carries {owner.type.element}, found {describe(found)}")
        block = allocate(element, shape)
        tensors.fill(block, found)
    _channel("air.channel.put", owner.symbol, block.value)
    if block is not found:
        memref.DeallocOp(block.value)
    puts[owner.symbol] = puts.get(owner.symbol, 0) + 1


def _get(owner: StreamValue, gets: dict[str, int], into: Buffer | None = None) -> Any:
    from allo_air.mlir import arith

    element, shape = block_type(owner.type)
    block = into or allocate(element, shape)
    _channel("air.channel.get", owner.symbol, block.value)
    gets[owner.symbol] = gets.get(owner.symbol, 0) + 1
    if isinstance(owner.type.element, TensorType):
        return block
    zero = arith.constant(ir.IndexType.get(), 0)
    return Number(memref.load(block.value, [zero]), element)


def _channel(name: str, symbol: str, value: Any) -> None:
    """A put or a get of a whole buffer."""
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

    if name.endswith("put"):
        ChannelPutOp(chan_name=symbol, src=value)
    else:
        ChannelGetOp(chan_name=symbol, dst=value)


def _gather(state: State, node: ast.Call, target: Buffer | None, gets: dict[str, int]) -> Buffer:
    pipes = expression(state, node.args[0])
    pipes = [pipes] if isinstance(pipes, StreamValue) else list(pipes)
    blocks = [_get(p, gets) for p in pipes]
    if not all(isinstance(b, Buffer) for b in blocks):
        element = blocks[0].type
        result = target or allocate(element, (len(blocks),))
        for i, number in enumerate(blocks):
            _element(result, i).store(number)
        return result
    first = blocks[0]
    shape = target.shape if target is not None else (len(blocks) * first.shape[0], *first.shape[1:])
    result = target or allocate(first.element, shape)
    for i, block in enumerate(blocks):
        tensors.copy(block, _slice(state, node, result, i, len(blocks), block.shape))
    return result


def _element(result: Buffer, at: int) -> Any:
    from allo_air.frontend.indexing import Place
    from allo_air.mlir import arith

    return Place(result, (arith.constant(ir.IndexType.get(), at),))


def _slice(state: State, node: ast.AST, whole: Buffer, number: int, count: int, block: tuple[int, ...]) -> Buffer:
    """Part `number` of `count` along the first dimension; blocks without that dimension are its rows."""
    from allo_air.frontend.indexing import view

    if whole.shape == (count, *block):
        return view(state, whole, ast.Constant(number))
    size = whole.shape[0] // count
    if whole.shape[0] % count or (size, *whole.shape[1:]) != block:
        raise state.error(node, f"{count} blocks of shape {block} do not make a tensor of shape {whole.shape}")
    return view(state, whole, ast.Slice(ast.Constant(number * size), ast.Constant((number + 1) * size)))


def _scatter(state: State, node: ast.Call, puts: dict[str, int]) -> None:
    whole = expression(state, node.args[0])
    pipes = expression(state, node.args[1])
    pipes = [pipes] if isinstance(pipes, StreamValue) else list(pipes)
    if not isinstance(whole, Buffer):
        raise state.error(node, f"a tensor is scattered, found {describe(whole)}")
    for number, pipe in enumerate(pipes):
        shape = block_type(pipe.type)[1]
        _put(state, node, pipe, _slice(state, node, whole, number, len(pipes), shape), puts)


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


def _free(block: Any) -> None:
    terminator = list(block.operations)[-1]
    for op in list(block.operations):
        if op.operation.name == "memref.alloc" and not _is_freed(op):
            with ir.InsertionPoint(terminator), op.location:
                memref.DeallocOp(op.operation.results[0])
        for region in op.operation.regions:
            for inner in region.blocks:
                _free(inner)


def _is_freed(op: Any) -> bool:
    return any(use.owner.name == "memref.dealloc" for use in op.operation.results[0].uses)


def _into_l1(op: Any) -> None:
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)

    def moved(kind: Any) -> Any:
        if not isinstance(kind, ir.MemRefType):
            return kind
        return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout, space)

    def visit(block: Any) -> None:
        for argument in block.arguments:
            argument.set_type(moved(argument.type))
        for inner in block.operations:
            for result in inner.operation.results:
                result.set_type(moved(result.type))
            for region in inner.operation.regions:
                for nested in region.blocks:
                    visit(nested)

    visit(op.entry_block)
