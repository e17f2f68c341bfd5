"""What the buffer descriptors of each kind of tile can walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.arch.limits import MAX_REPEAT, MAX_SIZE, MAX_STRIDE
from allo_air.device import CORE_BD, MEM_BD, SHIM_BD, BDFormat
from allo_air.mlir import ir
from allo_air.passes._analysis.access import Dim
from allo_air.passes._analysis.memory import space


@dataclass(frozen=True)
class Limits:
    """The walks that a tile's DMA can do over elements of `bits`; a leading stride of 0 is a repetition of the task."""

    format: BDFormat
    dimensions: int
    max_size: int
    max_stride: int
    bits: int

    @classmethod
    def of(cls, memref_type: Any) -> Limits | None:
        """The limits for a buffer of this type, by its memory space; None where the space or the element says nothing."""
        element = memref_type.element_type
        if not isinstance(element, (ir.IntegerType, ir.FloatType)):
            return None
        try:
            level = space(memref_type)
        except ValueError:
            return None
        if level == 0:  # the fourth dimension is the iteration
            return cls(SHIM_BD, SHIM_BD.dimensions + 1, SHIM_BD.max_wraps[1], SHIM_BD.max_step, element.width)
        form = {1: MEM_BD, 2: CORE_BD}.get(level)
        return None if form is None else cls(form, form.dimensions, MAX_SIZE, MAX_STRIDE, element.width)

    def allow(self, dims: Sequence[Dim]) -> bool:
        """Whether one buffer descriptor can walk `dims`, outermost first; a run of neighbours needs no dimensions."""
        known = [(d.size.constant, d.stride.constant) for d in dims if d.size and d.stride and d.size.is_constant]
        if len(known) != len(dims) or any(d.stride is None or not d.stride.is_constant for d in dims):
            return False
        if known and known[0][1] == 0:
            repeats, known = known[0][0], known[1:]
            if repeats > MAX_REPEAT:
                return False
        if not known or (len(known) == 1 and known[0][1] == 1):
            return True
        if len(known) > self.dimensions or (self.bits != 32 and known[-1][1] != 1):
            return False
        if self.format is SHIM_BD and len(known) == self.dimensions and known[0][0] > SHIM_BD.max_iterations:
            return False
        return all(self._allow(i, size, stride) for i, (size, stride) in enumerate(reversed(known)))

    def _allow(self, i: int, size: int, stride: int) -> bool:
        """Whether dimension `i`, 0 the innermost, can have this size and stride."""
        wraps = self.format.max_wraps
        units = -(-size * self.bits // 32) if i == 0 else size
        words = stride * self.bits // 32
        fits_fields = (i >= len(wraps) or units <= wraps[i]) and words <= self.format.max_step
        return fits_fields and 0 < stride <= self.max_stride and size <= self.max_size
