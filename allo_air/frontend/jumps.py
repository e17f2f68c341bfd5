"""Replaces `break` and `continue` by flags that skip the rest of an iteration, and of the loop."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy
from typing import TypeVar

from allo_air.frontend import dsl
from allo_air.frontend.assignments import assign, new_variable
from allo_air.frontend.state import State
from allo_air.frontend.static import evaluate
from allo_air.frontend.types import Int

_JUMPS = (ast.Break, ast.Continue)
_FLAG = Int(32)
T = TypeVar("T", bound=ast.AST)
L = TypeVar("L", ast.For, ast.While)


def remove_jumps(state: State, loop: L) -> L:
    """A loop without jumps. Iterations after a `break` do nothing; its flag is reset before the loop."""
    if not _jumps(loop.body):
        return loop
    _refuse_in_meta_for(state, loop.body)
    breaks = any(isinstance(n, ast.Break) for n in _jumps_in(loop.body))
    skip: str = _flag(state, loop, "skip")
    broken: str = _flag(state, loop, "broken")
    body = [_set(loop, skip, 0), *_guarded(loop.body, skip, broken)]
    if breaks:
        start = _set(loop, broken, 0)
        assign(state, start.targets[0], start.value)
        body = [_located(loop, ast.If(_unset(loop, broken), body, []))]
    result = copy(loop)
    result.body = body
    if breaks and isinstance(result, ast.While):
        result.test = _located(result.test, ast.BoolOp(ast.And(), [_unset(loop, broken), result.test]))
    return result


def _flag(state: State, loop: ast.stmt, purpose: str) -> str:
    """A new variable of the kernel. Its name contains a blank, so that it cannot be a name of the user's."""
    name = f"{purpose} {loop.lineno} {loop.col_offset}"
    if state.variable(name) is None:
        state.names[0][name] = new_variable(state, _FLAG, purpose)
        state.declared.add(name)
    return name


def _jumps_in(nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The jumps of a loop in its statements, without those of nested loops."""
    jumps: list[ast.stmt] = []
    for node in nodes:
        if isinstance(node, _JUMPS):
            jumps.append(node)
        elif isinstance(node, ast.If):
            jumps += [*_jumps_in(node.body), *_jumps_in(node.orelse)]
        elif isinstance(node, ast.With):
            jumps += _jumps_in(node.body)
    return jumps


def _refuse_in_meta_for(state: State, nodes: Sequence[ast.stmt]) -> None:
    """Raises an error at jumps in meta_for: its iterations are unrolled, and a jump would have to skip the following ones."""
    for node in nodes:
        if isinstance(node, ast.If):
            _refuse_in_meta_for(state, [*node.body, *node.orelse])
        elif isinstance(node, ast.With):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            result = _jumps_in(node.body)
            if result and any(evaluate(state, call.func) is dsl.meta_for for call in calls):
                word = type(result[0]).__name__.lower()
                raise state.error(
                    result[0],
                    f"a '{word}' inside a meta_for is not supported; use a for loop, or put the skipped statements into an if",
                )
            _refuse_in_meta_for(state, node.body)


def _jumps(nodes: Sequence[ast.stmt]) -> bool:
    return bool(_jumps_in(nodes))


def _guarded(nodes: Sequence[ast.stmt], skip: str, broken: str) -> list[ast.stmt]:
    """The statements with flags instead of jumps. Statements after one that may jump run only if it did not."""
    results: list[ast.stmt] = []
    for index, node in enumerate(nodes):
        if not _jumps([node]):
            results.append(node)
            continue
        if isinstance(node, _JUMPS):
            flags = [broken, skip] if isinstance(node, ast.Break) else [skip]
            return [*results, *(_set(node, flag, 1) for flag in flags)]
        results.append(_jump_free(node, skip, broken))
        rest = list(nodes[index + 1 :])
        while isinstance(node, ast.With) and rest and isinstance(rest[0], ast.With):
            results.append(_jump_free(rest.pop(0), skip, broken))
        if rest:
            results.append(_located(rest[0], ast.If(_unset(node, skip), _guarded(rest, skip, broken), [])))
        return results
    return results


def _jump_free(node: ast.stmt, skip: str, broken: str) -> ast.stmt:
    """An `if` or a `with` whose statements have no jumps."""
    if isinstance(node, ast.If):
        return _located(node, ast.If(node.test, *(_guarded(part, skip, broken) for part in (node.body, node.orelse))))
    assert isinstance(node, ast.With)
    return _located(node, ast.With(node.items, _guarded(node.body, skip, broken)))


def _set(node: ast.AST, name: str, value: int) -> ast.Assign:
    return _located(node, ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)))


def _unset(node: ast.AST, name: str) -> ast.expr:
    return _located(node, ast.Compare(ast.Name(name, ast.Load()), [ast.Eq()], [ast.Constant(0)]))


def _located(node: ast.AST, item: T) -> T:
    return ast.fix_missing_locations(ast.copy_location(item, node))
