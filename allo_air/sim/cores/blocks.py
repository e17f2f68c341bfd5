"""Counted loops among blocks that branch to each other, as `aie-scf-to-control-flow` leaves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_block, defining_op
from allo_air.mlir import AnyOp, ir

_SIGNED_LESS, _LESS = 2, 6
"""The predicates slt and ult of arith.cmpi."""


@dataclass(frozen=True)
class CountedLoop:
    """A loop: `header` compares its argument number `place` with `bound`, and branches to the body or to the exit.

    The branch `back` has no condition and returns to the header with the argument increased by `step`. Bound and step are
    constants, or defined before the loop.
    """

    header: ir.Block
    place: int
    bound: ir.Value
    step: ir.Value
    back: AnyOp
    signed: bool

    def trips(self, first: int, number: Callable[[ir.Value], int | None]) -> int | None:
        """The number of iterations from `first` on; None if a value is not known or does not increase."""
        bound, step = number(self.bound), number(self.step)
        if bound is None or step is None or step <= 0 or (not self.signed and min(first, bound) < 0):
            return None
        return max(0, -(-(bound - first) // step))


def counted(blocks: list[ir.Block]) -> dict[int, CountedLoop]:
    """The counted loops among the blocks of a function, by the index of their header in `blocks`."""
    tests = {number: test for number, block in enumerate(blocks) if (test := _test(block)) is not None}
    backs: dict[int, list[tuple[AnyOp, ir.Value]]] = {number: [] for number in tests}
    for block in blocks:
        end = end_of(block)
        for successor, values in edges(end):
            number = blocks.index(successor)
            if number in tests:
                place = tests[number].place
                backs[number] += [(end, step) for step in _increase(values[place], successor.arguments[place])]
    return {
        number: CountedLoop(blocks[number], test.place, test.bound, step, back, test.signed)
        for number, test in tests.items()
        if len(backs[number]) == 1
        for back, step in backs[number]
        if back.name == "cf.br" and _stays(step, blocks[:1]) and _stays(test.bound, [b for b in blocks if b != blocks[number]])
    }


def _stays(value: ir.Value, blocks: list[ir.Block]) -> bool:
    """Whether `value` is a constant or defined in one of `blocks`."""
    return constant_of(value) is not None or defining_block(value) in blocks


def end_of(block: ir.Block) -> AnyOp:
    """The terminator of a block."""
    return block.operations[len(block.operations) - 1].operation


def edges(end: AnyOp) -> Iterator[tuple[ir.Block, list[ir.Value]]]:
    """The successors of a branch, each with the values passed to it; none for other terminators."""
    operands, successors = list(end.operands), list(end.successors)
    if end.name == "cf.br":
        yield successors[0], operands
    elif end.name == "cf.cond_br":
        middle = 1 + end.attributes["operandSegmentSizes"][1]
        yield successors[0], operands[1:middle]
        yield successors[1], operands[middle:]
    elif end.name == "cf.switch":
        counts = [end.attributes["operandSegmentSizes"][1], *end.attributes["case_operand_segments"]]
        first = 1
        for successor, count in zip(successors, counts, strict=True):
            yield successor, operands[first : first + count]
            first += count


class _Test(NamedTuple):
    """The comparison by which a loop header branches: its argument number `place` is less than `bound`, signed or unsigned."""

    place: int
    bound: ir.Value
    signed: bool


def _test(block: ir.Block) -> _Test | None:
    """The comparison by which `block` branches; None if its terminator is another."""
    end = end_of(block)
    compare = defining_op(end.operands[0], "arith.cmpi") if end.name == "cf.cond_br" else None
    if compare is None or (predicate := compare.attributes["predicate"].value) not in (_SIGNED_LESS, _LESS):
        return None
    left, right = compare.operands
    if not isinstance(left, ir.BlockArgument) or left.owner != block:
        return None
    return _Test(ir.BlockArgument(left).arg_number, right, predicate == _SIGNED_LESS)


def _increase(value: ir.Value, counter: ir.Value) -> list[ir.Value]:
    """The other summands if `value` is a sum of `counter`: one, or none for other values."""
    add = defining_op(value, "arith.addi")
    if add is None:
        return []
    left, right = add.operands
    return [right] if left == counter else [left] if right == counter else []
