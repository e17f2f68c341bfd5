"""Rules of AIEVec's operations: lanes agree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from allo_air.dialects._rules import Report, rule
from allo_air.dialects.aievec import LANE_WISE
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aievec_registers import CmpOp, MatMulAIE2POp, MatMulOp

_SAME = ("add_elem", "sub_elem", "min", "max", "band", "bor", "bxor", "neg", "bneg")
_BITS = ("band", "bor", "bxor", "bneg")
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_MASKS = (32, 64)


@rule(*LANE_WISE)
def lanes(op: AnyOp, report: Report) -> None:
    """Results are vectors; vector operands have the same number of lanes, and the same type unless the operation converts."""
    name = op.operation.name.removeprefix("aievec.")
    type_ = op.operation.results[0].type
    if not isinstance(type_, ir.VectorType):
        report.error(op, f"gives a {type_}; expected a vector")
        return
    for value in op.operation.operands:
        if isinstance(value.type, ir.VectorType) and name != "broadcast" and list(value.type.shape) != list(type_.shape):
            report.error(op, f"takes a {value.type}, and gives a {type_}; lanes must agree")
            return
        if name in _SAME and value.type != type_:
            report.error(op, f"takes a {value.type}, and gives a {type_}; the types must be the same")
            return
    if name in _BITS and not isinstance(type_.element_type, ir.IntegerType):
        report.error(op, f"takes bits of a {type_}; expected integers")


@rule("aievec.cmp")
def mask_of_comparison(op: CmpOp, report: Report) -> None:
    """Lanes of one type are compared by a known predicate; the result is a word with a bit for each."""
    left, right, result = op.lhs.type, op.rhs.type, op.result.type
    if op.pred not in _PREDICATES:
        report.error(op, f"has predicate '{op.pred}'; allowed: {', '.join(_PREDICATES)}")
    elif not isinstance(left, ir.VectorType) or left != right:
        report.error(op, f"compares a {left} with a {right}; expected two vectors of one type")
    elif not isinstance(result, ir.IntegerType) or result.width not in _MASKS or result.width < math.prod(left.shape):
        report.error(
            op,
            f"gives a {result} for {counted(math.prod(left.shape), 'lane')}; expected an integer of 32 or 64 "
            f"bits, one for each lane",
        )


@rule("aievec.matmul", "aievec.matmul_aie2p")
def shapes_of_product(op: MatMulOp | MatMulAIE2POp, report: Report) -> None:
    """Matrices of M x K and K x N are added to one of M x N."""
    kinds = [op.lhs.type, op.rhs.type, op.acc.type]
    if not all(isinstance(kind, ir.VectorType) and len(kind.shape) == 2 for kind in kinds) or op.acc.type != op.result.type:
        report.error(op, f"multiplies a {kinds[0]} by a {kinds[1]} into a {op.result.type}; expected vectors of two dimensions")
        return
    (m, k), (k2, n), total = (list(kind.shape) for kind in kinds)
    if k != k2 or total != [m, n]:
        report.error(op, f"multiplies {m}x{k} by {k2}x{n} into {total[0]}x{total[1]}; expected MxK by KxN into MxN")
