"""The driver, under the names of MLIR-AIR's."""
