"""Compiles syntax trees of functions, under the names that Allo's programs import."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from allo_air.compat.allo.ir.visitor import ASTContext, ASTVisitor
from allo_air.errors import AlloAirError
from allo_air.frontend.schedule.schedule import Schedule, scheduled
from allo_air.frontend.source import Source


class ASTTransformer(ASTVisitor):
    """`ASTTransformer()(ctx, tree)` is the MLIR module of the function that `tree` defines last."""

    def __call__(self, ctx: ASTContext, node: ast.AST, file_name: str | None = None) -> Any:
        del file_name
        return compiled(ctx, node).module


ASTBuilder = ASTTransformer


def compiled(ctx: ASTContext, tree: ast.AST) -> Schedule:
    """The schedule of the last function in a syntax tree. Raises AlloAirError if the tree has none."""
    nodes = [n for n in (tree.body if isinstance(tree, ast.Module) else [tree]) if isinstance(n, ast.FunctionDef)]
    if not nodes:
        raise AlloAirError(f"a syntax tree of a function is compiled; found {type(tree).__name__} without a function")
    function = FunctionType(_nothing.__code__, dict(ctx.global_vars), nodes[-1].name)
    return scheduled(Source(function, (ctx.global_vars,), nodes[-1]), tuple(ctx.inst or ()), ctx.typing_rule_set)


def _nothing() -> None:
    """The body of a function that is read from its syntax tree."""
