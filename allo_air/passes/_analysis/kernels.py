"""Kernel functions of a program: private, called by its public function."""

from __future__ import annotations

from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import root_of, walk_named
from allo_air.mlir import AnyOp, ir

KERNEL = "allo.kernel"
"""Attribute of a function that is a kernel of a program."""
BROUGHT = "allo.brought"
"""Attribute of a tensor.pad outside of kernels: the caller pads its argument, and the buffer of a padded result is longer."""


def is_kernel(function: AnyOp) -> bool:
    """Whether the program's public function calls `function`, instead of the host."""
    return KERNEL in function.operation.attributes


def calls_of(function: AnyOp) -> list[ir.Operation]:
    """The calls of `function` in its module."""
    name = sym_name_of(function.operation)
    return [call for call in walk_named(root_of(function), "func.call") if callee_of(call) == name]


def called(call: AnyOp) -> ir.Operation | None:
    """The function that `call` calls; None if the module has no body for it."""
    name = callee_of(call.operation)
    ops = (f for f in walk_named(root_of(call), "func.func") if sym_name_of(f) == name)
    return next((f for f in ops if len(f.regions[0].blocks)), None)
