"""Finds the operations in segments, launches or functions that are not in herds: a herd's body is the program of its cores."""

from __future__ import annotations

from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir

SCOPES = {"segment": "air.segment", "launch": "air.launch", "func": "func.func", "all": "func.func"}


def in_scope(root: ir.Operation, scope: str, *names: str) -> list[ir.Operation]:
    """The operations in `root` with one of `names` that are in an operation of kind `scope` (in or around `root`) and not in a
    herd, outermost first.
    """
    return [op for op in walk_named(root, *names) if is_in_scope(op, scope)]


def is_in_scope(op: ir.Operation, scope: str) -> bool:
    """Whether `op` is in an operation of kind `scope` and not in a herd."""
    ancestors = [p.name for p in parents(op)]
    return SCOPES[scope] in ancestors and "air.herd" not in ancestors
