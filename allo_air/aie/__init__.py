"""IRON, mlir-aie's Python API, under this package's roof: `allo_air.compat.install()` has `import aie.iron` find it."""
