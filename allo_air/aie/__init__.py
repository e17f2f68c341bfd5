"""IRON, mlir-aie's Python API, in this package: after `allo_air.compat.install()`, `import aie.iron` finds it."""
