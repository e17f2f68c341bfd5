"""What mlir-aie's tool chain makes of the operations of a core's code."""
