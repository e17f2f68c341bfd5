"""The module that MLIR finds for views of LLVM's operations and attributes; it has none, so they are generic.

The bindings' own module takes 80 ms to import. `allo_air.mlir.llvm` is that module.
"""
