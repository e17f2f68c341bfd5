"""Dialects by the names that MLIR-AIR's programs import them under; all but `air` are modules of the bindings."""

import sys

from allo_air import mlir

for _name in (
    "affine", "arith", "bufferization", "cf", "func", "linalg", "math", "memref", "scf", "tensor", "transform", "vector",
):  # fmt: skip
    sys.modules[f"{__name__}.{_name}"] = globals()[_name] = getattr(mlir, _name)
sys.modules[f"{__name__}.linalg.opdsl"] = mlir.opdsl
sys.modules[f"{__name__}.linalg.opdsl.lang"] = mlir.opdsl
sys.modules[f"{__name__}.transform.structured"] = mlir.structured
