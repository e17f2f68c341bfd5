"""Dialects of MLIR by functions on the values of cores and sequences."""
