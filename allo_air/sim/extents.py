"""Finds BDs that extend beyond their buffer into another buffer of the tile. Registers do not show this, since they have no
buffers.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from allo_air.access.dims import span
from allo_air.dialects._places import size_stride_pairs
from allo_air.errors import Diagnostic, placeless
from allo_air.sim.hints import ADVICE
from allo_air.sim.layout import Layout
from allo_air.sim.naming import position_of
from allo_air.sim.programs import Descriptor
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp

KIND = "out-of-buffer"


def out_of_buffer(layout: Layout, descriptors: list[Descriptor]) -> list[Finding]:
    """Returns a finding for each BD of the device's DMA programs with elements outside of its buffer."""
    findings = []
    for descriptor in descriptors:
        bd = descriptor.op
        elements = prod(bd.buffer.type.shape)
        last = last_element(bd)
        if last < elements:
            continue
        buffer = layout.buffers[bd.buffer]
        file, line, column = position_of(bd)
        message = (
            f"{KIND}: BD {descriptor.number} of tile {descriptor.tile} reaches element {last} of buffer {buffer.name} of tile "
            f"{buffer.tile}, which has {elements}"
        )
        notes = (placeless("note", ADVICE[KIND]),)
        diagnostic = Diagnostic("error", file, line, column, message, notes)
        findings.append(Finding(KIND, 0, descriptor.tile, "dma", "", "", buffer.name, diagnostic))
    return findings


def last_element(bd: DMABDOp) -> int:
    """The largest index of an element that an `aie.dma_bd` moves, from its offset, length and dimensions."""
    length = bd.len if bd.len is not None else prod(bd.buffer.type.shape)
    dims = size_stride_pairs(bd.dimensions)[::-1] if bd.dimensions is not None else []
    if not dims:
        return int(bd.offset + length - 1)
    if bd.pad_dimensions is not None:
        return span(dims, bd.offset)[1]
    return int(bd.offset + _largest(dims, length - 1))


def _largest(dims: list[tuple[int, int]], last: int) -> int:
    """The largest offset of elements 0 to `last` of (size, stride) pairs, innermost first; the outermost has no end."""
    digits = []
    for size, _ in dims[:-1]:
        digits.append(last % size)
        last //= size
    digits.append(last)
    best = sum(d * stride for d, (_, stride) in zip(digits, dims, strict=True))
    for i, digit in enumerate(digits):  # one less in dimension i, and all that is inside of it to the end
        if digit:
            _, inner = span(dims[:i])
            outer = sum(d * stride for d, (_, stride) in zip(digits[i + 1 :], dims[i + 1 :], strict=True))
            best = max(best, inner + (digit - 1) * dims[i][1] + outer)
    return best
