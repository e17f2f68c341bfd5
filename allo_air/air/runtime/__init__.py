"""Arrays as MLIR's descriptors: the bindings' module."""

import sys

from allo_air import mlir

sys.modules[f"{__name__}.np_to_memref"] = mlir.np_to_memref
globals().update({n: getattr(mlir.np_to_memref, n) for n in dir(mlir.np_to_memref) if not n.startswith("_")})
