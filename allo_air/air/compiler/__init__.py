"""Names of MLIR-AIR's compiler that programs import."""
