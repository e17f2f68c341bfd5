"""Where programs written for Allo look for its bindings of MLIR."""

from allo_air.mlir import ir, rewrite

__all__ = ["ir", "rewrite"]
