"""Functions that are kernels of a program: private, called by its public function."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir

KERNEL = "allo.kernel"
"""Attribute of a function that is one kernel of a program."""


def is_kernel(function: AnyOp) -> bool:
    """Whether `function` is called by the program's public function, and not by the host."""
    return KERNEL in function.operation.attributes


def calls_of(function: AnyOp) -> list[ir.Operation]:
    """The calls of `function` in its module."""
    name = function.operation.attributes["sym_name"].value
    top = function.operation
    while top.parent is not None:
        top = top.parent.operation
    return [call for call in walk_named(top, "func.call") if call.attributes["callee"].value == name]
