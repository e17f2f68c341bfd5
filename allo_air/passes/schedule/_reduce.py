"""Removes redundant tokens from the dependence lists of asynchronous IR (transitive reduction), through loops and branches."""

from __future__ import annotations

from itertools import count
from typing import Any

from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import ir
from allo_air.passes._ir.tokens import deps_of, with_deps
from allo_air.passes.schedule._plan import BRANCHES, LOOPS


def reduce_dependences(root: ir.Operation) -> None:
    """Drops tokens from each list in `root` that another token of the list implies, and repetitions."""
    facts = _Reach(set(), rewrites=False)
    facts.visit(root)
    _Reach(facts.steady, rewrites=True).visit(root)


class _Reach:
    """Visits operations in program order, and computes for each token the set of tokens before it, as bits.

    `steady` are the loop-carried tokens, as (number of the loop, position), for which the token of each iteration waits for the
    previous one. Such a token always follows the loop's initial token. A separate walk finds them.
    """

    def __init__(self, steady: set[tuple[int, int]], rewrites: bool) -> None:
        self.steady = set(steady)
        self._rewrites = rewrites
        self._numbers = count()
        self._loops = count()
        self._number: dict[Any, int] = {}
        self._after: dict[Any, int] = {}
        self._token = ir.Type.parse("!air.async.token")

    def visit(self, op: ir.Operation) -> None:
        """Visits the operations in `op`."""
        for region in op.regions:
            for block in region.blocks:
                for inner in [o.operation for o in block.operations]:
                    self._visit(inner)

    def _visit(self, op: ir.Operation) -> None:
        if op.name in ASYNC:
            op = self._reduced(op)
        if not len(op.regions):
            return
        if op.name in LOOPS:
            self._visit_loop(op)
            return
        self.visit(op)
        tokens = [i for i, v in enumerate(op.results) if v.type == self._token]
        if op.name in BRANCHES:
            for i in tokens:
                yielded = [self._done(_last(region.blocks[0]).operands[i]) for region in op.regions]
                common = yielded[0]
                for done in yielded[1:]:
                    common &= done
                self._define(op.results[i], common)
        elif op.name == "scf.parallel":
            inits = list(op.operands)[len(op.operands) - len(op.results) :]
            for i in tokens:
                self._define(op.results[i], self._done(inits[i]))

    def _reduced(self, op: ir.Operation) -> ir.Operation:
        """Reduces the dependences of `op`; returns the operation that replaces it, or `op`."""
        deps = deps_of(op)
        reduced = self._latest(deps)
        if self._rewrites and reduced != deps:
            for value in op.results:  # a later operation may get the same identity
                self._number.pop(value, None)
                self._after.pop(value, None)
            op = with_deps(op, reduced)
        if len(op.results) and op.results[0].type == self._token:
            after = 0
            for token in reduced:
                after |= self._done(token)
            self._define(op.results[0], after)
        return op

    def _visit_loop(self, op: ir.Operation) -> None:
        loop, [block] = next(self._loops), op.regions[0].blocks
        inits = list(op.operands)[len(op.operands) - len(op.results) :]
        carried = [(i, a) for i, a in enumerate(list(block.arguments)[1:]) if a.type == self._token]
        for i, argument in carried:
            self._define(argument, self._done(inits[i]) if (loop, i) in self.steady else 0)
        self.visit(op)
        yielded = list(_last(block).operands)
        for i, argument in carried:
            if self._done(yielded[i]) >> self._number[argument] & 1:
                self.steady.add((loop, i))
            self._define(op.results[i], self._done(inits[i]) if (loop, i) in self.steady else 0)

    def _latest(self, tokens: list[ir.Value]) -> list[ir.Value]:
        """`tokens` in order, without repetitions, and without tokens that another of them implies."""
        latest: set[ir.Value] = set()
        done = 0
        for token in sorted(dict.fromkeys(tokens), key=self._at, reverse=True):
            if not done >> self._at(token) & 1:
                latest.add(token)
                done |= self._done(token)
        return [t for t in dict.fromkeys(tokens) if t in latest]

    def _define(self, token: ir.Value, after: int) -> None:
        self._number[token] = next(self._numbers)
        self._after[token] = after

    def _at(self, token: ir.Value) -> int:
        if token not in self._number:
            self._define(token, 0)
        return self._number[token]

    def _done(self, token: ir.Value) -> int:
        position = self._at(token)
        return self._after[token] | 1 << position


def _last(block: ir.Block) -> ir.Operation:
    return block.operations[-1].operation
