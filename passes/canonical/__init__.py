"""The rewrites that make up canonicalization of AIR operations; `canonicalize` runs them together with MLIR's own."""
