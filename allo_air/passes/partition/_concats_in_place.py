"""Concatenations whose result is one run of each part after the other: the kernels of the parts write into its buffer."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import IN_PLACE
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes.partition._roles import VIEWS, base
from allo_air.passes.partition._streams import LEAST
from allo_air.passes.partition._wide_concat import MOST

_VECTOR = 512
"""Bits of a core's vector."""


def mark_concats(function: AnyOp) -> None:
    """Marks the concatenations of `function` that need no kernel.

    Small ones of few parts are not marked: a core computes them together with the adjacent operations.
    """
    taken = {base(v) for v in function.operation.regions[0].blocks[-1].operations[-1].operation.operands}
    for op in walk_named(function, "tensor.concat"):
        parts = [base(v) for v in op.operands]
        is_alone = op.parent == function.operation and len(set(parts)) == len(parts) and taken.isdisjoint(parts)
        if is_alone and _is_run(op) and all(map(_has_maker, parts)):
            op.attributes[IN_PLACE] = ir.UnitAttr.get(op.context)
            taken.update(parts)


def _is_run(op: ir.Operation) -> bool:
    """Whether `op` has many parts or a large result, and each part is one run of whole vectors of the result.

    Kernels may lengthen other parts to whole vectors, so that each would need a copy.
    """
    kind, bits, dim = op.results[0].type, element_bits(op.results[0].type), op.attributes["dim"].value
    kinds = [v.type for v in op.operands]
    if bits is None or not all(k.has_static_shape for k in (kind, *kinds)) or prod(kind.shape[:dim]) != 1:
        return False
    is_worth = len(kinds) > MOST or prod(kind.shape) * bits >= 8 * LEAST
    return is_worth and not any(prod(k.shape) * bits % _VECTOR for k in kinds)


def _has_maker(value: Any) -> bool:
    """Whether a computation gives `value`, and not a movement or a constant."""
    return (
        not isinstance(value, ir.BlockArgument) and value.owner.name != "linalg.fill" and is_structured(value.owner.operation)
    )


def is_taken(value: ir.Value) -> bool:
    """Whether a tensor, or a reshape of it, is in the buffer of a longer tensor, or a result of the function."""
    users = [u.owner.operation for u in value.uses]
    views = (u.results[0] for u in users if u.name in VIEWS)
    return any(u.name in ("tensor.insert_slice", "func.return") for u in users) or any(map(is_taken, views))


def is_placed(value: ir.Value) -> bool:
    """Whether a tensor, or a reshape of it, is a part of a concatenation in the place where its kernel writes it."""
    users = [u.owner.operation for u in value.uses]
    return any(IN_PLACE in u.attributes or (u.name in VIEWS and is_placed(u.results[0])) for u in users)
