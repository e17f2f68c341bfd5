"""Initial values of buffers as bytes."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.dialects.memrefs import element_bits
from allo_air.dtypes import numpy_dtype
from allo_air.mlir import ir


def initial_bytes(buffer: Any) -> bytes | None:
    """The bytes of an `aie.buffer`'s initial value; None where it has none."""
    value = buffer.initial_value
    if value is None:
        return None
    memref = buffer.buffer.type
    count, bits = prod(memref.shape), element_bits(memref, index=32)
    if bits is None:
        raise error_at(buffer, f"has elements of type {memref.element_type}, whose width in memory is not known")
    width = -(-bits // 8)
    if not isinstance(value, ir.DenseElementsAttr):
        raise error_at(buffer, f"has an initial value of kind {type(value).__name__}; wanted dense elements")
    if len(value) != count:
        raise error_at(buffer, f"has {len(value)} initial values for {count} elements")
    element = memref.element_type
    if isinstance(element, ir.BF16Type | ir.F16Type):
        return _short_floats(value, element)
    numbers = [v.value if hasattr(v, "value") else v for v in value]
    if isinstance(element, ir.FloatType):
        return np.array(numbers, f"f{width}").tobytes()
    mask = (1 << bits) - 1
    if width not in (1, 2, 4, 8):
        return b"".join((int(n) & mask).to_bytes(width, "little") for n in numbers)
    return np.array([int(n) & mask for n in numbers], f"u{width}").tobytes()


def _short_floats(value: Any, element: Any) -> bytes:
    """The bytes of floats of 16 bits, which the bindings do not enumerate: out of the attribute's text."""
    kind = numpy_dtype(str(element))
    if value.is_splat:
        return np.full(len(value), value.get_splat_value().value, np.float64).astype(kind).tobytes()
    text = str(value)
    body = text[text.index("<") + 1 : text.rindex("> :")]
    if body.startswith('"0x'):  # long lists are printed as their bytes
        return bytes.fromhex(body[3:-1])
    numbers = re.findall(r"0x[0-9A-Fa-f]+|[-+.\w]+", body)  # infinities and NaNs are printed as their bits
    bits = [int(n, 16) if n.startswith("0x") else int(np.float64(n).astype(kind).view(np.uint16)) for n in numbers]
    return np.array(bits, np.uint16).tobytes()
