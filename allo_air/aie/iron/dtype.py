"""numpy's types by name, and blocks of floats."""

from allo_air.aie.building.arrays import dtype_to_str, str_to_dtype, v8bfp16ebs8, v16bfp16ebs16

__all__ = ["dtype_to_str", "str_to_dtype", "v8bfp16ebs8", "v16bfp16ebs16"]
