"""The rewrites that canonicalize AIR operations; `canonicalize` runs them together with MLIR's own."""
