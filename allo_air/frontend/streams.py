"""Stream operations of a core: selects streams, puts and gets blocks, gathers and scatters."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allo_air.errors import counted
from allo_air.frontend import tensors
from allo_air.frontend.arithmetic import materialized
from allo_air.frontend.nodes import describe, expression, scalar
from allo_air.frontend.numbers import Number, to_index
from allo_air.frontend.operands import as_operand
from allo_air.frontend.records import loaded
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, value_of
from allo_air.frontend.traffic import Traffic
from allo_air.frontend.types import ScalarType, StreamType, StructType, TensorType
from allo_air.frontend.values import Buffer, LoopIndex, Record, StreamValue, allocate, memref_type
from allo_air.mlir import arith, ir, memref, scf


def block_type(kind: StreamType) -> tuple[ScalarType, tuple[int, ...]]:
    """Element type and shape of a stream's block in L1. Scalars become 32-bit words."""
    if isinstance(kind.element, TensorType):
        return kind.element.element, tuple(kind.element.shape)
    assert isinstance(kind.element, ScalarType), "a stream of structs is one for each field"
    return kind.element, (max(1, 32 // kind.element.bits),)


@dataclass(frozen=True)
class ChosenStream(StreamValue):
    """One of several streams, selected at run time by an index value that depends on loops."""

    among: tuple[StreamValue, ...] = ()
    number: Any = None


def select_streams(state: State, owner: StreamValue, subscript: ast.AST) -> Any:
    """`pipe[i, j]` of an array of streams, where i and j may be loop variables; slices give a list."""
    result = select(state, owner, subscript)
    nodes = list(subscript.elts) if isinstance(subscript, ast.Tuple) else [subscript]
    sizes = [(n, size) for n, size in zip(nodes, owner.type.array, strict=True) if _varies(state, n)]
    if not sizes:
        return result
    number = None
    for node, size in sizes:
        position = to_index(materialized(scalar(state, node)))
        width = arith.constant(ir.IndexType.get(), size)
        number = position if number is None else arith.addi(arith.muli(number, width), position)
    return ChosenStream(owner.symbol, result[0].type, result, number)


def _varies(state: State, node: ast.AST) -> bool:
    """Whether a subscript differs between iterations."""
    return not isinstance(node, ast.Slice) and value_of(state, node) is UNKNOWN


def select(state: State, owner: StreamValue, subscript: ast.AST) -> Any:
    """The streams that `pipe[i, j]` may select: several for slices or loop variables."""
    nodes = list(subscript.elts) if isinstance(subscript, ast.Tuple) else [subscript]
    if len(nodes) != len(owner.type.array):
        raise state.error(
            subscript,
            f"stream '{owner.symbol}' is an array of {counted(len(owner.type.array), 'dimension')}, found "
            f"{counted(len(nodes), 'subscript')}",
        )
    choices: list[list[int]] = []
    for node, size in zip(nodes, owner.type.array, strict=True):
        choices.append(_positions(state, owner, node, size))
    element = StreamType(owner.type.element, owner.type.depth)
    stream_values = [StreamValue("_".join([owner.symbol, *map(str, place)]), element) for place in _product(choices)]
    sliced = any(isinstance(n, ast.Slice) for n in nodes)
    moving = [n for n in nodes if _varies(state, n)]
    if sliced and moving:
        raise state.error(
            moving[0],
            f"'{ast.unparse(moving[0])}' must be known when the kernel is compiled: several streams '{owner.symbol}' are taken",
        )
    result = tuple(stream_values) if sliced or moving else stream_values[0]
    if state.shared.decisions is not None:
        state.shared.decisions.streams(state, owner, subscript, result)
    return result


def _product(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*choices)


def _positions(state: State, owner: StreamValue, node: ast.AST, size: int) -> list[int]:
    if isinstance(node, ast.Slice):
        bounds = [None if n is None else value_of(state, n) for n in (node.lower, node.upper, node.step)]
        if UNKNOWN in bounds:
            raise state.error(node, "the slice of an array of streams must be known when the kernel is compiled")
        return list(range(size))[slice(*bounds)]
    value = value_of(state, node)
    if value is UNKNOWN and _depends_on_loops_only(state, node):
        return list(range(size))
    if value is UNKNOWN or not isinstance(value, int):
        raise state.error(
            node,
            f"'{ast.unparse(node)}' chooses among streams '{owner.symbol}' and must be known when the kernel is compiled: "
            "use the core's numbers, variables of loops with constant bounds, or of allo.meta_for",
        )
    if not -size <= value < size:
        raise state.error(node, f"subscript {value} of a dimension of {counted(size, 'stream')} '{owner.symbol}'")
    return [value % size]


def _depends_on_loops_only(state: State, node: ast.AST) -> bool:
    """Whether an expression depends only on loop variables and compile-time values, so that the order of a core's transfers is
    known.
    """
    if isinstance(node, ast.BinOp):
        return _depends_on_loops_only(state, node.left) and _depends_on_loops_only(state, node.right)
    if isinstance(node, ast.Name):
        result = state.variable(node.id)
        if isinstance(result, LoopIndex):
            return result.affine
    return value_of(state, node) is not UNKNOWN


def transfer(state: State, node: ast.Call, owner: StreamValue, name: str, traffic: Traffic) -> Any:
    """`put(x)` or `get()` of a stream."""
    if owner.type.array:
        raise state.error(node, f"'{owner.symbol}' is an array of streams; choose one by its subscripts")
    if isinstance(owner.type.element, StructType):
        return _structs(state, node, owner, name, traffic)
    if isinstance(owner, ChosenStream) and (name, len(node.args)) in (("put", 1), ("get", 0)):
        return _selected_transfer(state, node, owner, traffic)
    if name == "put" and len(node.args) == 1:
        _send(state, node, owner, expression(state, node.args[0]), traffic)
        return None
    if name == "get" and not node.args:
        return _get(state, owner, traffic)
    if (name, len(node.args)) in _QUERIES:
        if not hasattr(traffic, "test_state"):
            raise state.error(
                node,
                f"'{name}' needs the state of a stream, which DMA channels of the array do not have; use put(x) and get() "
                "there; target='simulator' and C++ for high-level synthesis have it",
            )
        return _queried(state, node, owner, name, traffic)
    raise state.error(
        node,
        "a stream has put(x), get(), try_put(x), try_get(), empty() and full(), "
        f"found '{name}' with {counted(len(node.args), 'argument')}",
    )


def fifos(name: str, kind: StreamType) -> dict[str, StreamType]:
    """The FIFOs of a stream: elements of arrays by position (`pipe_0_1`), fields of structs by name (`pipe_x`)."""
    stream_types = {}
    for place in itertools.product(*map(range, kind.array)):
        fifo = StreamValue("_".join([name, *map(str, place)]), StreamType(kind.element, kind.depth))
        parts = fields_of(fifo) if isinstance(kind.element, StructType) else {"": fifo}
        stream_types.update({part.symbol: part.type for part in parts.values()})
    return stream_types


def fields_of(owner: StreamValue) -> dict[str, StreamValue]:
    """The streams of the fields of a stream of structs."""
    assert isinstance(owner.type.element, StructType)
    return {f: StreamValue(f"{owner.symbol}_{f}", StreamType(kind, owner.type.depth)) for f, kind in owner.type.element.fields}


def _structs(state: State, node: ast.Call, owner: StreamValue, name: str, traffic: Traffic) -> Any:
    """`put(x)` or `get()` of a stream of structs: each field goes over a stream of its own."""
    if isinstance(owner, ChosenStream) or (name, len(node.args)) not in (("put", 1), ("get", 0)):
        allowed = "put(x) and get() of streams whose numbers are known when the kernel is compiled"
        raise state.error(node, f"'{owner.symbol}' is a stream of structs, which have {allowed}; take a stream for each field")
    if name == "get":
        return Record({f: _get(state, stream, traffic) for f, stream in fields_of(owner).items()})
    result = expression(state, node.args[0])
    streams = fields_of(owner)
    if not isinstance(result, Record) or set(result.fields) != set(streams):
        raise state.error(node, f"stream '{owner.symbol}' carries {owner.type.element}, found {describe(result)}")
    for f, stream in streams.items():
        _send(state, node, stream, loaded(result.fields[f]), traffic)
    return None


_QUERIES = (("empty", 0), ("full", 0), ("try_put", 1), ("try_get", 0))


def _queried(state: State, node: ast.Call, owner: StreamValue, name: str, traffic: Any) -> Any:
    """Queries a stream. `try_put(x)` puts if there is room and returns whether it did; `try_get()` returns a block and whether
    there was one, otherwise zeros.
    """
    if name in ("empty", "full"):
        return traffic.test_state(state, owner.symbol, name)
    stops = traffic.test_state(state, owner.symbol, "full" if name == "try_put" else "empty")
    should_put = arith.xori(stops.value, arith.constant(stops.value.type, 1))
    element, shape = block_type(owner.type)
    value = expression(state, node.args[0]) if node.args else None
    result = None if node.args else allocate(element, shape)
    if result is not None:
        tensors.fill(result, 0)
    with ir.InsertionPoint(scf.IfOp(should_put).then_block):
        if result is None:
            _send(state, node, owner, value, traffic)
        else:
            tensors.copy(traffic.get(state, owner.symbol, element, shape), result)
        scf.YieldOp([])
    number = Number(should_put, stops.type)
    if result is None:
        return number
    if isinstance(owner.type.element, TensorType):
        return result, number
    return Number(memref.load(result.value, [arith.constant(ir.IndexType.get(), 0)]), element), number


def _selected_transfer(state: State, node: ast.Call, owner: ChosenStream, traffic: Traffic) -> Any:
    """`put(x)` or `get()` of the stream that a number selects; no stream if the number is out of range."""
    element, shape = block_type(owner.type)
    value = expression(state, node.args[0]) if node.args else None
    result = None if node.args else allocate(element, shape)
    for number, stream in enumerate(owner.among):
        is_owner = arith.cmpi(0, owner.number, arith.constant(ir.IndexType.get(), number))
        with ir.InsertionPoint(scf.IfOp(is_owner).then_block):
            if result is None:
                _send(state, node, stream, value, traffic)
            else:
                tensors.copy(traffic.get(state, stream.symbol, element, shape), result)
            scf.YieldOp([])
    if result is None or isinstance(owner.type.element, TensorType):
        return result
    return Number(memref.load(result.value, [arith.constant(ir.IndexType.get(), 0)]), element)


def _send(state: State, node: ast.AST, owner: StreamValue, buffer: Buffer | None, traffic: Traffic) -> None:
    element, shape = block_type(owner.type)
    buffer = as_operand(buffer)
    if isinstance(owner.type.element, TensorType):
        if not isinstance(buffer, Buffer) or buffer.shape != shape:
            raise state.error(node, f"stream '{owner.symbol}' carries {owner.type.element}, found {describe(buffer)}")
        block = buffer
        if buffer.root is not None or buffer.value.type != memref_type(element, shape):
            block = allocate(element, shape)
            tensors.copy(buffer, block)
    else:
        if not isinstance(buffer, (Number, int, float)):
            raise state.error(node, f"stream '{owner.symbol}' carries {owner.type.element}, found {describe(buffer)}")
        block = allocate(element, shape)
        tensors.fill(block, buffer)
    traffic.put(state, owner.symbol, block)
    if block is not buffer:
        memref.DeallocOp(block.value)


def _get(state: State, owner: StreamValue, traffic: Traffic) -> Any:
    element, shape = block_type(owner.type)
    block = traffic.get(state, owner.symbol, element, shape)
    if isinstance(owner.type.element, TensorType):
        return block
    zero = arith.constant(ir.IndexType.get(), 0)
    return Number(memref.load(block.value, [zero]), element)


def gather(state: State, node: ast.Call, target: Buffer | None, traffic: Traffic) -> Buffer:
    """One block of each of several streams, in order."""
    pipes = expression(state, node.args[0])
    pipes = [pipes] if isinstance(pipes, StreamValue) else list(pipes)
    blocks = [_get(state, p, traffic) for p in pipes]
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


def _element(result: Buffer, element: int) -> Any:
    from allo_air.frontend.indexing import Place

    return Place(result, (arith.constant(ir.IndexType.get(), element),))


def _slice(state: State, node: ast.AST, whole: Buffer, number: int, count: int, block: tuple[int, ...]) -> Buffer:
    """Part `number` of `count` along the first dimension; blocks without that dimension are its rows."""
    from allo_air.frontend.indexing import view

    if whole.shape == (count, *block):
        return view(state, whole, ast.Constant(number))
    size = whole.shape[0] // count
    if whole.shape[0] % count or (size, *whole.shape[1:]) != block:
        raise state.error(node, f"{counted(count, 'block')} of shape {block} do not make a tensor of shape {whole.shape}")
    return view(state, whole, ast.Slice(ast.Constant(number * size), ast.Constant((number + 1) * size)))


def scatter(state: State, node: ast.Call, traffic: Traffic) -> None:
    """One part of a tensor to each of several streams, in order."""
    whole = expression(state, node.args[0])
    pipes = expression(state, node.args[1])
    pipes = [pipes] if isinstance(pipes, StreamValue) else list(pipes)
    if not isinstance(whole, Buffer):
        raise state.error(node, f"scatter takes a tensor, found {describe(whole)}")
    for number, pipe in enumerate(pipes):
        shape = block_type(pipe.type)[1]
        _send(state, node, pipe, _slice(state, node, whole, number, len(pipes), shape), traffic)
