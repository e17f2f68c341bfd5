"""Where programs written for Allo look for its bindings of MLIR."""
