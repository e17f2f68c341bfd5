"""`run_transform`: a transform script on a module."""

from __future__ import annotations

from typing import Any


def run_transform(transform_module: Any, module: Any) -> None:
    """Runs the script in `transform_module` on `module` in place (docs/transform.md); DiagnosticError where it fails."""
    from allo_air.mlir import ir
    from allo_air.transform import run_script

    with module.operation.context, ir.Location.unknown():
        run_script(transform_module.operation, module.operation)
