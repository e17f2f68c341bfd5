"""Sums, least and greatest elements."""

from __future__ import annotations

import numpy as np

from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel

_LANES = {"i32": 16, "bf16": 32}


def _reduced(symbol: str, macro: str, kind: str, tile_size: int) -> ExternalFunction:
    macros = {macro: None, "DTYPE": c_type(kind), "LANES": _LANES[kind]}
    out = 1 if kind == "i32" else 2  # DMAs move words
    return kernel(symbol, "reduce.cc", macros, [array(kind, tile_size), array(kind, out), np.int32])


def reduce_add(tile_size: int = 1024, dtype: object = np.int32) -> ExternalFunction:
    """(in, out[1], n): the sum."""
    return _reduced("reduce_add_vector", "ADD", element(dtype, ("i32",), "reduce_add"), tile_size)


def reduce_min(tile_size: int = 1024, dtype: object = np.int32) -> ExternalFunction:
    """(in, out[1], n): the least element."""
    return _reduced("reduce_min_vector", "MIN", element(dtype, ("i32",), "reduce_min"), tile_size)


def reduce_max(tile_size: int = 1024, dtype: object = np.int32) -> ExternalFunction:
    """(in, out, n): the greatest element; for bf16, the output has two elements, of which the first is the result."""
    kind = element(dtype, ("i32", "bf16"), "reduce_max")
    return _reduced("reduce_max_vector" + ("_bfloat16" if kind == "bf16" else ""), "MAX", kind, tile_size)


def compute_max(dtype: object = np.int32) -> ExternalFunction:
    """(a[1], b[1], out[1]): the greater of both."""
    kind = element(dtype, ("i32", "bf16"), "compute_max")
    count = 1 if kind == "i32" else 2
    return kernel("compute_max", "reduce.cc", {"PAIR": None, "DTYPE": c_type(kind)}, [array(kind, count)] * 3)
