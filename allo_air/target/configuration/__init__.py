"""What loading a design writes into the array: lists of register writes in mlir-aie's order."""
