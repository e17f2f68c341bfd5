"""Verifies the modules of a program, by MLIR's rules and those of the dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import translate
from allo_air.dialects import check
from allo_air.errors import DiagnosticError
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.air.ir import Module


def verified(module: Module) -> None:
    """DiagnosticError, at the program's line, for an operation that does not verify."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise translate(error) from None
    if result := check(module.operation):
        raise DiagnosticError(result)
