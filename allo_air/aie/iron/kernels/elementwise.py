"""Copies, scales and elementwise functions."""

from __future__ import annotations

import numpy as np

from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel

_LANES = {"ui8": 64, "i16": 32, "i32": 16}


def passthrough(tile_size: int = 4096, dtype: object = np.uint8) -> ExternalFunction:
    """(in, out, n): a copy."""
    kind = element(dtype, ("ui8", "i16", "i32"), "passthrough")
    macros = {"PASSTHROUGH": None, "DTYPE": c_type(kind), "LANES": _LANES[kind]}
    return kernel("passThroughLine", "moving.cc", macros, [array(kind, tile_size), array(kind, tile_size), np.int32])


def scale(tile_size: int = 1024, dtype: object = np.int16, vectorized: bool = True) -> ExternalFunction:
    """(in, out, factor[1], n): the input times the factor."""
    kind = element(dtype, ("i16", "i32"), "scale")
    macros = {"SCALE": None, "DTYPE": c_type(kind), "LANES": _LANES[kind]}
    types = [array(kind, tile_size), array(kind, tile_size), array("i32", 1), np.int32]
    return kernel("vector_scalar_mul_vector" if vectorized else "vector_scalar_mul_scalar", "moving.cc", macros, types)


def _bf16(symbol: str, macro: str, inputs: int, tile_size: int, dtype: object, *more: object) -> ExternalFunction:
    element(dtype, ("bf16",), macro.lower())
    types = [array("bf16", tile_size)] * (inputs + 1)
    return kernel(symbol, "elementwise.cc", {macro: None, "SIZE": tile_size}, [*types, *more])


def add(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(a, b, out) of bf16."""
    return _bf16("eltwise_add_bf16_vector", "ADD", 2, tile_size, dtype)


def mul(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(a, b, out) of bf16."""
    return _bf16("eltwise_mul_bf16_vector", "MUL", 2, tile_size, dtype)


def relu(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(in, out) of bf16."""
    return _bf16("bf16_relu", "RELU", 1, tile_size, dtype)


def gelu(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(in, out) of bf16: by tanh."""
    return _bf16("gelu_bf16", "GELU", 1, tile_size, dtype)


def silu(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(in, out) of bf16."""
    return _bf16("silu_bf16", "SILU", 1, tile_size, dtype)


def bf16_exp(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(in, out) of bf16."""
    return _bf16("exp_bf16_1024", "EXP", 1, tile_size, dtype)


def swiglu(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(x, w1, w2, out) of bf16: silu(x w1) x w2."""
    return _bf16("swiglu_bf16", "SWIGLU", 3, tile_size, dtype)


def softmax(tile_size: int = 1024, dtype: object = "bf16") -> ExternalFunction:
    """(in, out, n) of bf16: of all n elements."""
    return _bf16("softmax_bf16", "SOFTMAX", 1, tile_size, dtype, np.int32)
