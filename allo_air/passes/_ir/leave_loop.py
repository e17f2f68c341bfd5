"""Moves operations out of an scf.for, before and after it, and rewires the tokens that the loop carries."""

from collections.abc import Iterator, Sequence

from allo_air.core.loops import Loop
from allo_air.core.walking import is_defined_in
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.dependences import Waits
from allo_air.passes._ir.tokens import deps_of, distinct, joined, token_of, with_deps

_PURE = ("arith.", "affine.apply", "memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape")
_PURE_TOO = ("memref.transpose", "memref.reinterpret_cast")


def is_outside(value: ir.Value, loop: AnyOp) -> bool:
    """Whether `value` is defined before `loop`."""
    return not is_defined_in(value, loop)


def invariant_slice(values: Sequence[ir.Value], loop: ir.Operation) -> list[ir.Operation] | None:
    """The operations in `loop` that `values` depend on, in order; None if an iteration may change one of them."""
    ops: list[ir.Operation] = []
    for value in values:
        if is_outside(value, loop):
            continue
        if isinstance(value, ir.BlockArgument) or not value.owner.name.startswith(_PURE + _PURE_TOO):
            return None
        before = invariant_slice(list(value.owner.operands), loop)
        if before is None:
            return None
        ops += [op for op in [*before, value.owner.operation] if op not in ops]
    return ops


def can_leave(loop: ir.Operation, front: list[ir.Operation], back: list[ir.Operation]) -> bool:
    """Whether tokens allow `front`, which ends in a transfer, and `back`, which begins with one, to run once, around `loop`.

    The transfer in `front` must wait for a token that the loop carries and that follows the transfer in `back`.
    """
    first, last = token_of(front[-1]), token_of(back[0])
    if first is None and last is None:
        return not any(map(deps_of, front + back))
    if any(token_of(op) is None for op in front + back):
        return False
    waits = Waits()
    ends = _positions_after(loop, last, waits)
    entering = [_entering(op, loop, front) for op in front]
    if None in entering or not any(Loop(loop).iter_args[n] in _reachable_tokens(front[-1], waits) for n in ends):
        return False
    waited = {last} | waits.reached_from(last)
    for n in ends:
        waited |= waits.reached_from(Loop(loop).yielded[n])
    back_deps = [d for op in back for d in deps_of(op)]
    return all(is_outside(d, loop) or d in waited for d in back_deps)


def leave_loop(loop: ir.Operation, front: list[ir.Operation], back: list[ir.Operation]) -> None:
    """Moves `front` before and `back` after `loop`; `can_leave` must be true.

    Users of a moved operation's token inside wait for what it waited for. The loop starts with the last of `front`. Users of
    the loop's token wait for the last of `back` that the loop's tokens waited for.
    """
    if token_of(front[-1]) is None:
        for op in front:
            op.move_before(loop)
        for op in reversed(back):
            op.move_after(loop)
        return
    waits = Waits()
    ends = _positions_after(loop, token_of(back[0]), waits)
    begins = [n for n in ends if Loop(loop).iter_args[n] in _reachable_tokens(front[-1], waits)]
    yielded = Loop(loop).yielded
    last = {n: len([op for op in back if token_of(op) in {yielded[n]} | waits.reached_from(yielded[n])]) for n in ends}
    for op in front + back:
        _forward(token_of(op), front + back)
    for n, op in enumerate(front):
        deps = _entering(op, loop, front[:n])
        op.move_before(loop)
        front[n] = with_deps(op, distinct(deps or []))
    for n in begins:
        loop.operands[3 + n] = token_of(front[-1])
    results = [loop.results[n] for n in ends]
    uses = [[(use.owner, use.operand_number) for use in result.uses] for result in results]
    previous = loop
    moved: list[ir.Operation] = []
    for op in back:
        deps = [d for d in deps_of(op) if is_outside(d, loop)]
        op.move_after(previous)
        previous = with_deps(op, distinct([*(map(token_of, moved) if moved else results), *deps]))
        moved.append(previous)
    for n, users in zip(ends, uses, strict=True):
        for user, number in users:
            user.operands[number] = token_of(moved[last[n] - 1])


def _forward(token: ir.Value, moving: list[ir.Operation]) -> None:
    """Makes users of `token`, except the operations `moving`, wait for what its operation waits for."""
    while (user := next((use.owner for use in token.uses if use.owner.operation not in moving), None)) is not None:
        if user.name in ASYNC:
            with_deps(user, distinct(d for dep in deps_of(user) for d in _expanded(dep, moving)))
            continue
        for number, value in enumerate(user.operands):
            if value == token:
                user.operands[number] = joined(distinct(_expanded(token, moving)), user)


def _expanded(token: ir.Value, moving: list[ir.Operation]) -> Iterator[ir.Value]:
    """The tokens that replace `token` when the operations `moving` are gone."""
    if isinstance(token, ir.BlockArgument) or token.owner.operation not in moving:
        yield token
        return
    for dep in deps_of(token.owner):
        yield from _expanded(dep, moving)


def _positions_after(loop: ir.Operation, token: ir.Value, waits: Waits) -> list[int]:
    """The positions of the loop-carried values that follow `token`."""
    return [n for n, v in enumerate(Loop(loop).yielded) if v == token or token in waits.reached_from(v)]


def _entering(op: ir.Operation, loop: ir.Operation, front: list[ir.Operation]) -> list[ir.Value] | None:
    """The dependences of `op` in the first iteration, as tokens from before `loop`; None if one is defined inside."""
    values: list[ir.Value] = []
    todo = deps_of(op)
    while todo:
        dep = todo.pop(0)
        if is_outside(dep, loop) or (isinstance(dep, ir.OpResult) and dep.owner.operation in front):
            values.append(dep)
        elif isinstance(dep, ir.BlockArgument) and dep.owner.owner.operation == loop:
            values.append(loop.operands[dep.arg_number + 2])
        elif isinstance(dep, ir.OpResult) and dep.owner.name == "air.wait_all":
            todo = deps_of(dep.owner) + todo
        else:
            return None
    return values


def _reachable_tokens(op: ir.Operation, waits: Waits) -> set[ir.Value]:
    return waits.reached_from(token_of(op))
