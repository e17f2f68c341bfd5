"""The dependences of tokens, through joins and loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.core.loops import Loop
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import ir
from allo_air.passes._ir.tokens import deps_of

REACH = 256
"""Largest number of tokens that a search for an indirect dependence visits, so that long chains are canonicalized in linear
time.
"""


class Waits:
    """The direct dependences of each token. Code that rewrites operations keeps them up to date.

    Tokens are numbered, since a search visits many of them, and sets of numbers are ten times as fast. If the order of the
    tokens' operations is given, searches stop at the position of their target.
    """

    def __init__(self, open_arguments: tuple[ir.BlockArgument, ...] = ()) -> None:
        self._numbers: dict[Any, int] = {}
        self._tokens: list[Any] = []
        self._deps: list[list[int] | None] = []
        self._positions: dict[int, int] = {}
        self._open = open_arguments

    def of(self, token: ir.Value) -> list[Any]:
        """The tokens that must be ready before `token` can be; empty if unknown."""
        return [self._tokens[dep] for dep in self._of(self._number(token))]

    def place(self, token: ir.Value, position: int) -> None:
        """Records that the operation of `token` is number `position`, and all its dependences are placed before it."""
        self._positions[self._number(token)] = position

    def _number(self, token: ir.Value) -> int:
        number = self._numbers.get(token)
        if number is None:
            number = self._numbers[token] = len(self._tokens)
            self._tokens.append(token)
            self._deps.append(None)
        return number

    def _of(self, number: int) -> list[int]:
        deps = self._deps[number]
        if deps is None:
            deps = self._deps[number] = [self._number(dep) for dep in self._read(self._tokens[number])]
        return deps

    def _read(self, token: ir.Value) -> list[ir.Value]:
        if isinstance(token, ir.BlockArgument):
            return self._read_carried(token)
        owner = token.owner
        if owner.name not in ASYNC or owner.results[0] != token:
            return []
        return deps_of(owner)

    def _read_carried(self, argument: ir.BlockArgument) -> list[Any]:
        """The dependences of the token that an scf.for carries, in every iteration: those of its initial value.

        By induction this holds if each iteration yields a token that depends on the carried one. The initial value itself is
        left out: its users in the loop keep that dependence, which passes that rewire the loop must see.
        """
        loop = argument.owner.owner
        if loop is None or loop.name != "scf.for" or argument.arg_number == 0 or argument in self._open:
            return []
        if self._open and argument.owner != self._open[0].owner:
            return []  # values from outside of a loop do not depend on loop-carried values
        yielded = Loop(loop).terminator.operands[argument.arg_number - 1]
        # a separate graph, since the body is rewritten later, which would leave erased values in this one
        graph = Waits((*self._open, argument))
        if yielded != argument and all(token != argument for token in graph.nearest(yielded)):
            return []
        return self.of(loop.operands[argument.arg_number + 2])

    def forget(self, op: ir.Operation) -> None:
        """Removes `op` from the graph. Call this before `op` is erased, since a later operation may get the same identity."""
        for value in op.results:
            self._numbers.pop(value, None)

    def reached_from(self, token: ir.Value) -> set[ir.Value]:
        """The tokens that `token` depends on, directly or not; at most the nearest `REACH`."""
        return set(self.nearest(token))

    def nearest(self, token: ir.Value) -> Iterator[ir.Value]:
        """The tokens that `token` depends on, directly or not, at most `REACH`, nearest first."""
        return (self._tokens[near] for near in self._nearest(self._number(token)))

    def _nearest(self, number: int, floor: int = -1) -> Iterator[int]:
        """The numbers of the nearest tokens; tokens placed at `floor` or before it may be missing."""
        results: set[int] = set()
        todo, deps, positions = list(self._of(number)), self._deps, self._positions
        for near in todo:  # the loop appends to this list
            if near not in results:
                results.add(near)
                yield near
                if len(results) == REACH:
                    return
                if positions.get(near, floor + 1) > floor:
                    near_deps = deps[near]
                    todo += self._of(near) if near_deps is None else near_deps

    def without_indirect(self, tokens: list[ir.Value]) -> list[ir.Value]:
        """`tokens` without those that others of them already depend on."""
        if len(tokens) < 2:
            return tokens
        indirect: set[int] = set()
        numbers = [self._number(token) for token in tokens]
        floor = min(self._positions.get(number, -1) for number in numbers)
        for number in numbers:
            if number not in indirect:
                indirect.update(self._nearest(number, floor))
        return [token for token, number in zip(tokens, numbers, strict=True) if number not in indirect]
