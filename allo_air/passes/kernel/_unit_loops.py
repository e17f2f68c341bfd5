"""Rewrites contractions of micro-tiles that include surrounding loops of one iteration as plain matrix products."""

from __future__ import annotations

from math import prod

from allo_air.core.walking import defining_op
from allo_air.dialects.mac import PLAIN
from allo_air.dialects.mac import contract as product
from allo_air.mlir import AnyOp, ir, vector
from allo_air.passes.kernel._factors import adds

_EXTENSIONS = ("arith.extsi", "arith.extui")


def without_unit_loops(contract: ir.Operation) -> None:
    """Writes `contract` as the plain product of two matrices of extended integers, if its other loops have one trip.

    Before:
        %r = vector.contract {... nine loops ...} %x, %y, %c
          : vector<1x1x1x1x4x8xi32>, vector<1x1x1x1x8x8xi32> into vector<1x1x1x1x4x8xi32>
    After:
        %s = vector.contract {... (m, k), (k, n), (m, n) ...} : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>
        %r = vector.shape_cast %s : vector<4x8xi32> to vector<1x1x1x1x4x8xi32>
    """
    if len(contract.operands) != 3 or not adds(contract) or not (shapes := _matrices(contract)):
        return
    sources = [defining_op(v, *_EXTENSIONS) for v in list(contract.operands)[:2]]
    if any(source is None for source in sources):
        return
    with ir.InsertionPoint(contract), contract.location:
        a, b = (_extended(s, shape) for s, shape in zip(sources, shapes, strict=False))
        result = product(a, b, _cast(contract.operands[2], shapes[2]))
        contract.results[0].replace_all_uses_with(vector.shape_cast(contract.results[0].type, result))
    contract.erase()
    for source in sources:
        if not list(source.results[0].uses):
            source.erase()


def _matrices(contract: AnyOp) -> list[list[int]]:
    """The shapes of the three matrices; empty if loops with several iterations are not those of a matrix product."""
    maps = [m.value for m in contract.attributes["indexing_maps"]]
    shapes = [list(v.type.shape) for v in contract.operands]
    if len(shapes[2]) == len(PLAIN[2]) or not all(m.is_projected_permutation for m in maps):
        return []
    loops = [[ir.AffineDimExpr(e).position for e in m.results] for m in maps]
    long = [
        [d for d, n in zip(operand_loops, shape, strict=True) if n != 1]
        for operand_loops, shape in zip(loops, shapes, strict=True)
    ]
    if any(len(dims) != 2 for dims in long):
        return []
    (m, k), (_, n), _ = long
    squeezed = [[(m, n, k)[loop] for loop in loops_of] for loops_of in PLAIN]
    return [[n for n in shape if n != 1] for shape in shapes] if long == squeezed else []


def _extended(extension: AnyOp, shape: list[int]) -> ir.Value:
    value = _cast(extension.operands[0], shape)
    kind = ir.VectorType.get(shape, extension.results[0].type.element_type)
    return ir.Operation.create(extension.name, [kind], [value]).results[0]


def _cast(value: ir.Value, shape: list[int]) -> ir.Value:
    assert prod(shape) == prod(value.type.shape)
    return vector.shape_cast(ir.VectorType.get(shape, value.type.element_type), value)
