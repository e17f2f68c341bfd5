"""`run_transform`: a transform script on a module; and the pipeline that programs bring linalg on tensors into buffers with."""

from __future__ import annotations

from typing import Any

LINALG_TENSOR_TO_MEMREF_PIPELINE = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map unknown-type-conversion=identity-layout-map},"
    "drop-equivalent-buffer-results,canonicalize,cse)"
)
"""For `PassManager.parse`: functions take and return buffers, without layouts."""


def run_transform(transform_module: Any, module: Any) -> None:
    """Runs the script in `transform_module` on `module` in place (docs/transform.md); DiagnosticError where it fails."""
    from allo_air.mlir import ir
    from allo_air.transform import run_script

    with module.operation.context, ir.Location.unknown():
        run_script(transform_module.operation, module.operation)
