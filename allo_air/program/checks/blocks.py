"""Emulates block floating point in the interpreter: factors are rounded before the product, as cores round them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.functions import call_function, declare_function
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.mlir import AnyOp, ir, linalg

if TYPE_CHECKING:
    import numpy as np

BLOCK, STEP = 8, 2.0**-6
"""8 numbers along the sum share an exponent. With mantissas of 8 bits, a step is at most 2^-6 of the largest number."""


def round_factors(module: AnyOp) -> dict[str, Any]:
    """Rounds the factors of each bf16 contraction and convolution in `module` to blocks along the innermost sum (in a
    convolution, along the channels).

    The rounding is a call of functions, which are returned for the interpreter's `libraries`. Blocks start at multiples of 8,
    as packed tiles do.
    """
    libraries: dict[str, Any] = {}
    for op in walk_post_order(module):
        if not op.name.startswith("linalg.") or not (linalg.isa_contraction_op(op) or linalg.isa_convolution_op(op)):
            continue
        factors = list(op.operands)[:2]
        if any(str(v.type.element_type) != "bf16" for v in factors):
            continue
        maps = [a.value for a in linalg.get_indexing_maps(op)]
        sums = [d for d in _loops(maps[0]) if d is not None and d not in _loops(maps[2]) and d in _loops(maps[1])]
        for n, (value, of) in enumerate(zip(factors, maps[:2], strict=True)) if sums else ():
            along = _loops(of).index(max(sums))
            op.operands[n] = _call(module, op, value, along)
            libraries[_name(value, along)] = lambda array, along=along: (rounded(array, along),)
    return libraries


def rounded(array: np.ndarray, along: int) -> Any:
    """`array` with blocks of 8 along a dimension rounded to the nearest multiple of a step (ties to even), at most 127 steps.

    The step is 2^-6 of the power of two of the block's largest magnitude. Blocks with an infinity or a NaN are unchanged.
    """
    import numpy as np

    values = np.moveaxis(array.astype(np.float64), along, -1)
    size = values.shape[-1]
    blocks = np.zeros((*values.shape[:-1], -(-size // BLOCK) * BLOCK))
    blocks[..., :size] = values
    blocks = blocks.reshape(*values.shape[:-1], -1, BLOCK)
    most = np.abs(blocks).max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        step = np.ldexp(STEP, np.frexp(most)[1] - 1)
        inside = np.where(np.isfinite(most), np.clip(np.rint(blocks / step), -128, 127) * step, blocks)
    inside = inside.reshape(*values.shape[:-1], -1)[..., :size]
    return np.moveaxis(inside, -1, along).astype(array.dtype)


def _loops(of: ir.AffineMap) -> list[int | None]:
    """For each dimension, its loop; None if the index is a sum of loops, as in a window."""
    return [ir.AffineDimExpr(e).position if isinstance(e, ir.AffineDimExpr) else None for e in of.results]


def _name(value: ir.Value, along: int) -> str:
    return f"bfp16_{'x'.join(map(str, value.type.shape))}_{along}"


def _call(module: AnyOp, op: ir.Operation, value: ir.Value, along: int) -> Any:
    """Inserts a call of the function that rounds `value` before `op`; returns its result."""
    name, kind = _name(value, along), ir.FunctionType.get([value.type], [value.type])
    if name not in {sym_name_of(f) for f in walk_named(module, "func.func")}:
        with op.location:
            declare_function(name, kind, ip=ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]))
    with ir.InsertionPoint(op), op.location:
        return call_function(name, [value.type], [value]).results[0]
