"""Visits the syntax tree of a function, under the names that Allo's programs import."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ASTContext:
    """The context in which a syntax tree is compiled: the values of its names, and of its template parameters (`inst`)."""

    tree: ast.AST
    global_vars: dict[str, Any] = field(default_factory=dict)
    mlir_ctx: Any = None
    inst: Sequence[Any] | None = None
    unroll: bool = True
    enable_tensor: bool = False
    typing_rule_set: Any = "default"
    verbose: bool = False


class ASTVisitor:
    """`visitor(ctx, node)` calls `visit_NAME(ctx, node)` for a node of class NAME, or visits the children if there is no such
    method.
    """

    def __call__(self, ctx: ASTContext, node: ast.AST) -> Any:
        return self.visit(ctx, node)

    def visit(self, ctx: ASTContext, node: ast.AST) -> Any:
        """The result of the method for the node."""
        return getattr(self, f"visit_{type(node).__name__}", self.generic_visit)(ctx, node)

    def generic_visit(self, ctx: ASTContext, node: ast.AST) -> None:
        """Visits the children of a node."""
        for part in ast.iter_child_nodes(node):
            self.visit(ctx, part)
