"""Counted loops among blocks that branch to each other become scf.for, so that they are priced and compiled as loops."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.constants import constant_of
from allo_air.core.walking import ancestor_in, walk_named
from allo_air.mlir import AnyOp, cf, ir, scf
from allo_air.sim.cores.blocks import CountedLoop, counted, edges, end_of

_SIGNED_LESS = 2


def raise_loops(module: ir.Operation) -> None:
    """Rewrites the loops of all functions whose body is one block, the innermost first."""
    for function in walk_named(module, "func.func"):
        if len(function.regions[0].blocks) > 1:
            while _merge(function) or _raise(function):
                pass


def _merge(function: AnyOp) -> bool:
    """Appends one block to the only one that leads to it, by a branch without a condition; whether there was one."""
    blocks = _reachable(function)
    for block in blocks:
        end = end_of(block)
        if end.name != "cf.br":
            continue
        follower = blocks[blocks.index(end.successors[0])]
        if follower in (block, blocks[0]) or len(list(_entries(blocks, follower))) > 1:
            continue
        values = list(end.operands)
        end.erase()
        for argument, value in zip(follower.arguments, values, strict=True):
            argument.replace_all_uses_with(value)
        for op in list(follower.operations):
            block.append(op.operation)
        _abandon(follower)
        return True
    return False


def _raise(function: AnyOp) -> bool:
    """Rewrites one loop; whether there was one."""
    blocks = _reachable(function)
    for loop in counted(blocks).values():
        (inside, passed), (outside, _) = edges(end_of(loop.header))
        body, behind = blocks[blocks.index(inside)], blocks[blocks.index(outside)]
        if not (loop.back == end_of(body) and loop.back.name == "cf.br"):
            continue
        if len(list(_entries(blocks, body))) == 1 and _is_plain(loop, body):
            _rewrite(loop, body, passed, behind)
            return True
    return False


def _is_plain(loop: CountedLoop, body: ir.Block) -> bool:
    """Whether the header only compares, the step is a positive constant, and nothing behind the loop reads the counter."""
    *operations, end = (view.operation for view in loop.header.operations)
    compare = end.operands[0].owner.operation
    step = constant_of(loop.step)
    if not isinstance(step, int) or step <= 0 or compare.attributes["predicate"].value != _SIGNED_LESS:
        return False
    if any(op not in (compare,) and op.name != "arith.constant" for op in operations):
        return False
    owner = loop.bound.owner
    if owner in (loop.header, body) or (not isinstance(owner, ir.Block) and owner.operation.block == body):
        return False
    if len(list(compare.results[0].uses)) != 1:
        return False
    counter = loop.header.arguments[loop.place]
    return all(use.owner.operation == compare or ancestor_in(use.owner, body) is not None for use in counter.uses)


def _rewrite(loop: CountedLoop, body: ir.Block, passed: list[ir.Value], behind: ir.Block) -> None:
    header, place = loop.header, loop.place
    end = end_of(header)
    count = len(behind.arguments)
    compare = end.operands[0].owner.operation
    counter, arguments = header.arguments[place], [a for n, a in enumerate(header.arguments) if n != place]
    with ir.InsertionPoint(end), end.location:
        step = ir.Operation.create(
            "arith.constant", [counter.type], attributes={"value": ir.IntegerAttr.get(counter.type, constant_of(loop.step))}
        ).result
        for_op = scf.ForOp(counter, loop.bound, step, arguments)
    for argument, value in zip(body.arguments, passed, strict=True):
        argument.replace_all_uses_with(value)
    _replace_inside(counter, for_op.induction_variable, body)
    for old, inner, result in zip(arguments, for_op.inner_iter_args, for_op.results, strict=True):
        _replace_inside(old, inner, body)
        for use in list(old.uses):
            if use.owner.operation != for_op.operation:
                use.owner.operation.operands[use.operand_number] = result
    values = list(end.operands)[len(end.operands) - count :]
    carried = [v for n, v in enumerate(loop.back.operands) if n != place]
    for op in list(body.operations)[:-1]:
        for_op.body.append(op.operation)
    with ir.InsertionPoint(for_op.body), loop.back.location:
        scf.YieldOp(carried)
    _abandon(body)
    with ir.InsertionPoint(end), end.location:
        cf.BranchOp(values, behind)
    end.erase()
    compare.erase()


def _replace_inside(old: ir.Value, new: ir.Value, block: ir.Block) -> None:
    for use in list(old.uses):
        if ancestor_in(use.owner, block) is not None:
            use.owner.operation.operands[use.operand_number] = new


def _abandon(block: ir.Block) -> None:
    """Leaves a block that nothing leads to with a branch to itself; canonicalize removes it."""
    for op in list(block.operations):
        op.operation.erase()
    with ir.InsertionPoint(block), block.owner.location:
        cf.BranchOp(list(block.arguments), block)


def _reachable(function: AnyOp) -> list[ir.Block]:
    """The blocks that the first one leads to, in their order."""
    blocks = list(function.regions[0].blocks)
    reached, stack = {0}, [0]
    while stack:
        for follower, _ in edges(end_of(blocks[stack.pop()])):
            if (number := blocks.index(follower)) not in reached:
                reached.add(number)
                stack.append(number)
    return [blocks[number] for number in sorted(reached)]


def _entries(blocks: list[ir.Block], block: ir.Block) -> Iterator[AnyOp]:
    """The branches that lead to `block`, once for each way."""
    for other in blocks:
        for follower, _ in edges(end_of(other)):
            if follower == block:
                yield end_of(other)
