"""Raises counted loops and branches of the cf dialect to scf.for, scf.if and scf.index_switch, which the time model prices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from allo_air.core.constants import constant_of
from allo_air.core.walking import ancestor_in, defining_block, walk_named
from allo_air.mlir import AnyOp, arith, cf, ir, scf
from allo_air.sim.cores.blocks import CountedLoop, counted, edges, end_of


def raise_loops(module: ir.Operation) -> None:
    """Raises loops with a body of one block and branches with paths of at most one block in all functions, innermost first."""
    for function in walk_named(module, "func.func"):
        raise_blocks(function)


def raise_blocks(function: AnyOp) -> None:
    """Like `raise_loops`, for one function or core."""
    if len(function.regions[0].blocks) > 1:
        while any(rewrite(_Graph(function)) for rewrite in (_forward, _merge, _raise, _branch)):
            pass


class _Graph:
    """The reachable blocks of a function, in order, with their numbers of predecessors."""

    def __init__(self, function: AnyOp) -> None:
        blocks = list(function.regions[0].blocks)
        self._same = {block: block for block in blocks}
        self.entries = Counter[ir.Block]()
        reached, stack = {blocks[0]}, [blocks[0]]
        while stack:
            for follower in map(self.block, end_of(stack.pop()).successors):
                self.entries[follower] += 1
                if follower not in reached:
                    reached.add(follower)
                    stack.append(follower)
        self.blocks = [block for block in blocks if block in reached]
        self.unreachable = set[ir.Block]()

    def block(self, successor: ir.Block) -> ir.Block:
        """The same block, which stays valid when the branch that names it is erased."""
        return self._same[successor]


def _forward(graph: _Graph) -> bool:
    """Replaces the arguments of blocks with one predecessor by the passed values; returns whether one had a use."""
    changed = False
    for block in graph.blocks:
        for successor, values in edges(end_of(block)):
            follower = graph.block(successor)
            if graph.entries[follower] > 1:
                continue
            for argument, value in zip(follower.arguments, values, strict=True):
                changed |= any(True for _ in argument.uses)
                argument.replace_all_uses_with(value)
    return changed


def _merge(graph: _Graph) -> bool:
    """Merges blocks into their only predecessor, if that ends in an unconditional branch; returns whether it changed any."""
    changed = False
    for block in graph.blocks:
        while block not in graph.unreachable and (end := end_of(block)).name == "cf.br":
            follower = graph.block(end.successors[0])
            if follower in (block, graph.blocks[0]) or graph.entries[follower] > 1:
                break
            changed = True
            values = list(end.operands)
            end.erase()
            for argument, value in zip(follower.arguments, values, strict=True):
                argument.replace_all_uses_with(value)
            for op in list(follower.operations):
                block.append(op.operation)
            _make_unreachable(follower)
            graph.unreachable.add(follower)
    return changed


def _raise(graph: _Graph) -> bool:
    """Raises one loop; returns whether there was one."""
    for loop in counted(graph.blocks).values():
        (inside, passed), (outside, _) = [(graph.block(block), values) for block, values in edges(end_of(loop.header))]
        if loop.back == end_of(inside) and graph.entries[inside] == 1 and _is_plain(loop, inside):
            _rewrite(loop, inside, passed, outside)
            return True
    return False


def _branch(graph: _Graph) -> bool:
    """Raises branches whose paths join, directly or after one block each; returns whether there was one."""
    changed = False
    for block in graph.blocks:
        if block in graph.unreachable or len((end := end_of(block)).successors) < 2:
            continue
        paths = [_path(graph, graph.block(follower), passed) for follower, passed in edges(end)]
        if all(path.join == paths[0].join for path in paths):
            _rewrite_branch(end, paths)
            graph.entries[paths[0].join] -= len(paths) - 1
            graph.unreachable |= {path.arm for path in paths if path.arm is not None}
            changed = True
    return changed


@dataclass(frozen=True)
class _Path:
    """A path from a branch to block `join`: through block `arm`, or directly if it is None. The branch passes `passed`."""

    arm: ir.Block | None
    passed: list[ir.Value]
    join: ir.Block

    def values(self) -> list[ir.Value]:
        """The values that `join` receives on this path."""
        return self.passed if self.arm is None else list(end_of(self.arm).operands)


def _path(graph: _Graph, follower: ir.Block, passed: list[ir.Value]) -> _Path:
    end = end_of(follower)
    if end.name == "cf.br" and graph.entries[follower] == 1:
        return _Path(follower, passed, graph.block(end.successors[0]))
    return _Path(None, passed, follower)


def _rewrite_branch(end: AnyOp, paths: list[_Path]) -> None:
    """Replaces `end` by an operation with a region for each path. Its results are the values that differ between paths."""
    for path in paths:
        if path.arm is not None:
            for argument, value in zip(path.arm.arguments, path.passed, strict=True):
                argument.replace_all_uses_with(value)
    values = [path.values() for path in paths]
    differing = [n for n, first in enumerate(values[0]) if any(other[n] != first for other in values)]
    types = [values[0][n].type for n in differing]
    with ir.InsertionPoint(end), end.location:
        if end.name == "cf.cond_br":
            op = ir.Operation.create("scf.if", types, [end.operands[0]], regions=2)
        else:
            cases = {"cases": ir.DenseI64ArrayAttr.get(list(end.attributes["case_values"]))}
            flag = arith.index_cast(ir.IndexType.get(), end.operands[0])
            op = ir.Operation.create("scf.index_switch", types, [flag], attributes=cases, regions=len(paths))
        results = dict(zip(differing, op.results, strict=True))
        cf.BranchOp([results.get(n, value) for n, value in enumerate(values[0])], paths[0].join)
    for region, path, passed in zip(op.regions, paths, values, strict=True):
        block = region.blocks.append()
        if path.arm is not None:
            for inner in list(path.arm.operations)[:-1]:
                block.append(inner.operation)
            _make_unreachable(path.arm)
        with ir.InsertionPoint(block), end.location:
            scf.YieldOp([passed[n] for n in differing])
    end.erase()


def _is_plain(loop: CountedLoop, body: ir.Block) -> bool:
    """Whether the header only compares (signed), the step is a positive constant, and only the loop reads the counter."""
    *operations, end = (view.operation for view in loop.header.operations)
    compare = end.operands[0].owner.operation
    step = constant_of(loop.step)
    if not isinstance(step, int) or step <= 0 or not loop.signed:
        return False
    if any(op not in (compare,) and op.name != "arith.constant" for op in operations):
        return False
    bound = loop.bound
    if defining_block(bound) == body or (isinstance(bound, ir.BlockArgument) and bound.owner == loop.header):
        return False
    if len(list(compare.results[0].uses)) != 1:
        return False
    counter = loop.header.arguments[loop.place]
    passed = range(1, 1 + len(body.arguments))  # the operands of `end` for the body
    return all(
        use.owner.operation == compare
        or ancestor_in(use.owner, body) is not None
        or (use.owner.operation == end and use.operand_number in passed)
        for use in counter.uses
    )


def _rewrite(loop: CountedLoop, body: ir.Block, passed: list[ir.Value], exit_block: ir.Block) -> None:
    header, place = loop.header, loop.place
    end = end_of(header)
    count = len(exit_block.arguments)
    compare = end.operands[0].owner.operation
    counter, arguments = header.arguments[place], [a for n, a in enumerate(header.arguments) if n != place]
    with ir.InsertionPoint(end), end.location:
        step = arith.constant(counter.type, ir.IntegerAttr.get(counter.type, constant_of(loop.step)))
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
    _make_unreachable(body)
    with ir.InsertionPoint(end), end.location:
        cf.BranchOp(values, exit_block)
    end.erase()
    compare.erase()


def _replace_inside(old: ir.Value, new: ir.Value, block: ir.Block) -> None:
    for use in list(old.uses):
        if ancestor_in(use.owner, block) is not None:
            use.owner.operation.operands[use.operand_number] = new


def _make_unreachable(block: ir.Block) -> None:
    """Replaces the operations of a block without predecessors by a branch to itself; canonicalize removes the block."""
    for op in list(block.operations):
        op.operation.erase()
    with ir.InsertionPoint(block), block.owner.location:
        cf.BranchOp(list(block.arguments), block)
