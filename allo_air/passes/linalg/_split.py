"""Splits a kernel at its contraction: its producers, and its epilogue, become kernels too."""

from __future__ import annotations

from math import prod

from allo_air.core.names import sym_name_of
from allo_air.mlir import ir
from allo_air.passes._ir.divided import compute_ops, divide
from allo_air.passes.linalg._contraction import extents_of

_CONFIGURES = 1 << 18
"""Smallest number of products for which a contraction gets a kernel of its own: computed by one core in scalar code, they take
as long as a few reconfigurations of the array (docs/sources.md#timing).
"""


def is_worth_a_kernel(contraction: ir.Operation) -> bool:
    """Whether the whole array computes `contraction` faster than one core, including the time of the further kernels."""
    return prod(extents_of(contraction).values()) >= _CONFIGURES


def split(function: ir.Operation, contraction: ir.Operation, why: str, *, also_after: bool = True) -> ir.Operation | None:
    """Makes the contraction of `function` a separate kernel and returns it; None if there is nothing to separate from it.

    The operations before and after it become further kernels. Without `also_after`, the epilogue stays with the contraction.
    """
    work = compute_ops(function)
    following = _transitive_users(contraction, work)
    before = [o for o in work if o != contraction and o not in following]
    if not before and not (also_after and following):
        return None
    name = sym_name_of(function)
    middle = [contraction, *([] if also_after else following)]
    parts = [(f"{name}_before", before), (name, middle), (f"{name}_after", following if also_after else [])]
    return divide(function, [(label, ops) for label, ops in parts if ops], why)[name]


def _transitive_users(contraction: ir.Operation, work: list[ir.Operation]) -> list[ir.Operation]:
    ops: list[ir.Operation] = []
    for op in work:
        if any(v.owner in (contraction, *ops) for v in op.operands if not isinstance(v, ir.BlockArgument)):
            ops.append(op)
    return ops
