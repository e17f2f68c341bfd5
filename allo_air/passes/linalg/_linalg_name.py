"""The attribute that names a linalg operation for the passes of MLIR-AIR."""

NAME = "__internal_linalg_transform__"
