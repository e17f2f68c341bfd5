"""MLIR's dialects as functions on the values of cores and sequences."""
