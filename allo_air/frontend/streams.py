"""What a core does with streams: chooses among them, puts and gets blocks, gathers and scatters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from allo_air.frontend import tensors
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.numbers import Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, value_of
from allo_air.frontend.traffic import Traffic
from allo_air.frontend.types import ScalarType, StreamType, TensorType
from allo_air.frontend.values import Buffer, StreamValue, allocate, memref_type
from allo_air.mlir import ir, memref


def block_type(kind: StreamType) -> tuple[ScalarType, tuple[int, ...]]:
    """Element type and shape of what a stream carries in L1: scalars fill words of 32 bits."""
    if isinstance(kind.element, TensorType):
        return kind.element.element, tuple(kind.element.shape)
    return kind.element, (max(1, 32 // kind.element.bits),)


def select(state: State, owner: StreamValue, at: ast.AST) -> Any:
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
    result = found[0] if not any(isinstance(n, ast.Slice) for n in nodes) else tuple(found)
    if state.shared.decisions is not None:
        state.shared.decisions.streams(state, owner, at, result)
    return result


def _product(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    import itertools

    return itertools.product(*choices)


def _positions(state: State, owner: StreamValue, node: ast.AST, size: int) -> list[int]:
    if isinstance(node, ast.Slice):
        bounds = [None if n is None else value_of(state, n) for n in (node.lower, node.upper, node.step)]
        if UNKNOWN in bounds:
            raise state.error(node, "the slice of an array of streams must be known when the kernel is compiled")
        return list(range(size))[slice(*bounds)]
    found = value_of(state, node)
    if found is UNKNOWN or not isinstance(found, int):
        raise state.error(
            node,
            f"'{ast.unparse(node)}' chooses among streams '{owner.symbol}' and must be known when the kernel is compiled: "
            "use the core's numbers, or the variable of allo.meta_for",
        )
    if not -size <= found < size:
        raise state.error(node, f"subscript {found} of a dimension of {size} streams '{owner.symbol}'")
    return [found % size]


def transfer(state: State, node: ast.Call, owner: StreamValue, name: str, traffic: Traffic) -> Any:
    """`put(x)` or `get()` of a stream."""
    if owner.type.array:
        raise state.error(node, f"'{owner.symbol}' is an array of streams; choose one by its subscripts")
    if name == "put" and len(node.args) == 1:
        _put(state, node, owner, expression(state, node.args[0]), traffic)
        return None
    if name == "get" and not node.args:
        return _get(state, owner, traffic)
    raise state.error(node, f"a stream has put(x) and get(), found '{name}' with {len(node.args)} arguments")


def _put(state: State, node: ast.AST, owner: StreamValue, found: Any, traffic: Traffic) -> None:
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
    traffic.put(state, owner.symbol, block)
    if block is not found:
        memref.DeallocOp(block.value)


def _get(state: State, owner: StreamValue, traffic: Traffic) -> Any:
    from allo_air.mlir import arith

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


def scatter(state: State, node: ast.Call, traffic: Traffic) -> None:
    """One part of a tensor to each of several streams, in order."""
    whole = expression(state, node.args[0])
    pipes = expression(state, node.args[1])
    pipes = [pipes] if isinstance(pipes, StreamValue) else list(pipes)
    if not isinstance(whole, Buffer):
        raise state.error(node, f"a tensor is scattered, found {describe(whole)}")
    for number, pipe in enumerate(pipes):
        shape = block_type(pipe.type)[1]
        _put(state, node, pipe, _slice(state, node, whole, number, len(pipes), shape), traffic)
