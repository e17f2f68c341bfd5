"""The shape of a contraction: its sizes, and the types of its factors before extension."""

from __future__ import annotations

from math import prod

from allo_air.core.walking import is_result_of
from allo_air.mlir import ir

_TRANSPARENT = ("arith.extf", "arith.extsi", "arith.extui", "vector.shape_cast")


def source_type(value: ir.Value) -> str:
    """The element type of a factor before its extension to the accumulator's type: the type that the multiplier takes."""
    while is_result_of(value, *_TRANSPARENT):
        value = value.owner.operands[0]
    kind = value.type
    return str(kind.element_type if isinstance(kind, ir.VectorType) else kind)


def contraction_shape(op: ir.Operation) -> tuple[int, int, int]:
    """M, K, N of a `vector.contract`: the sizes of rows, reduction and columns (products if there are several dimensions)."""
    maps = [a.value for a in op.attributes["indexing_maps"]]
    sizes: dict[int, int] = {}
    for value, mapping in zip(list(op.operands)[:2], maps, strict=False):
        for expression, size in zip(mapping.results, value.type.shape, strict=True):
            sizes[expression.position] = size
    in_a, in_b = ({e.position for e in m.results} for m in maps[:2])
    out = {e.position for e in maps[2].results}
    m, k, n = (prod(sizes[d] for d in group) for group in (in_a & out, (in_a | in_b) - out, (in_b & out) - in_a))
    return m, k, n
