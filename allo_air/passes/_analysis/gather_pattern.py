"""Recognizes one-hot gathers: loops over a whole table that select one row by comparing each row's number with an index."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.access.linear import Linear
from allo_air.core.walking import defining_block, is_result_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, reductions

_CASTS = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui")


@dataclass(frozen=True)
class OneHotIndex:
    """One index of a gather: of the table's rows along `loop`, it selects the one with number `place - base`.

    `place` is a value of the body, `base` a value from outside.
    """

    loop: int
    place: Any
    base: Linear


@dataclass(frozen=True)
class OneHotGather:
    """A linalg.generic that gathers: the indices of `gather`, one for each reduction loop, select an element of operand
    `table`.

    `loops` are the loops on which an index depends.
    """

    op: Any
    table: int
    indices: tuple[OneHotIndex, ...]
    loops: tuple[int, ...]

    @property
    def rest(self) -> tuple[int, ...]:
        """The loops along the slice of the table that is copied as a whole."""
        used_loops = {p.loop for p in self.indices}
        return tuple(d for d in range(len(loop_extents(self.op))) if d not in used_loops and d not in self.loops)


def one_hot_gather_of(op: AnyOp) -> OneHotGather | None:
    """The gather that `op` computes; None for other operations."""
    if op.operation.name != "linalg.generic" or int(list(op.attributes["operandSegmentSizes"])[1]) != 1:
        return None
    [block] = op.regions[0].blocks
    arguments, result = list[Any](block.arguments), list[OneHotIndex]()
    value: Any = block.operations[-1].operands[0]
    while value not in arguments:
        owner = value.owner
        if owner.name != "arith.select" or owner.operands[2] != arguments[-1]:
            return None
        match = _index_comparison(owner.operands[0], block)
        if match is None:
            return None
        result.append(match)
        value = owner.operands[1]
    maps, reduces = indexing_maps(op), reductions(op.operation)
    if not result or sorted(p.loop for p in result) != [d for d, r in enumerate(reduces) if r] or value == arguments[-1]:
        return None
    table = arguments.index(value)
    if not all(isinstance(e, ir.AffineDimExpr) for n in (table, -1) for e in maps[n].results):
        return None
    results = [_made_of(p.place, block) for p in result]
    used = {n for numbers, _ in results for n in numbers}
    if used & {table, len(arguments) - 1} or not {p.loop for p in result} <= set(map(_loop, maps[table].results)):
        return None
    if not all(isinstance(e, ir.AffineDimExpr) for n in used for e in maps[n].results):
        return None
    loops = {_loop(e) for n in used for e in maps[n].results} | {d for _, loops in results for d in loops}
    if any(reduces[d] for d in loops):
        return None
    gather = OneHotGather(op, table, tuple(result), tuple(sorted(loops)))
    orders = [[d for d in map(_loop, maps[n].results) if d in gather.rest] for n in (table, -1)]
    return gather if orders[0] == orders[1] == sorted(gather.rest) else None


def _loop(expression: ir.AffineExpr) -> int:
    return int(ir.AffineDimExpr(expression).position)


def cycles(gather: OneHotGather, tile: list[int], parts: int, lanes: int) -> float:
    """Cycles of a core for a tile. Each index is compared in each part of the table, and each selected row is moved once."""
    places = prod(tile[d] for d in gather.loops)
    whole = prod(tile[d] for d in gather.rest)
    last = tile[gather.rest[-1]] if gather.rest else 1
    moved = whole / lanes * 3 if last >= lanes else whole * 4
    return places * (parts * 15 + moved + 10)


def _index_comparison(condition: ir.Value, block: ir.Block) -> OneHotIndex | None:
    """The index that `condition` compares with the number of a loop's iteration, for equality; None for other conditions."""
    if not is_result_of(condition, "arith.cmpi"):
        return None
    if condition.owner.attributes["predicate"].value != 0:
        return None
    for place, index in (tuple(condition.owner.operands), tuple(condition.owner.operands)[::-1]):
        loop = _index(index, block)
        if loop is not None:
            return OneHotIndex(loop[0], place, loop[1])
    return None


def _index(value: ir.Value, block: ir.Block) -> tuple[int, Linear] | None:
    """The loop and the base of `value`, if it is a `linalg.index` plus a value from outside; None for other values."""
    while is_result_of(value, *_CASTS):
        value = value.owner.operands[0]
    linear = IndexValues().value(value)
    inside = [(v, c) for v, c in linear.terms if not _is_outside(v, block)]
    if len(inside) != 1 or inside[0][1] != 1 or isinstance(inside[0][0], ir.BlockArgument):
        return None
    index = inside[0][0].owner
    if index.name != "linalg.index":
        return None
    base = Linear(linear.constant, tuple(term for term in linear.terms if term[0] != inside[0][0]))
    return int(index.attributes["dim"].value), base


def _is_outside(value: ir.Value, block: ir.Block) -> bool:
    return defining_block(value) != block


def _made_of(value: Any, block: ir.Block) -> tuple[set[int], set[int]]:
    """The block arguments and the loops on which `value` depends."""
    if isinstance(value, ir.BlockArgument):
        return ({list(block.arguments).index(value)} if value.owner == block else set()), set()
    owner = value.owner.operation
    if owner.block != block:
        return set(), set()
    if owner.name == "linalg.index":
        return set(), {int(owner.attributes["dim"].value)}
    parts = [_made_of(v, block) for v in owner.operands]
    return {n for numbers, _ in parts for n in numbers}, {d for _, loops in parts for d in loops}
