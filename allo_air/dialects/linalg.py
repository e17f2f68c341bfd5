"""Views of linalg's operations for MLIR to find; the bindings' own module builds its DSL too, which takes 60 ms.

Whoever wants to build operations imports `allo_air.mlir.linalg`, which is the bindings' module.
"""

from allo_air.mlir import linalg_views  # noqa: F401
