"""Kernel functions of a program: private, called by its public function."""

from __future__ import annotations

from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import root_of, walk_named
from allo_air.mlir import AnyOp, ir

KERNEL = "allo.kernel"
"""Attribute of a function that is a kernel of a program."""
PART = "allo.part"
"""Attribute of a module with one of a program's kernels, which is lowered apart from the others."""
MOVED_BY_HOST = "allo.brought"
"""Attribute of a tensor.pad outside of kernels: the caller pads its argument, and the buffer of a padded result is longer."""
IN_PLACE = "allo.in_place"
"""Attribute of a tensor.concat outside of kernels, and of the insertions that `assign-layouts` makes of it: the kernels of its
parts write its buffer.
"""
APART = "allo.apart"
"""Attribute of an operation that gets a kernel of its own: the array cannot execute it in one kernel with its neighbours."""


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


def content_of(function: AnyOp) -> str:
    """The text of a function without its name and without attributes that passes added."""
    op = function.operation
    attributes = op.attributes
    left_out = {n: attributes[n] for n in attributes if n.startswith("allo.") or n == "sym_visibility"}
    name = attributes["sym_name"]
    for attribute in left_out:
        del attributes[attribute]
    attributes["sym_name"] = ir.StringAttr.get("kernel")
    try:
        return str(op.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True))
    finally:
        attributes["sym_name"] = name
        for attribute, value in left_out.items():
            attributes[attribute] = value
