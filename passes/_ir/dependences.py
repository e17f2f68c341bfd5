"""What tokens wait for, followed through joins and loops."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from allo_air.core.loops import Loop
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import ir
from allo_air.passes._ir.tokens import deps_of

_REACH = 256
"""Tokens that one search for an indirect dependence visits: long chains stay linear to canonicalize."""


class Waits:
    """What each token directly waits for, kept up to date by whoever rewrites the operations."""

    def __init__(self, open_arguments: tuple[Any, ...] = ()) -> None:
        self._deps: dict[Any, list[Any]] = {}
        self._open = open_arguments

    def of(self, token: Any) -> list[Any]:
        """The tokens that must have come before `token` can; none where that is not known."""
        found = self._deps.get(token)
        if found is None:
            found = self._deps[token] = self._read(token)
        return found

    def _read(self, token: ir.Value) -> list[ir.Value]:
        if isinstance(token, ir.BlockArgument):
            return self._read_carried(token)
        owner = token.owner
        if owner.name not in ASYNC or owner.results[0] != token:
            return []
        return deps_of(owner)

    def _read_carried(self, argument: Any) -> list[Any]:
        """What the token that an scf.for carries waits for in every iteration: what its initial value waits for.

        By induction that holds if each iteration yields a token that waits for the carried one. The initial value itself is
        left out: what waits for it inside the loop keeps that dependence, which passes that rewire the loop must see.
        """
        loop = argument.owner.owner
        if loop is None or loop.name != "scf.for" or argument.arg_number == 0 or argument in self._open:
            return []
        yielded = Loop(loop).terminator.operands[argument.arg_number - 1]
        # not self: the body is still to be rewritten, which would leave dead values there
        ahead = Waits((*self._open, argument))
        if yielded != argument and all(token != argument for token in ahead.nearest(yielded)):
            return []
        return self.of(loop.operands[argument.arg_number + 2])

    def forget(self, op: ir.Operation) -> None:
        """Must be called before `op` is erased: a later operation may get the same identity."""
        for value in op.results:
            self._deps.pop(value, None)

    def reached_from(self, token: ir.Value) -> set[ir.Value]:
        """The tokens that `token` waits for, directly or not; the nearest `_REACH` of them."""
        return set(self.nearest(token))

    def nearest(self, token: ir.Value) -> Iterator[ir.Value]:
        """The tokens that `token` waits for, directly or not, the nearest `_REACH` of them, nearest first."""
        found: set[ir.Value] = set()
        todo = deque(self.of(token))
        while todo and len(found) < _REACH:
            near = todo.popleft()
            if near not in found:
                found.add(near)
                yield near
                todo.extend(self.of(near))

    def without_indirect(self, tokens: list[ir.Value]) -> list[ir.Value]:
        """`tokens` without those that others of them wait for anyway."""
        if len(tokens) < 2:
            return tokens
        indirect: set[ir.Value] = set()
        for token in tokens:
            if token not in indirect:
                indirect.update(self.nearest(token))
        return [t for t in tokens if t not in indirect]
