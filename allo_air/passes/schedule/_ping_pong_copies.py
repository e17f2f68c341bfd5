"""Overlaps two copies of an iteration in a loop's body by four tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop, for_around
from allo_air.core.walking import ancestor_in, body_of, is_unused, walk_post_order
from allo_air.dialects.air_values import ASYNC, is_join, is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._ir.tokens import deps_of, joined, token_of, without_joins
from allo_air.passes.schedule._carried_token import with_token
from allo_air.passes.schedule._ping_pong_unroll import ITERATION
from allo_air.passes.schedule._ping_pong_waiting import add_waits, join

MARKS = (ITERATION, "async_front", "async_back")


@dataclass
class _Copy:
    """The asynchronous operations of one copy, without `air.wait_all` and allocations, by their position."""

    fronts: list[int]
    """Operations that do not wait for any other operation of the copy."""
    firsts: list[int]
    """Operations that wait only for fronts."""
    backs: list[int]
    """Operations for which no other operation of the copy waits."""


def has_copies(loop: AnyOp) -> bool:
    """Whether the body of `loop` consists of two copies of an iteration that contains asynchronous work."""
    numbered = [o for o in body_of(loop) if ITERATION in o.attributes]
    asynchronous = any(o.name in ASYNC and token_of(o) is not None for o in numbered)
    return asynchronous and {o.attributes[ITERATION].value for o in numbered} == {0, 1}


def overlap(loop: AnyOp) -> None:
    """Rewrites `loop`, whose body is two copies, so that it carries the four tokens of
    `air-construct-ping-pong-dependency-pattern`.
    """
    loop = with_token(loop)
    ops: list[AnyOp] = [*body_of(loop)[:-1]]
    copies = [_copy(ops, number) for number in (0, 1)]
    for left, second in (copies, copies[::-1]):
        _check(ops, left, second)
    start, middle = ir.InsertionPoint(ops[0]), next(n for n, o in enumerate(ops) if _number(o) == 1)
    void = joined([], start, loop.location)  # a placeholder for dropped dependences
    _forget_other_copy(ops, void)
    new, (ping, pong, work, fill) = _carrying_four(loop, void)
    first = [fill, ping]
    for number, copy in enumerate(copies):
        for n, op in enumerate(ops):
            if _number(op) == number:
                tokens = first if n in copy.fronts else [work] if n in copy.firsts else []
                ops[n] = add_waits(op, tokens, void)
        work = _joined(ops, copy.backs, ir.InsertionPoint(ops[middle] if number == 0 else body_of(new)[-1]))
        if number == 0:
            ping, first = work, [*(token_of(ops[n]) for n in reversed(copy.fronts)), pong, work]
    fill = _joined(ops, copies[1].fronts, ir.InsertionPoint(body_of(new)[-1]))
    end = body_of(new)[-1]
    carried_values = [v for v in end.operands if not is_token(v)]
    scf.YieldOp([*carried_values, ping, work, work, fill], ip=ir.InsertionPoint(end), loc=end.location)
    end.erase()
    if is_unused(void):
        void.owner.erase()
    for op in body_of(new):
        for mark in MARKS:
            if mark in op.attributes:
                del op.attributes[mark]


def _number(op: AnyOp) -> int | None:
    return int(op.attributes[ITERATION].value) if ITERATION in op.attributes else None


def _copy(ops: Sequence[AnyOp], number: int) -> _Copy:
    work = {n: op for n, op in enumerate(ops) if _number(op) == number and _is_work(op)}
    places = {token_of(op): n for n, op in work.items()}
    waits = {n: {places[t] for t in _awaited(op) if places.get(t, n) != n} for n, op in work.items()}
    fronts = [n for n, item in waits.items() if not item]
    firsts = [n for n, item in waits.items() if item and item <= set(fronts)]
    return _Copy(fronts, firsts, [n for n in work if not any(n in value for value in waits.values())])


def _is_work(op: AnyOp) -> bool:
    inside = body_of(op) if op.name == "air.execute" else []
    return token_of(op) is not None and not is_join(op) and not (inside and inside[0].name == "memref.alloc")


def _awaited(op: AnyOp) -> list[Any]:
    """The tokens for which `op`, or an operation in it, waits."""
    return without_joins(t for o in walk_post_order(op) for t in deps_of(o))


def _check(ops: Sequence[AnyOp], first: _Copy, second: _Copy) -> None:
    """Raises an error if a front uses a buffer of the other copy, since nothing would order them."""
    other_accesses = [a for n in {*second.fronts, *second.firsts, *second.backs} for a in accesses(ops[n])]
    for n in first.fronts:
        for access in accesses(ops[n]):
            if any(access.root == a.root and {access.kind, a.kind} != {"read"} for a in other_accesses):
                raise error_at(
                    ops[n],
                    "uses a buffer that the other copy of the iteration uses, too, so that they cannot overlap; mark its"
                    " allocation hoist_alloc before air-unroll-loop-for-pipelining-pattern",
                )


def _forget_other_copy(ops: Sequence[AnyOp], void: ir.Value) -> None:
    """Makes the second copy wait for `void` where it waited for the first."""
    block = ops[0].operation.block
    for op in ops:
        for token in (r for r in op.results if _number(op) == 0 and is_token(r)):
            for use in list(token.uses):
                if _number(ancestor_in(use.owner, block)) == 1:
                    use.owner.operands[use.operand_number] = void


def _carrying_four(loop: AnyOp, void: object) -> tuple[Any, list[Any]]:
    """A loop that carries four tokens instead of those of `loop`, which `void` replaces; and the four tokens in its body."""
    view = Loop(loop)
    start = join([v for v in view.inits if is_token(v)], ir.InsertionPoint(loop), loop.location)
    inits = [*(v for v in view.inits if not is_token(v)), *[start] * 4]
    block, tokens = view.block, [a for a in view.iter_args if is_token(a)]
    with ir.InsertionPoint(loop), loop.location:
        new = for_around(block, list(loop.operands)[:3], inits, dict(loop.attributes.items()))
    carried = [block.add_argument(start.type, loop.location) for _ in range(4)]
    for argument in reversed(tokens):
        argument.replace_all_uses_with(void)
        block.erase_argument(argument.arg_number)
    ping, pong = list(new.results)[-4:-2]
    end = join([ping, pong], ir.InsertionPoint.after(new), loop.location)
    values = iter(new.results)
    for result in loop.results:
        result.replace_all_uses_with(end if is_token(result) else next(values))
    loop.erase()
    return new, carried


def _joined(ops: Sequence[AnyOp], places: Sequence[int], ip: ir.InsertionPoint) -> Any:
    return join([token_of(ops[n]) for n in places], ip, ops[0].location)
