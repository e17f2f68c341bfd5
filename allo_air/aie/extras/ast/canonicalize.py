"""`canonicalize`: in functions of cores, Python's `if`, `and`, `or`, `not` and `yield` build operations."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from types import CellType, CodeType, FunctionType
from typing import Any

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.extras.ast._branches import Helpers

__all__ = ["Canonicalizer", "canonicalize"]

_HELPERS = "__allo_air_canonical"


@dataclass(frozen=True)
class Canonicalizer:
    """The rewrites of a dialect: branches and yields for `scf`, none for others."""

    dialect: str


def canonicalize(*, using: Canonicalizer | tuple[Canonicalizer, ...] | list[Canonicalizer]) -> Callable[..., Any]:
    """A decorator that turns an `if` on values of a core into `scf.if`, and `yield` into `scf.yield`.

    `r = yield x` at the end of both branches gives the `if` a result `r`. An `if` on a bool of Python is Python's.

    Both branches of an `if` on a value are built. A variable that one of them assigns has no value after the `if`, and
    `return`, `break` and `continue` cannot leave them: IronValueError.
    """
    kinds = using if isinstance(using, tuple | list) else (using,)
    if wrong := [k for k in kinds if not isinstance(k, Canonicalizer)]:
        raise IronTypeError(
            f"canonicalize: using= has {wrong[0]!r}, expected the canonicalizer of a dialect, as scf.canonicalizer"
        )
    if not any(kind.dialect == "scf" for kind in kinds):
        return lambda function: function
    return _rewritten


def _rewritten(function: FunctionType) -> Any:
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise IronValueError(f"canonicalize: {function!r} has no source file; write it in a file") from None
    tree = ast.parse(textwrap.dedent("".join(lines)))
    [definition] = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.body = _Rewriter().statements(definition.body)
    outer = ast.parse(f"def outer({', '.join((_HELPERS, *function.__code__.co_freevars))}):\n    pass")
    assert isinstance(outer.body[0], ast.FunctionDef)
    outer.body[0].body = [definition]
    ast.increment_lineno(ast.fix_missing_locations(outer), first - 1)
    code = _inner(_inner(compile(outer, function.__code__.co_filename, "exec"), "outer"), definition.name)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(CellType(Helpers) if name == _HELPERS else cells[name] for name in code.co_freevars)
    result = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    result.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(result, function)


def _inner(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


class _Rewriter(ast.NodeTransformer):
    """Rewrites statements; `branch` is the name of the `if` around them, None in loops and at the top. `barred` are the
    statements that would leave an `if` on a value.
    """

    def __init__(self) -> None:
        self.count = 0
        self.branch: str | None = None
        self.is_python = False
        self.barred: tuple[type[ast.stmt], ...] = ()

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, each as the statements that it becomes."""
        results: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            results += new if isinstance(new, list) else [new]
        return results

    def visit_For(self, node: ast.For) -> ast.stmt:
        saved = self.branch, self.barred
        node.iter = self.visit(node.iter)
        self.branch, self.barred = None, self._barred_in_loop()
        node.body = self.statements(node.body)
        self.branch, self.barred = saved
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        saved, self.barred = self.barred, self._barred_in_loop()
        self.generic_visit(node)
        self.barred = saved
        return node

    def _barred_in_loop(self) -> tuple[type[ast.stmt], ...]:
        return tuple(kind for kind in self.barred if kind is ast.Return)

    def _leave(self, node: ast.stmt) -> ast.stmt:
        if not isinstance(node, self.barred):
            return node
        return _at(ast.parse(f"{_HELPERS}.leave({type(node).__name__.lower()!r})").body[0], node)

    visit_Return = visit_Break = visit_Continue = _leave

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        parts = [ast.unparse(self.visit(n)) for n in (node.test, node.body, node.orelse)]
        return _expression(f"{_HELPERS}.chosen({parts[0]}, lambda: {parts[1]}, lambda: {parts[2]})", node)

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        name = f"{_HELPERS}_{self.count}"
        self.count += 1
        test = _expression(
            f"{_HELPERS}.Branch({ast.unparse(_Condition().visit(self.visit(node.test)))}, {bool(node.orelse)})", node
        )
        parts = []
        for is_python in (False, True):
            saved = self.branch, self.is_python, self.barred
            self.branch, self.is_python = name, is_python
            self.barred = self.barred if is_python else (ast.Return, ast.Break, ast.Continue)
            parts.append([self.statements(_copies(body)) for body in (node.body, node.orelse)])
            self.branch, self.is_python, self.barred = saved
        targets = dict.fromkeys(
            ast.unparse(s.targets[0]) for s in (*node.body, *node.orelse) if _is_yield(s) and isinstance(s, ast.Assign)
        )
        assigned = _assigned(node)
        restorers = ", ".join(f"{_HELPERS}.value_before(lambda: {each}, {each!r})" for each in assigned)
        restored = f"({', '.join(assigned)},) = {name}_kept\n" if assigned else "pass\n"
        text = f"{name} = 0\nif {name}.is_value:\n  with {name}.then(): pass\n"
        text += f"  with {name}.otherwise(): pass\n" if node.orelse else ""
        text += f"  {name}.close()\n" + "".join(f"  {each} = {_HELPERS}.Lost({each!r})\n" for each in assigned)
        text += "".join(f"  {target} = {name}.result\n" for target in targets)
        text += f"else:\n  if {name}.condition: pass\n  else: pass\n"
        statements: Any = [_at(s, node) for s in ast.parse(text).body]
        statements[0].value, inside = test, statements[1]
        before = [_at(each, node) for each in ast.parse(f"{name}_kept = ({restorers},)" if assigned else "pass").body]
        inside.body[0].body = before + parts[0][0]
        if node.orelse:
            inside.body[1].body = [_at(each, node) for each in ast.parse(restored).body] + parts[0][1]
        inside.orelse[0].body, inside.orelse[0].orelse = parts[1][0], parts[1][1]
        return statements

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        return self._yield(node, node.value) if _is_yield(node) else self.generic_visit(node)  # type: ignore[return-value]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return self._yield(node, node.value) if _is_yield(node) else self.generic_visit(node)  # type: ignore[return-value]

    def _yield(self, node: ast.Assign | ast.Expr, value: Any) -> ast.stmt:
        parts = value.value.elts if isinstance(value.value, ast.Tuple) else [] if value.value is None else [value.value]
        text = ", ".join(ast.unparse(self.visit(part)) for part in parts)
        if self.branch is not None and self.is_python:
            return _at(
                ast.parse(f"{ast.unparse(node.targets[0])} = {text}" if isinstance(node, ast.Assign) else "pass").body[0], node
            )
        taker = f"{_HELPERS}.yield_" if self.branch is None else f"{self.branch}.give"
        return _at(ast.parse(f"{taker}({text})").body[0], node)


