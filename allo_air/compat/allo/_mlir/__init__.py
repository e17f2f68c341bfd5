"""Allo's bindings of MLIR, by the names that its programs import."""
