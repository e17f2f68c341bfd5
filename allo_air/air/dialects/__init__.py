"""Dialects under the names that MLIR-AIR's programs import; all except `air` and `airrt` are modules of the bindings."""

import sys

from allo_air import mlir
from allo_air.air.dialects import _bindings
from allo_air.air.dialects._found import Finder

_bindings.extend()
for _name in (
    "affine", "arith", "bufferization", "builtin", "cf", "complex", "emitc", "func", "gpu", "index", "irdl", "linalg", "llvm",
    "math", "memref", "ml_program", "pdl", "quant", "scf", "shape", "sparse_tensor", "tensor", "tosa", "transform",
    "ub", "vector",
):  # fmt: skip
    sys.modules[f"{__name__}.{_name}"] = globals()[_name] = getattr(mlir, _name)
sys.modules[f"{__name__}._ods_common"] = globals()["_ods_common"] = mlir.ods_common
sys.modules[f"{__name__}.linalg.opdsl"] = mlir.opdsl
sys.modules[f"{__name__}.linalg.opdsl.lang"] = mlir.opdsl
sys.modules[f"{__name__}.transform.structured"] = mlir.structured
sys.modules[f"{__name__}.transform.interpreter"] = mlir.transform_interpreter
sys.meta_path.insert(0, Finder())
