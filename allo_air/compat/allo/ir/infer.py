"""Checks the types in a function's syntax tree, under the names that Allo's programs import."""

from __future__ import annotations

import ast

from allo_air.compat.allo.ir.builder import compiled
from allo_air.compat.allo.ir.visitor import ASTContext, ASTVisitor


class TypeInferer(ASTVisitor):
    """`TypeInferer()(ctx, tree)` returns the tree, or raises KernelError if types are inconsistent."""

    def __call__(self, ctx: ASTContext, node: ast.AST) -> ast.AST:
        compiled(ctx, node)
        return node
