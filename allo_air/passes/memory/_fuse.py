"""Fuses the loop nests around buffers into one loop, which then allocates the buffers and needs only a part of them at a
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.loops import Dim
from allo_air.core.walking import is_unused, walk_post_order
from allo_air.dialects.air_values import ASYNC, is_join, is_token
from allo_air.mlir import AnyOp, affine, arith, ir, scf
from allo_air.passes._ir.tokens import add_deps, deps_of, distinct, joined, token_of, with_deps, without_joins
from allo_air.passes.memory._groups import Group, find_groups
from allo_air.passes.memory._plan import Part, Plan


def fuse_nests(root: AnyOp, module: AnyOp, scope: str) -> None:
    """Fuses the nests around the L2 buffers in `root`. Buffers whose loops have the same bounds share one loop."""
    while groups := find_groups(root, module, scope):
        Fusion(groups[0]).run()


class Fusion:
    """Builds the loop of one group and erases the old nests."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.plans = group.plans
        self.parts = [p.part for p in group.placed]
        self.roots = [p.nest.root for p in self.parts]
        self.homes = [plan.buffer.home for plan in self.plans]
        self.frees = [free for plan in self.plans for free in plan.buffer.frees]
        self.gone = [*self.roots, *self.homes, *self.frees]
        self.tokens = {token_of(op): op for op in self.gone if token_of(op) is not None}

    def run(self) -> None:
        rest = self._other_ops()
        inits = distinct(t for root in self.roots for t in self._entering(token_of(root)))
        loop = self._build(inits)
        self._rewire(rest, loop)
        for op in reversed([o.operation for o in loop.operation.block.operations]):
            unused = all(map(is_unused, op.results))
            if op in self.gone or (is_join(op) and unused):
                assert unused, "all that waited for a nest was rewired"
                op.erase()

    def _other_ops(self) -> list[tuple[Any, bool]]:
        """The other operations of the block, each with whether it and the fused loop use the same end of a channel."""
        block = self.group.block
        rest = [n for n, op in enumerate(block.ops) if op not in self.gone and not is_join(op)]
        places = [p.place for p in self.group.placed]
        return [(block.ops[n], any(block.meet(n, m) for m in places)) for n in rest]

    def _entering(self, token: ir.Value) -> list[Any]:
        """The tokens outside the group that the operation of `token` waits for, directly or through the group; `token` itself
        if it is outside the group.
        """
        if token not in self.tokens:
            return [token]
        return distinct(t for dep in without_joins(deps_of(self.tokens[token])) for t in self._entering(dep))

    def _build(self, inits: list[ir.Value]) -> Any:
        frame = self.plans[0].frame
        ip = ir.InsertionPoint(self.roots[-1])
        loc = self.roots[0].location
        loop = _loop(frame, joined(inits, self.roots[-1]), loc, ip)
        inside = ir.InsertionPoint(loop.body)
        carried = loop.inner_iter_args[0]
        done: dict[int, list[tuple[Part, Any]]] = {}
        values: dict[Any, Any] = {}
        for plan in reversed(self.plans):  # in mlir-air's order, which moves each to the start of the loop
            clone(plan.buffer.home, values, inside)
        for part in self.parts:
            n = next(i for i, plan in enumerate(self.plans) if part in plan.parts)
            earlier = done.setdefault(n, [])
            written = [t for p, t in earlier if p.nest.is_get] if not part.nest.is_get else []
            room = values[self.plans[n].buffer.token]
            earlier.append((part, self._place(part, dict(values), room, written or [carried], loop, inside)))
        ends = []
        for n, plan in enumerate(self.plans):
            ends += self._free(plan, [t for _, t in done[n]], values, inside)
        with inside, loc:
            scf.YieldOp([joined(ends, inside)])
        return loop

    def _free(
        self, plan: Plan, tokens: list[ir.Value], values: dict[ir.Value, ir.Value], inside: ir.InsertionPoint
    ) -> list[Any]:
        """The tokens to wait for after the last use of a buffer: that of its deallocation, or without one `tokens`."""
        if not plan.buffer.frees:
            return tokens
        [free] = plan.buffer.frees
        return [token_of(with_deps(clone(free, values, inside), tokens[::-1]))]

    def _place(
        self,
        part: Part,
        values: dict[ir.Value, ir.Value],
        room: ir.Value,
        waits: list[ir.Value],
        loop: scf.ForOp,
        ip: ir.InsertionPoint,
    ) -> Any:
        """Copies a nest into the fused loop and returns its token. The outer loop of the copy runs the iterations of one fused
        iteration. The transfer waits for `room`, the token of its buffer, and the nest for `waits`.
        """
        outer = part.outer
        iv = loop.induction_variable
        loops = list(part.nest.loops[1:])
        token = None
        if part.count > 1:
            cut = Dim(outer.iv, 0, part.count * outer.step, outer.step)
            inner = _loop(cut, joined(waits, ip), outer.op.location, ip)
            token, ip, waits = inner.results[0], ir.InsertionPoint(inner.body), [inner.inner_iter_args[0]]
            values[outer.iv] = _sum(iv, part, inner.induction_variable, ip, outer.op.location)
        else:
            values[outer.iv] = _sum(iv, part, None, ip, outer.op.location)
        self._copy_pure(outer.loop.block, values, ip)
        for old in loops:
            inner = _loop(old, joined(waits, ip), old.op.location, ip)
            if token is None:
                token = inner.results[0]
            else:
                with ip, old.op.location:
                    scf.YieldOp([inner.results[0]])
            ip, waits = ir.InsertionPoint(inner.body), [inner.inner_iter_args[0]]
            values[old.iv] = inner.induction_variable
            self._copy_pure(old.loop.block, values, ip)
        moved = with_deps(clone(part.nest.transfer, values, ip), distinct([room, *waits]))
        if token is None:
            return token_of(moved)
        with ip, outer.op.location:
            scf.YieldOp([token_of(moved)])
        return token

    def _copy_pure(self, block: ir.Block, values: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> None:
        for op in [o.operation for o in block.operations][:-1]:
            if op.name not in ASYNC and op.name != "scf.for":
                clone(op, values, ip)

    def _rewire(self, rest: list[tuple[AnyOp, bool]], loop: AnyOp) -> None:
        """Makes users of a nest's token wait for the fused loop if they are next on a channel, and otherwise for what the nest
        waited for.

        A herd that fills the loop or drains it must not wait for it: they make progress only together.
        """
        for op, meets in rest:
            is_terminator = op.name.endswith(("terminator", "yield"))
            by = [loop.results[0]] if meets or is_terminator else None
            for inner in walk_post_order(op):
                inner = self._redirect(inner, by)
            if meets and loop.operation.is_before_in_block(inner) and not is_terminator:
                add_deps(inner, [loop.results[0]])

    def _redirect(self, op: ir.Operation, by: Sequence[object] | None) -> Any:
        numbers = [n for n, v in enumerate(op.operands) if is_token(v) and any(t in self.tokens for t in without_joins([v]))]
        if not numbers or (is_join(op) and op.block == self.group.block.block):
            return op
        if op.name in ASYNC:
            return with_deps(op, self._instead(deps_of(op), by))
        for n in numbers:
            op.operands[n] = joined(self._instead([op.operands[n]], by), op)
        return op

    def _instead(self, tokens: Sequence[ir.Value], by: Sequence[object] | None) -> list[Any]:
        replacements: list[Any] = []
        for token in without_joins(tokens):
            replacements += (by or self._entering(token)) if token in self.tokens else [token]
        return distinct(replacements)


def _loop(bounds: Dim, init: ir.Value, loc: ir.Location, ip: ir.InsertionPoint) -> Any:
    index = ir.IndexType.get()
    results = [arith.ConstantOp(index, n, loc=loc, ip=ip).result for n in (bounds.lower, bounds.upper, bounds.step)]
    return scf.ForOp(*results, [init], loc=loc, ip=ip)


def _sum(iv: ir.Value, part: Part, inner: ir.Value | None, ip: ir.InsertionPoint, loc: ir.Location) -> Any:
    """`iv * factor + shift + inner`."""
    operands = [iv] if inner is None else [iv, inner]
    if operands == [iv] and part.factor == 1 and not part.shift:
        return iv
    expression = ir.AffineSymbolExpr.get(0) * part.factor + part.shift
    if inner is not None:
        expression = expression + ir.AffineSymbolExpr.get(1)
    return affine.AffineApplyOp(ir.AffineMap.get(0, len(operands), [expression]), operands, loc=loc, ip=ip).result
