"""Which elements each shim channel moves, in order: from a control program by running it, and from a runtime sequence."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from allo_air.dialects._places import pairs
from allo_air.mlir import ir

Moves = dict[str, list[tuple[int, int]]]
"""Channel to (argument, element) in the order moved."""

ARITH: dict[str, Callable[..., int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divsi": lambda a, b: a // b,
    "remsi": lambda a, b: a % b,
    "minsi": min,
    "maxsi": max,
    "andi": lambda a, b: a & b,
}


def walk(offset: int, sizes: list[int], strides: list[int]) -> list[int]:
    return [offset + sum(i * s for i, s in zip(index, strides, strict=True)) for index in product(*map(range, sizes))]


class Host:
    """Runs the loops of an AIRRt control program one by one."""

    def __init__(self, function: Any) -> None:
        self.values: dict[Any, int] = {}
        self.moves: Moves = {}
        block = function.regions[0].blocks[0]
        self.arguments = list(block.arguments)
        self.block(block)

    def block(self, block: Any) -> None:
        for view in block.operations:
            op = view.operation
            if op.name.startswith("arith."):
                self.arith(op)
            elif op.name == "affine.apply":
                self.values[op.results[0]] = self.map(op.attributes["map"].value, [self.values[v] for v in op.operands])[0]
            elif op.name == "scf.for":
                low, up, step = (self.values[v] for v in list(op.operands)[:3])
                self.rounds(op, range(low, up, step))
            elif op.name == "affine.for":
                counts = list(op.attributes["operandSegmentSizes"])
                given = [self.values[v] for v in op.operands]
                low = max(self.map(op.attributes["lowerBoundMap"].value, given[: counts[0]]))
                up = min(self.map(op.attributes["upperBoundMap"].value, given[counts[0] :]))
                self.rounds(op, range(low, up, op.attributes["step"].value))
            elif op.name == "scf.if":
                blocks = op.regions[0 if self.values[op.operands[0]] else 1].blocks
                for inner in blocks:
                    self.block(inner)
            elif op.name == "airrt.dma_memcpy_nd":
                self.move(view)

    def rounds(self, op: Any, values: range) -> None:
        for i in values:
            self.values[op.regions[0].blocks[0].arguments[0]] = i
            self.block(op.regions[0].blocks[0])

    def arith(self, op: Any) -> None:
        name = op.name.split(".")[1]
        if name == "constant":
            self.values[op.results[0]] = int(op.attributes["value"].value)
            return
        given = [self.values[v] for v in op.operands]
        if name == "cmpi":
            a, b = given
            self.values[op.results[0]] = int([a == b, a != b, a < b, a <= b, a > b, a >= b][op.attributes["predicate"].value])
        elif name in ("index_cast", "extsi", "trunci"):
            self.values[op.results[0]] = given[0]
        else:
            self.values[op.results[0]] = ARITH[name](*given)

    def map(self, map_: Any, given: list[int]) -> list[int]:
        return [self.expression(e, given[: map_.n_dims], given[map_.n_dims :]) for e in map_.results]

    def expression(self, e: Any, dims: list[int], symbols: list[int]) -> int:
        if isinstance(e, ir.AffineConstantExpr):
            return e.value
        if isinstance(e, ir.AffineDimExpr):
            return dims[e.position]
        if isinstance(e, ir.AffineSymbolExpr):
            return symbols[e.position]
        a, b = self.expression(e.lhs, dims, symbols), self.expression(e.rhs, dims, symbols)
        if isinstance(e, ir.AffineAddExpr):
            return a + b
        return a * b if isinstance(e, ir.AffineMulExpr) else a // b if isinstance(e, ir.AffineFloorDivExpr) else a % b

    def move(self, view: Any) -> None:
        lists = [[self.values[getattr(view, f"{k}{i}")] for i in (3, 2, 1, 0)] for k in ("offset", "length", "stride")]
        offsets, sizes, strides = lists
        start = sum(o * s for o, s in zip(offsets, strides, strict=True))
        argument = self.arguments.index(view.memref)
        channel = view.operation.attributes["metadata"].value
        self.moves.setdefault(channel, []).extend((argument, e) for e in walk(start, sizes, strides))


def sequence_moves(sequence: Any) -> Moves:
    """What a runtime sequence moves, with the checks that the hardware does not do: four tasks a channel, tokens in order."""
    block = sequence.body.blocks[0]
    arguments = list(block.arguments)
    moves: Moves = {}
    queued: dict[str, list[Any]] = {}
    for view in block.operations:
        op = view.operation
        if op.name == "aiex.dma_start_task":
            configure = view.task.owner.opview
            bd = configure.body.blocks[0].operations[0]
            dims = pairs(bd.dimensions) if bd.dimensions is not None else [(bd.len, 1)]
            repeat = (configure.repeat_count or 0) + 1
            iterations = dims[0][0] if len(dims) == 4 else 1
            assert repeat % iterations == 0, "a BD's iteration ends where its task does"
            dims = [(repeat // iterations, 0), *dims]
            found = walk(bd.offset, [n for n, _ in dims], [s for _, s in dims])
            moves.setdefault(configure.alloc, []).extend((arguments.index(bd.buffer), e) for e in found)
            queued.setdefault(configure.alloc, []).append(view.task)
            assert len(queued[configure.alloc]) <= 4, "a channel's queue holds four tasks"
        elif op.name == "aiex.dma_await_task":
            configure = view.task.owner.opview
            assert configure.issue_token
            queue = queued[configure.alloc]
            tokens = [t for t in queue if t.owner.opview.issue_token]
            assert tokens[0] == view.task, "tokens come in the order of the tasks"
            queued[configure.alloc] = queue[queue.index(view.task) + 1 :]
        elif op.name == "aiex.npu.dma_memcpy_nd":
            start = sum(o * s for o, s in zip(view.static_offsets, view.static_strides, strict=True))
            found = walk(start, view.static_sizes, view.static_strides)
            moves.setdefault(view.metadata, []).extend((arguments.index(view.memref), e) for e in found)
    return moves


@pytest.fixture
def host() -> Callable[[Any], Moves]:
    """`host(module)`: what the module's one control program moves."""

    def run(module: Any) -> Moves:
        names = [o for o in module.operation.regions[0].blocks[0].operations if o.operation.name == "func.func"]
        [function] = [f for f in names if len(f.regions[0].blocks)]
        return Host(function.operation).moves

    return run


@pytest.fixture
def device() -> Callable[[Any], Moves]:
    """`device(module)`: what the module's one runtime sequence moves."""

    def run(module: Any) -> Moves:
        devices = [o for o in module.operation.regions[0].blocks[0].operations if o.operation.name == "aie.device"]
        [sequence] = [o for d in devices for o in d.block.operations if o.operation.name == "aie.runtime_sequence"]
        return sequence_moves(sequence)

    return run
