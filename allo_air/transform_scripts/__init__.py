"""The transform scripts, one typed `transform.named_sequence` per `.mlir` file."""
