"""Accumulates a matrix multiplication in the narrow type of its cast result: sums are rounded after each step along k."""

from __future__ import annotations

from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.tensors import filled

_BODY = ["arith.truncf", "linalg.yield"]


def is_rounded(epilogue: list[AnyOp]) -> bool:
    """Whether the epilogue of a matrix multiplication is only a cast to a shorter float."""
    if len(epilogue) != 1 or len(epilogue[0].operands) != 2:
        return False
    [op] = epilogue
    identity = ir.AffineMap.get_identity(len(op.results[0].type.shape))
    return _names(op) == _BODY and all(m == identity for m in indexing_maps(op))


def narrow(matmul: AnyOp, cast: AnyOp) -> None:
    """Makes `matmul` accumulate in the type of `cast`: products and sums are computed in the wide type, and the sum is
    rounded.

    Before: `%r = linalg.matmul ... -> tensor<..xf32>; %c = linalg.generic { arith.truncf } ins(%r)`
    After:  `%c = linalg.matmul { ...; extf %out; addf; truncf } ... -> tensor<..xbf16>`
    """
    kind = cast.results[0].type
    fill = matmul.operands[2].owner
    with ir.InsertionPoint(matmul), matmul.location:
        wide = fill.operands[0].owner.attributes["value"].value
        start = arith.constant(kind.element_type, wide)
        matmul.operands[2] = filled(start, kind)
    matmul.results[0].set_type(kind)
    cast.results[0].replace_all_uses_with(matmul.results[0])
    cast.erase()
    if not list(fill.results[0].uses):
        fill.erase()
    _round(matmul, kind.element_type)


def _round(contraction: AnyOp, element: ir.Type) -> None:
    """Changes the body of `contraction` to an accumulator of type `element`: it is extended before use, the sum truncated."""
    [block] = contraction.regions[0].blocks
    out, end = block.arguments[2], block.operations[-1].operation
    kind = out.type
    out.set_type(element)
    first = block.operations[0].operation
    with ir.InsertionPoint(first), contraction.location:
        extended = arith.extf(kind, out)
    for use in list(out.uses):
        if (user := use.owner.operation) != extended.owner.operation:
            user.operands[use.operand_number] = extended
    with ir.InsertionPoint(end), contraction.location:
        end.operands[0] = arith.truncf(element, end.operands[0])


def _names(op: AnyOp) -> list[str]:
    return [o.operation.name for o in op.regions[0].blocks[0].operations]
