"""What MLIR-AIR's programs import of its compiler."""
