"""MLIR-AIR's Python layer under this package's roof: a program builds after `air.` in its imports became `allo_air.air.`."""