class _Condition(ast.NodeTransformer):
    """`and`, `or` and `not` of a condition, which may be values."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        word = "both" if isinstance(node.op, ast.And) else "either"
        text = ast.unparse(self.visit(node.values[0]))
        for value in node.values[1:]:
            text = f"{_HELPERS}.{word}({text}, lambda: {ast.unparse(self.visit(value))})"
        return _expression(text, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not):
            return node
        return _expression(f"{_HELPERS}.negated({ast.unparse(self.visit(node.operand))})", node)


def _assigned(node: ast.If) -> list[str]:
    """The variables that the branches of `node` assign, except results of their yields."""
    own: list[Any] = [s for s in (*node.body, *node.orelse) if not _is_yield(s)]
    names: dict[str, None] = {}
    while own:
        each = own.pop(0)
        if isinstance(each, ast.FunctionDef):
            names[each.name] = None
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names[each.id] = None
        elif not isinstance(each, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            own += ast.iter_child_nodes(each)
    return list(names)


def _copies(body: list[ast.stmt]) -> list[ast.stmt]:
    """Copies of the nodes with their line numbers."""
    return [_copy(s) for s in body]


def _copy(node: object) -> Any:
    if isinstance(node, list):
        return [_copy(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    return ast.copy_location(type(node)(**{name: _copy(value) for name, value in ast.iter_fields(node)}), node)


def _is_yield(node: ast.AST) -> bool:
    return isinstance(node.value, ast.Yield) if isinstance(node, ast.Assign | ast.Expr) else False


def _expression(text: str, place: ast.AST) -> ast.expr:
    return _at(ast.parse(text, mode="eval").body, place)


def _at(node: Any, place: ast.AST) -> Any:
    """`node` and its children, with the line of `place`."""
    for each in ast.walk(node):
        ast.copy_location(each, place)
    return node
