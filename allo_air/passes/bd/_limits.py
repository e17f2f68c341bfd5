"""The access patterns that the buffer descriptors of each kind of tile support."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.access.fields import WORD
from allo_air.access.fit import Limits, of_wraps
from allo_air.access.pattern import Dim
from allo_air.arch.limits import MAX_REPEAT
from allo_air.device import CORE_BD, MEM_BD, SHIM_BD
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import space

_SHIM_SIZE = SHIM_BD.max_wraps[1]


def limits_of(memref_type: ir.MemRefType) -> Limits | None:
    """The limits for a buffer of this type, by its memory space; None if the space or the element has none."""
    element = memref_type.element_type
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        return None
    try:
        level = space(memref_type)
    except ValueError:
        return None
    if level == 0:  # the fourth dimension is the iteration count of the descriptor
        sizes = [min(_SHIM_SIZE, most) for most in (*of_wraps(SHIM_BD, element.width), _SHIM_SIZE)]
        return Limits(SHIM_BD, element.width, (*sizes, SHIM_BD.max_iterations), SHIM_BD.max_step)
    form = {1: MEM_BD, 2: CORE_BD}.get(level)
    return None if form is None else Limits.of_program(form, element.width)


def allows(limits: Limits, dims: Sequence[Dim]) -> bool:
    """Whether one buffer descriptor supports `dims`, outermost first; a leading stride of 0 is a repetition of the task."""
    constant_dims = [(d.size.constant, d.stride.constant) for d in dims if d.size and d.stride and d.size.is_constant]
    if len(constant_dims) != len(dims) or any(d.stride is None or not d.stride.is_constant for d in dims):
        return False
    if constant_dims and constant_dims[0][1] == 0:
        repeats, constant_dims = constant_dims[0][0], constant_dims[1:]
        if repeats > MAX_REPEAT:
            return False
    words = prod(size for size, _ in constant_dims) * limits.bits // WORD
    return words <= limits.form.max_words and limits.allow(constant_dims)
