"""Decorators that build the body of an operation, and the blocks of DMA programs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from allo_air.aie.building.scope import users_lines
from allo_air.aie.building.values import wrapped
from allo_air.dialects import aie as _aie
from allo_air.mlir import ir


class Blocks:
    """The blocks of a region by number: `block[1]` is created at first use, and `with block[1]:` sets the insertion point
    there."""

    def __init__(self, region: ir.Region):
        self._region = region
        self._made: dict[int, Block] = {0: Block(region.blocks[0])}

    def __getitem__(self, number: int) -> Block:
        if number not in self._made:
            self._made[number] = Block(self._region.blocks.append())
        return self._made[number]


class Block:
    """A block: an operand for a successor, or an insertion point by `with`."""

    def __init__(self, block: ir.Block):
        self.block = block
        self._points: list[Any] = []

    def __enter__(self) -> Block:
        self._points.append(ir.InsertionPoint(self.block))
        self._points[-1].__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._points.pop().__exit__(*exception)


def block_of(op: Any, types: Sequence[object] = (), region: int = 0) -> Any:
    """The first block of an operation's region, created if the region is empty."""
    owner = op.body_region if isinstance(op, _aie.DeviceOp) else op.operation.regions[region]
    blocks = owner.blocks
    if len(blocks):
        return blocks[0]
    return blocks.append(*types, arg_locs=[ir.Location.unknown()] * len(types))


def body(make: Callable[..., object], end: Callable[[], object] | None = None, doc: str = "") -> Callable[..., Any]:
    """A decorator that builds the body of an operation with the decorated function; `end` builds a missing terminator."""

    def decorate(*args: object, **kwargs: object) -> Any:
        def fill(function: Callable[..., object]) -> Any:
            op = make(*args, **kwargs)
            fill_with(op, function, end)
            return op

        return fill

    decorate.__doc__, decorate.__module__ = doc, make.__module__
    return decorate


def fill_with(
    op: Any, function: Callable[..., object], end: Callable[[], object] | None, types: Sequence[ir.Type] = ()
) -> None:
    """Builds the body with `function`, which gets the block's arguments, and the blocks if it has one more parameter."""
    first = block_of(op, types)
    arguments = [wrapped(a) for a in first.arguments]
    parameters = inspect.signature(function).parameters.values()
    open_ended = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if not open_ended and sum(p.default is p.empty for p in parameters) == len(arguments) + 1:
        arguments = [Blocks(op.operation.regions[0]), *arguments]
    with users_lines(), ir.InsertionPoint(first):
        function(*arguments)
    if end is None:
        return
    for block in op.operation.regions[0].blocks:
        operations = block.operations
        if not len(operations) or not _ends(operations[-1]):
            with ir.InsertionPoint(block):
                end()


def _ends(op: ir.OpView) -> bool:
    return op.operation.name in ("aie.end", "aie.next_bd", "aie.dma_start", "cf.br", "cf.cond_br", "func.return", "scf.yield")


def has_end(block: ir.Block) -> bool:
    """Whether a block ends with a terminator."""
    operations = block.operations
    return bool(len(operations)) and _ends(operations[-1])
