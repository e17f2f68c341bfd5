"""AIR-style compiler for AMD NPUs: MLIR dialects, passes and named pipelines in Python."""

__version__ = "0.1.0"
