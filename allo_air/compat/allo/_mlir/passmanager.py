"""MLIR's pass manager, under the name that Allo's programs import."""

from allo_air.mlir import PassManager

__all__ = ["PassManager"]
