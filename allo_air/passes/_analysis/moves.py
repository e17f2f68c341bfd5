"""Kernels that only move elements in external memory: their transfers, and the attribute of their plan."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.access.dims import Dims
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import PLAN

MOVES, TURNS = "moves", "turns"
"""Entries of such a plan: for each stream its transfers, one after the other, and how L2 turns what they bring, if it does."""


@dataclass(frozen=True)
class Walk:
    """Elements of the function's argument `argument`: from `first` on by `dims`, each a size and a stride."""

    argument: int
    first: int
    dims: Dims

    @property
    def count(self) -> int:
        return prod(size for size, _ in self.dims)

    @property
    def numbers(self) -> list[int]:
        return [self.argument, self.first, *(n for dim in self.dims for n in dim)]

    @staticmethod
    def of(numbers: list[int]) -> Walk:
        argument, first, *rest = numbers
        return Walk(argument, first, tuple(zip(rest[::2], rest[1::2], strict=True)))


@dataclass(frozen=True)
class Transfer:
    """The elements of `source` go to `target`, both in their order.

    For a transposition, the elements of one `turn` come to a buffer in L2 at a time, and leave in the order of that walk.
    """

    source: Walk
    target: Walk
    turn: Dims = ()


Streams = tuple[tuple[Transfer, ...], ...]


def attribute(streams: Streams, why: str) -> ir.DictAttr:
    """The plan of a function that moves elements; `why` is for the user."""
    array = ir.DenseI64ArrayAttr.get
    found = [
        ir.ArrayAttr.get([array(w.numbers) for transfer in stream for w in (transfer.source, transfer.target)])
        for stream in streams
    ]
    turns = [array([n for dim in stream[0].turn for n in dim]) for stream in streams]
    more = {TURNS: ir.ArrayAttr.get(turns)} if any(stream[0].turn for stream in streams) else {}
    return ir.DictAttr.get({"chosen": ir.StringAttr.get(why), MOVES: ir.ArrayAttr.get(found), **more})


def moves_of(function: AnyOp) -> Streams | None:
    """The transfers in the plan of a function; None if it is another kind of plan."""
    plan = function.operation.attributes.get(PLAN)
    if plan is None or MOVES not in plan:
        return None
    turns = [list(numbers) for numbers in plan[TURNS]] if TURNS in plan else [list[int]()] * len(plan[MOVES])
    found = []
    for stream, numbers in zip(plan[MOVES], turns, strict=True):
        walks = [Walk.of(list(each)) for each in stream]
        turn = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        found.append(tuple(Transfer(a, b, turn) for a, b in zip(walks[::2], walks[1::2], strict=True)))
    return tuple(found)
