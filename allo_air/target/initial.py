"""Initial values of buffers as bytes."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.dialects.memrefs import element_bits
from allo_air.dtypes import is_known, numpy_dtype
from allo_air.errors import counted
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp


def initial_bytes(buffer: BufferOp) -> bytes | None:
    """The bytes of an `aie.buffer`'s initial value; None if it has none."""
    value = buffer.initial_value
    if value is None:
        return None
    memref = buffer.buffer.type
    count, bits = prod(memref.shape), element_bits(memref, index=32)
    if bits is None:
        raise error_at(buffer, f"has elements of type {memref.element_type}, whose width in memory is not known")
    width = -(-bits // 8)
    if not isinstance(value, ir.DenseElementsAttr):
        raise error_at(buffer, f"has an initial value of kind {type(value).__name__}; expected dense elements")
    if len(value) != count:
        raise error_at(buffer, f"has {counted(len(value), 'initial value')} for {counted(count, 'element')}")
    element = memref.element_type
    if not _enumerable(element):
        return _from_text(value, element, width, buffer)
    numbers = [v.value if hasattr(v, "value") else v for v in value]
    if isinstance(element, ir.FloatType):
        return np.array(numbers, f"f{width}").tobytes()
    mask = (1 << bits) - 1
    return np.array([int(n) & mask for n in numbers], f"u{width}").tobytes()


def _enumerable(element: ir.Type) -> bool:
    """Whether the bindings return the elements of this type one by one."""
    if isinstance(element, ir.IntegerType):
        return element.width in (1, 8, 16, 32, 64)
    return isinstance(element, ir.F32Type | ir.F64Type | ir.IndexType)


def _from_text(value: Any, element: ir.Type, width: int, buffer: ir.OpView) -> bytes:
    """The bytes of elements that the bindings do not enumerate, out of the attribute's text: `width` bytes for each."""
    text = str(value)
    body = text[text.index("<") + 1 : text.rindex("> :")]
    if body.startswith('"0x'):  # long lists are printed as their bytes
        return bytes.fromhex(body.strip('"')[2:])
    elements = [_element(n, element, width, buffer) for n in re.findall(r"0x[0-9A-Fa-f]+|[-+.\w]+", body)]
    return b"".join(elements * len(value) if value.is_splat else elements)


def _element(text: str, element: object, width: int, buffer: object) -> bytes:
    if text.startswith("0x"):  # infinities and NaNs are printed as their bits
        return int(text, 16).to_bytes(width, "little")
    if isinstance(element, ir.IntegerType):
        return (int(text) & (1 << element.width) - 1).to_bytes(width, "little")
    name = str(element)
    kind = numpy_dtype(name) if is_known(name) else _small_float(name)
    if kind is None:
        raise error_at(buffer, f"has an initial value of type {element}, whose bits are not known; write them as 0x...")
    return np.array(float(text)).astype(kind).tobytes()


def _small_float(name: str) -> Any | None:
    """The type of ml_dtypes for one of MLIR's floats of 8 bits or fewer, as f8E4M3FNUZ; None for none."""
    import ml_dtypes

    bits, _, rest = name.removeprefix("f").partition("E")
    return getattr(ml_dtypes, f"float{bits}_e{rest.lower()}", None)
