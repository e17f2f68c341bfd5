"""Rewrites that canonicalize AIR operations. Pass `canonicalize` runs them together with MLIR's own."""
