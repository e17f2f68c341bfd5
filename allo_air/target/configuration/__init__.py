"""The register writes that load a design into the array, in mlir-aie's order."""
