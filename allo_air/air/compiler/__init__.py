"""The names of its compiler that MLIR-AIR's programs import."""
