"""Writes planned dependences as tokens: operations become asynchronous, and loops and branches pass tokens on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from allo_air.dialects.air import ExecuteOp, ExecuteTerminatorOp, IfOp, WaitAllOp, YieldOp
from allo_air.dialects.operands import SEGMENTS
from allo_air.mlir import ir
from allo_air.passes._ir.tokens import combine_joined, deps_of, with_deps
from allo_air.passes.schedule._tasks import Scope, Task


def write(scope: Scope) -> None:
    """Makes the tasks of `scope` asynchronous, with their planned dependences."""
    for task in scope.tasks:
        if task.blocking:
            _wait_for(task.blocking, task.op)
        _WRITERS[task.kind](task)
    last = list(scope.block.operations)[-1].operation if len(scope.block.operations) else None
    if last is not None and (waited := [*(scope.joined if scope.waits else []), *scope.blocking]):
        _wait_for(waited, last)


def _execute(task: Task) -> None:
    """Moves the operation into an `air.execute` that yields its results."""
    op = task.op
    with ir.InsertionPoint(op), op.location:
        execute = ExecuteOp(deps=_tokens(task.deps), values=[v.type for v in op.results])
    block = execute.regions[0].blocks.append()
    for inner, outer in zip(op.results, list(execute.results)[1:], strict=True):
        inner.replace_all_uses_with(outer)
    block.append(op)
    with ir.InsertionPoint(block), op.location:
        ExecuteTerminatorOp(values=list(op.results))
    task.token = execute.results[0]


def _asynchronous(task: Task) -> None:
    """Gives a transfer, a hierarchy or an `air.wait_all` its dependences, and a token if it has none."""
    op = task.op
    value = deps_of(op)
    deps = list(dict.fromkeys([*value, *_tokens(task.deps)]))
    new = op
    if not task.was_async:
        new = _with_token(op, deps, len(value))
    elif deps != value:
        new = with_deps(op, deps)
    task.op, task.token = new, new.results[0]
    _adopt(task)
    for scope in task.scopes:
        write(scope)


def _with_token(op: ir.Operation, deps: list[ir.Value], value: int) -> ir.Operation:
    """Replaces the synchronous `op`, which waited for `value` tokens, by the same operation with a token."""
    attributes = dict(op.attributes.items())
    if SEGMENTS in attributes:
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([len(deps), *list(attributes[SEGMENTS])[1:]], op.context)
    operands = [*deps, *list(op.operands)[value:]]
    return _rebuilt(op, operands, [_token_type()], attributes)


def _for(task: Task) -> None:
    [scope] = task.scopes
    if not task.has_token:
        write(scope)
        return
    init = _carrying(task)
    assert scope.carried is not None
    scope.carried.token = scope.block.add_argument(init.type, task.op.location)
    write(scope)
    _yield_joined(scope.block, _tokens(scope.joined))


def _parallel(task: Task) -> None:
    [scope] = task.scopes
    if task.has_token:
        _start_after(task, _carrying(task))
    write(scope)
    if task.has_token:
        _reduce_joined(scope.block, _tokens(scope.joined))


def _carrying(task: Task) -> ir.Value:
    """Gives the loop of `task` an initial token, the join of its dependences, and a token as its last result; returns the
    initial one.
    """
    op = task.op
    with ir.InsertionPoint(op), op.location:
        init: ir.Value = WaitAllOp(deps=_tokens(task.deps), token=True).token
    attributes = dict(op.attributes.items())
    if SEGMENTS in attributes:
        *bounds, carried = list(attributes[SEGMENTS])
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([*bounds, carried + 1], op.context)
    task.op = _rebuilt(op, [*op.operands, init], [*(v.type for v in op.results), init.type], attributes)
    _adopt(task)
    task.token = list(task.op.results)[-1]
    return init


def _start_after(task: Task, token: ir.Value) -> None:
    """Makes the contents of `task` start after `token`."""
    for scope in task.scopes:
        if scope.carried is not None:
            scope.carried.token = token


def _branch(task: Task) -> None:
    if not task.has_token:
        for scope in task.scopes:
            write(scope)
        return
    op = task.op
    with ir.InsertionPoint(op), op.location:
        start = WaitAllOp(deps=_tokens(task.deps), token=True).token
    types = [*(v.type for v in op.results), _token_type()]
    if op.name == "air.affine_if":
        new = _rebuilt_if(op, types)
    else:
        regions = max(2, len(op.regions)) if op.name.endswith("if") else len(op.regions)
        new = _rebuilt(op, list(op.operands), types, dict(op.attributes.items()), regions)
    task.op = new
    _adopt(task)
    _start_after(task, start)
    for scope in task.scopes:
        write(scope)
        _yield_joined(scope.block, _tokens(scope.joined))
    for region in new.regions:
        if not len(region.blocks):
            block = region.blocks.append()
            name = {"scf.if": "scf.yield", "affine.if": "affine.yield", "air.affine_if": "air.affine_yield"}[new.name]
            _create_terminator(name, [], block, new.location)
            _yield_joined(block, [start])
    task.token = list(new.results)[-1]


def _fence(task: Task) -> None:
    """Makes an operation that cannot carry tokens blocking: waits for its dependences are inserted before it, and a wait for
    its body at the end.
    """
    if task.deps:
        _wait_for(task.deps, task.op)
    for scope in task.scopes:
        write(scope)


_WRITERS = {
    "execute": _execute,
    "async": _asynchronous,
    "for": _for,
    "parallel": _parallel,
    "branch": _branch,
    "fence": _fence,
}


def _wait_for(tasks: Iterable[Task], before: ir.Operation) -> None:
    with ir.InsertionPoint(before), before.location:
        WaitAllOp(deps=_tokens(tasks))


def _tokens(tasks: Iterable[Task]) -> list[ir.Value]:
    return list(dict.fromkeys(t.token for t in tasks))


def _token_type() -> ir.Type:
    return ir.Type.parse("!air.async.token")


def _rebuilt(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    types: list[ir.Type],
    attributes: dict[str, ir.Attribute],
    regions: int | None = None,
) -> ir.Operation:
    """Replaces `op` by one with other operands and more results, its regions moved over; `op` is left empty, to be erased."""
    count = len(op.regions) if regions is None else regions
    new = ir.Operation.create(
        op.name, types, list(operands), attributes, regions=count, loc=op.location, ip=ir.InsertionPoint(op)
    )
    return _move_regions(op, new)


def _rebuilt_if(op: ir.Operation, types: list[ir.Type]) -> ir.Operation:
    view = op.opview
    rest = {n: a for n, a in op.attributes.items() if n not in ("condition", "dims", SEGMENTS, "resultSegmentSizes")}
    with ir.InsertionPoint(op), op.location:
        new = IfOp(args=list(view.args), values=types, condition=view.condition, dims=view.dims, attributes=rest)
    return _move_regions(op, new.operation)


def _move_regions(op: ir.Operation, new: ir.Operation) -> ir.Operation:
    for old_region, new_region in zip(op.regions, new.regions, strict=False):
        for block in list(old_region.blocks):
            block.append_to(new_region)
    for old, value in zip(op.results, new.results, strict=False):
        old.replace_all_uses_with(value)
    op.erase()
    return new


def _adopt(task: Task) -> None:
    """Finds the blocks of the scopes again after operations were rebuilt, since Python's block objects become invalid."""
    blocks = [block for region in task.op.regions for block in region.blocks]
    for scope, block in zip(task.scopes, blocks, strict=bool(task.scopes)):
        scope.block = block


