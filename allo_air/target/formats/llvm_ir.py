"""Translates a module of MLIR's LLVM dialect to LLVM IR."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_post_order
from allo_air.mlir import AnyOp, llvm

_DIALECTS = ("llvm.", "dlti.")


def llvm_ir(module: AnyOp) -> str:
    """The text of `module`; DiagnosticError if it has operations of another dialect."""
    top = module.operation
    for op in walk_post_order(top):
        if op != top and not op.name.startswith(_DIALECTS):
            raise error_at(op, "is not of the LLVM dialect; lower it first, as allo-opt --convert-to-llvm does")
    return str(llvm.translate_module_to_llvmir(top))
