"""Initial values of buffers as bytes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.mlir import ir
from allo_air.sim.layout import bits_of


def initial_bytes(buffer: Any) -> bytes | None:
    """The bytes of an `aie.buffer`'s initial value; None where it has none."""
    value = buffer.initial_value
    if value is None:
        return None
    memref = buffer.buffer.type
    count, bits = prod(memref.shape), bits_of(buffer, memref)
    values = list(value) if isinstance(value, ir.DenseElementsAttr) else None
    if values is None:
        raise error_at(buffer, f"has an initial value of kind {type(value).__name__}; wanted dense elements")
    if len(values) != count:
        raise error_at(buffer, f"has {len(values)} initial values for {count} elements")
    numbers = [v.value if hasattr(v, "value") else v for v in values]
    element = memref.element_type
    if isinstance(element, ir.BF16Type):
        import ml_dtypes

        return np.array(numbers, np.float32).astype(ml_dtypes.bfloat16).tobytes()
    if isinstance(element, ir.FloatType):
        return np.array(numbers, f"f{bits // 8}").tobytes()
    mask = (1 << bits) - 1
    return np.array([int(n) & mask for n in numbers], f"u{bits // 8}").tobytes()