def _yield_joined(block: ir.Block, tokens: list[ir.Value]) -> None:
    """Adds a token to the operands that `block` yields: a join of `tokens`."""
    last = list(block.operations)[-1].operation
    with ir.InsertionPoint(last), last.location:
        joined = WaitAllOp(deps=tokens, token=True).token
    _terminate(block, [*last.operands, joined], last.name)


def _reduce_joined(block: ir.Block, tokens: list[ir.Value]) -> None:
    """Joins the `tokens` of all iterations of an scf.parallel by an additional reduction."""
    last = list(block.operations)[-1].operation
    with ir.InsertionPoint(last), last.location:
        joined = WaitAllOp(deps=tokens, token=True).token
    new = ir.Operation.create(
        "scf.reduce",
        [],
        [*last.operands, joined],
        dict(last.attributes.items()),
        regions=len(last.regions) + 1,
        loc=last.location,
        ip=ir.InsertionPoint(last),
    )
    combine_joined(list(_move_regions(last, new).regions)[-1], joined)


def _terminate(block: ir.Block, values: list[ir.Value], name: str) -> None:
    """Replaces the terminator of `block` by one of the same kind with `values`."""
    last = list(block.operations)[-1].operation
    location = last.location
    last.erase()
    _create_terminator(name, values, block, location)


def _create_terminator(name: str, values: list[ir.Value], block: ir.Block, location: ir.Location) -> None:
    with ir.InsertionPoint(block), location:
        if name == "air.affine_yield":
            YieldOp(values=values)
        else:
            ir.Operation.create(name, [], values)
