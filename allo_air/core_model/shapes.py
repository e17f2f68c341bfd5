"""The shape of a contraction: its sizes, and the types of its factors before extension."""

from __future__ import annotations

from functools import cache
from math import prod

from allo_air.arch import core_of
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


def is_block_float(op: ir.Operation, arch: str) -> bool:
    """Whether contraction `op` runs in block floating point on `arch`."""
    if not has_blocks(arch) or any(source_type(v) != "bf16" for v in list(op.operands)[:2]):
        return False
    result = core_of(arch).contraction("bf16", contraction_shape(op), str(op.operands[2].type.element_type))
    return result is not None and result.blocks


@cache
def has_blocks(arch: str) -> bool:
    """Whether `arch` has block floating point multiplication."""
    return any(c.blocks for c in core_of(arch).contractions)
