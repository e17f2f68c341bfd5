"""Dialects under the names that MLIR-AIE's programs import; dialects without a module here are those of the bindings."""

import sys

from allo_air import mlir

for _name in (
    "bufferization", "builtin", "complex", "emitc", "gpu", "irdl", "llvm", "ml_program", "pdl", "quant", "shape",
    "sparse_tensor", "tosa", "transform", "ub",
):  # fmt: skip
    sys.modules[f"{__name__}.{_name}"] = globals()[_name] = getattr(mlir, _name)
sys.modules[f"{__name__}._ods_common"] = globals()["_ods_common"] = mlir.ods_common
sys.modules[f"{__name__}.linalg.opdsl"] = sys.modules[f"{__name__}.linalg.opdsl.lang"] = mlir.opdsl
