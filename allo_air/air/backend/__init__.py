"""Compiling and running programs, under the names of MLIR-AIR's XRT backend."""
