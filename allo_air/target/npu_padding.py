"""Zeros that the BD of a memtile's task sends around its data."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import MEM_BD
from allo_air.dialects._places import size_stride_pairs

_PADDED = 2
"""The number of dimensions that can pad: the length ends a task's third dimension, and the fourth is its iteration."""


def padding_of(bd: Any, kind: str, dimensions: int, bits: int, *, sends: bool = True) -> tuple[tuple[int, int], ...]:
    """Elements before and after each dimension, innermost first; empty without padding."""
    if bd.pad_dimensions is None:
        return ()
    pads = size_stride_pairs(bd.pad_dimensions)[::-1]
    if kind != "mem":
        raise error_at(bd, f"Padding is only supported by memtile dma bds. Found it in a {kind} tile")
    if not sends and any(map(any, pads)):
        raise error_at(bd, "pads what an S2MM channel receives; only MM2S channels send zeros: pad in the task that sends")
    if len(pads) != dimensions:
        raise error_at(
            bd,
            "Mismatch number of dimensions between padding(s) and wrap(s) and stride(s). Found "
            f"{len(pads)} paddings, {dimensions} dimensions",
        )
    for where, count in zip(("before", "after"), pads[0] if pads else (), strict=False):
        if count * bits % 32:
            raise error_at(bd, f"Inner-most padding-{where} count must result in padding in 32-bit words.")
    for dim, pad in enumerate(pads):
        most = (1 << MEM_BD.pad_bits[dim]) - 1 if dim < _PADDED else 0
        count = max(pad) * bits // 32 if dim == 0 else max(pad)
        if count > most and dim < _PADDED:
            raise error_at(bd, f"pads dimension {dim}, counted from the innermost, by {count}; at most {most} fit its field")
        if count > most:
            raise error_at(
                bd,
                f"pads dimension {dim}, counted from the innermost; a task's BD pads the {_PADDED} innermost: pad in the"
                " memtile's DMA program",
            )
    return tuple(pads) if any(before or after for before, after in pads) else ()
