"""Converts Python arguments to attributes of the aie dialect."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.dialects._places import paired
from allo_air.errors import counted
from allo_air.mlir import ir


def pairs_of(items: Any, who: str) -> tuple[tuple[int, int], ...]:
    """Pairs of integers, such as (size, stride)."""
    if items is None:
        return ()
    pairs = []
    for pair in items:
        both = (pair.size, pair.stride) if hasattr(pair, "stride") else tuple(pair)
        if len(both) != 2:
            raise IronTypeError(f"{who}: {items!r} is not a list of pairs (size, stride)")
        pairs.append((int(both[0]), int(both[1])))
    return tuple(pairs)


def dims(dimensions: object, who: str) -> Any:
    """A list of dimensions, which may be empty."""
    return paired(pairs_of(dimensions, who), "bd_dim_layout_array") or ir.Attribute.parse("#aie.bd_dim_layout_array<[]>")


def dims_of_each(dims_lists: Sequence[object], count: int, who: str) -> Any:
    """A list of dimensions for each consumer."""
    lists = list(dims_lists) if dims_lists else [()] * count
    if len(lists) != count:
        raise IronValueError(
            f"{who}: {counted(len(lists), 'list')} of dimensions for {counted(count, 'consumer')}; give one for each"
        )
    texts = [_list(pairs_of(each, who)) for each in lists]
    return ir.Attribute.parse(f"#aie.bd_dim_layout_array_array<[{', '.join(texts)}]>")


def pads(padding: object, who: str) -> Any:
    """Pads before and after; None without any."""
    return paired(pairs_of(padding, who), "bd_pad_layout_array")


def packet(packet_info: Any) -> Any:
    """`(type, id)`, an attribute, or text; None without any."""
    if packet_info is None or isinstance(packet_info, ir.Attribute):
        return packet_info
    if isinstance(packet_info, str):
        return ir.Attribute.parse(packet_info)
    kind, number = packet_info if isinstance(packet_info, tuple | list) else (packet_info.pkt_type, packet_info.pkt_id)
    return ir.Attribute.parse(f"#aie.packet_info<{int(kind)} : i16, {int(number)} : i16>")


def dense(values: object, type: ir.Type, who: str) -> Any:
    """The initial contents of a buffer of memref type `type`."""
    import numpy as np

    from allo_air.dtypes import numpy_dtype

    shaped = ir.MemRefType(type)
    element = str(shaped.element_type)
    array = np.asarray(values, dtype=numpy_dtype(element))
    if tuple(array.shape) != tuple(shaped.shape):
        raise IronValueError(f"{who}: the initial value has shape {list(array.shape)}, expected {list(shaped.shape)}")
    word = "memref" if who == "objectfifo" else "tensor"
    extents = "".join(f"{n}x" for n in shaped.shape)
    first = array.flat[0] if array.size else 0
    same = array.tobytes() == np.asarray(first, array.dtype).tobytes() * array.size
    body = _number(first, element) if same else _numbers(array.tolist(), element)
    return ir.Attribute.parse(f"dense<{body}> : {word}<{extents}{element}>")


def fifo_type(kind: object, who: str) -> Any:
    """`!aie.objectfifo<memref>`."""
    return ir.Type.parse(f"!aie.objectfifo<{mlir_type(kind, who)}>")


def _list(pairs: Iterable[tuple[int, int]]) -> str:
    return f"[{', '.join(f'array<i64: {a}, {b}>' for a, b in pairs)}]"


def _numbers(numbers: object, element: str) -> str:
    return f"[{', '.join(_numbers(v, element) for v in numbers)}]" if isinstance(numbers, list) else _number(numbers, element)


def _number(number: Any, element: str) -> str:
    if not element.lstrip("b").startswith("f"):
        return str(int(number))
    if isfinite(float(number)):
        return f"{float(number):.16e}"
    import numpy as np

    from allo_air.dtypes import numpy_dtype

    bits = np.asarray(number, numpy_dtype(element)).tobytes()  # the assembly has no syntax for infinity and NaN
    return f"0x{int.from_bytes(bits, sys.byteorder):0{2 * len(bits)}X}"
