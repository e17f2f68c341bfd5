"""Moves operations out of an scf.for, in front of it and behind it, and rewires the tokens that the loop carries."""

from collections.abc import Iterator, Sequence
from typing import Any

from allo_air.core.walking import parents
from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import ir
from allo_air.passes._ir.dependences import ASYNC, Waits, dep_count, distinct, with_deps

_PURE = ("arith.", "affine.apply", "memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape")
_PURE_TOO = ("memref.transpose", "memref.reinterpret_cast")


def is_outside(value: Any, loop: Any) -> bool:
    """Whether `value` is there before `loop` runs."""
    owner = value.owner.owner if isinstance(value, ir.BlockArgument) else value.owner
    return owner.operation != loop and all(p != loop for p in parents(owner))


def invariant_slice(values: Sequence[Any], loop: Any) -> list[Any] | None:
    """The operations in `loop` that `values` come from, in order; None where an iteration may change one of them."""
    found: list[Any] = []
    for value in values:
        if is_outside(value, loop):
            continue
        if isinstance(value, ir.BlockArgument) or not value.owner.name.startswith(_PURE + _PURE_TOO):
            return None
        before = invariant_slice(list(value.owner.operands), loop)
        if before is None:
            return None
        found += [op for op in [*before, value.owner.operation] if op not in found]
    return found


def can_leave(loop: Any, front: list[Any], back: list[Any]) -> bool:
    """Whether tokens let `front`, which ends in a transfer, and `back`, which begins with one, run once, around `loop`.

    The transfer in `front` must wait for a token that the loop carries and that comes after the transfer in `back`.
    """
    first, last = _token(front[-1]), _token(back[0])
    if first is None and last is None:
        return not any(map(_deps, front + back))
    if any(_token(op) is None for op in front + back):
        return False
    waits = Waits()
    ends = _ends(loop, last, waits)
    entering = [_entering(op, loop, front) for op in front]
    if None in entering or not any(_argument(loop, n) in _reached(front[-1], waits) for n in ends):
        return False
    known = {last} | waits.reached_from(last)
    for n in ends:
        known |= waits.reached_from(_yielded(loop, n))
    late = [d for op in back for d in _deps(op)]
    return all(is_outside(d, loop) or d in known for d in late)


def leave_loop(loop: Any, front: list[Any], back: list[Any]) -> None:
    """Moves `front` before and `back` behind `loop`; `can_leave` must hold.

    What waited for a moved operation inside waits for what that waited for; the loop starts with the last of `front`, and what
    waited for the loop waits for the last of `back` that the loop's tokens waited for.
    """
    if _token(front[-1]) is None:
        for op in front:
            op.move_before(loop)
        for op in reversed(back):
            op.move_after(loop)
        return
    waits = Waits()
    ends = _ends(loop, _token(back[0]), waits)
    begins = [n for n in ends if _argument(loop, n) in _reached(front[-1], waits)]
    last = {
        n: len([op for op in back if _token(op) in {_yielded(loop, n)} | waits.reached_from(_yielded(loop, n))]) for n in ends
    }
    for op in front + back:
        _forward(_token(op), front + back)
    for n, op in enumerate(front):
        deps = _entering(op, loop, front[:n])
        op.move_before(loop)
        front[n] = with_deps(op, distinct(deps or []))
    for n in begins:
        loop.operands[3 + n] = _token(front[-1])
    results = [loop.results[n] for n in ends]
    uses = [[(use.owner, use.operand_number) for use in result.uses] for result in results]
    behind = loop
    moved: list[Any] = []
    for op in back:
        deps = [d for d in _deps(op) if is_outside(d, loop)]
        op.move_after(behind)
        behind = with_deps(op, distinct([*(map(_token, moved) if moved else results), *deps]))
        moved.append(behind)
    for n, users in zip(ends, uses, strict=True):
        for user, at in users:
            user.operands[at] = _token(moved[last[n] - 1])


def _forward(token: Any, moving: list[Any]) -> None:
    """Makes what uses `token`, but for the operations `moving`, wait for what its operation waits for."""
    while (user := next((use.owner for use in token.uses if use.owner.operation not in moving), None)) is not None:
        if user.name in ASYNC:
            with_deps(user, distinct(d for dep in _deps(user) for d in _expanded(dep, moving)))
            continue
        for at, value in enumerate(user.operands):
            if value == token:
                user.operands[at] = _joined(distinct(_expanded(token, moving)), user)


def _expanded(token: Any, moving: list[Any]) -> Iterator[Any]:
    """What `token` stands for when the operations `moving` are gone."""
    if isinstance(token, ir.BlockArgument) or token.owner.operation not in moving:
        yield token
        return
    for dep in _deps(token.owner):
        yield from _expanded(dep, moving)


def _joined(tokens: list[Any], user: Any) -> Any:
    if len(tokens) == 1:
        return tokens[0]
    return WaitAllOp(deps=tokens, token=True, loc=user.location, ip=ir.InsertionPoint(user)).token


def _ends(loop: Any, token: Any, waits: Waits) -> list[int]:
    """Which of the values that `loop` carries come after `token`."""
    values = [_yielded(loop, n) for n in range(len(loop.results))]
    return [n for n, v in enumerate(values) if v == token or token in waits.reached_from(v)]


def _entering(op: Any, loop: Any, front: list[Any]) -> list[Any] | None:
    """What `op` waits for in the first iteration, as tokens from before `loop`; None if that is something inside."""
    found: list[Any] = []
    todo = _deps(op)
    while todo:
        dep = todo.pop(0)
        if is_outside(dep, loop) or (isinstance(dep, ir.OpResult) and dep.owner.operation in front):
            found.append(dep)
        elif isinstance(dep, ir.BlockArgument) and dep.owner.owner.operation == loop:
            found.append(loop.operands[dep.arg_number + 2])
        elif isinstance(dep, ir.OpResult) and dep.owner.name == "air.wait_all":
            todo = _deps(dep.owner) + todo
        else:
            return None
    return found


def _reached(op: Any, waits: Waits) -> set[Any]:
    return waits.reached_from(_token(op))


def _argument(loop: Any, n: int) -> Any:
    return loop.regions[0].blocks[0].arguments[n + 1]


def _yielded(loop: Any, n: int) -> Any:
    operations = loop.regions[0].blocks[0].operations
    return operations[len(operations) - 1].operands[n]


def _token(op: Any) -> Any:
    """The token of `op`; None where it is not asynchronous."""
    return op.results[0] if op.name in ASYNC and len(op.results) else None


def _deps(op: Any) -> list[Any]:
    return list(op.operands)[: dep_count(op)] if op.name in ASYNC else []
