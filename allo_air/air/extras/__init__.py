"""Shorthands that MLIR-AIR's programs import."""
