"""Views of linalg's operations for MLIR to find; the bindings' own module builds its DSL too, which takes 60 ms.

To build operations, import `allo_air.mlir.linalg`, the bindings' module.
"""

from allo_air.mlir import linalg_views  # noqa: F401
