"""Gives functions with returns in several branches a single exit: code after a branch moves into the branches that do not
return.
"""

from __future__ import annotations

import ast
import copy

from allo_air.frontend.source import Source

_LOOPS = (ast.For, ast.While)

_MOST = 10_000
"""Largest number of statements and expressions that are duplicated. Each branch that returns only sometimes doubles the
statements after it.
"""


def single_exit(source: Source, body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with returns only at the ends of branches.

    Before: `if a: return x` and then `return y`
    After: `if a: return x` with `else: return y`
    """
    for node in body:
        _check(source, node)
    if not any(_returns(node) for node in body if not isinstance(node, ast.Return)):
        return body
    end = ast.copy_location(ast.Return(), body[-1])
    return _SingleExit(source).of(body if _always_returns(body) else [*body, end])


class _SingleExit:
    """Moves the statements after branches into them."""

    def __init__(self, source: Source):
        self.source, self.written = source, 0

    def of(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with returns only at the ends of branches."""
        for number, node in enumerate(body):
            if isinstance(node, ast.If) and _returns(node):
                rest = body[number + 1 :]
                branches = [b if _always_returns(b) else [*b, *self.copied(node, rest)] for b in (node.body, node.orelse)]
                result = ast.If(node.test, *(self.of(b) for b in branches))
                return [*body[:number], ast.copy_location(result, node)]
        return body

    def copied(self, node: ast.If, rest: list[ast.stmt]) -> list[ast.stmt]:
        """A copy of `rest`, the statements after a branch."""
        self.written += sum(1 for s in rest for _ in ast.walk(s))
        if self.written > _MOST:
            raise self.source.error(
                node,
                "too many conditions return in some of their branches; set a variable and return it at the end",
            )
        return copy.deepcopy(rest)


def _always_returns(body: list[ast.stmt]) -> bool:
    """Whether every path through the statements ends with a return."""
    last = body[-1] if body else None
    return isinstance(last, ast.Return) or (
        isinstance(last, ast.If) and _always_returns(last.body) and _always_returns(last.orelse)
    )


def _returns(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return any(_returns(inner) for inner in (*node.body, *node.orelse))
    return isinstance(node, ast.Return)


def _check(source: Source, node: ast.stmt, inside: bool = False) -> None:
    """Raises an error at a return in a loop, since all iterations of a loop run."""
    if isinstance(node, ast.Return) and inside:
        raise source.error(node, "return inside a loop is not supported; set a variable and return it at the end")
    if isinstance(node, (ast.If, ast.With, *_LOOPS)):
        for inner in (*node.body, *getattr(node, "orelse", [])):
            _check(source, inner, inside or isinstance(node, _LOOPS))
