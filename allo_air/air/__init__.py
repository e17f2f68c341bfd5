"""MLIR-AIR's Python layer: programs run after `air.` in their imports is replaced by `allo_air.air.`."""
