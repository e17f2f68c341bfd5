"""Semantics of AIEVec's operations on whole registers: parts, shifts, choices, matrix products."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import defining_op
from allo_air.dialects._enums import SHUFFLE_MODES
from allo_air.mlir import arith, ir, vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allo_air.mlir import AnyOp

NAMES = ("ext", "concat", "ext_elem", "shift", "shuffle", "sel", "pack", "unpack", "matmul", "matmul_aie2p")
_MODE = re.compile(r"t(8|16|32|64|128|256|512)_(\d+)x(\d+)(?:_(lo|hi))?")
COMPARISON = "aievec.cmp"
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOATS = {"eq": 1, "sgt": 2, "sge": 3, "slt": 4, "sle": 5, "ne": 13, "ugt": 2, "uge": 3, "ult": 4, "ule": 5}


def arith_value(name: str, op: ir.OpView, operands: Sequence[ir.Value], item: Any) -> Any:
    """The value of `op`, one of `NAMES`, in the dialects arith and vector."""
    match name:
        case "ext":
            return vector.extract_strided_slice(item, operands[0], [op.index * item.shape[0]], [item.shape[0]], [1])
        case "concat":
            return _concatenated(operands, item)
        case "ext_elem":
            place = arith.index_cast(ir.IndexType.get(), operands[1])
            return vector.extract(operands[0], [place], [ir.ShapedType.get_dynamic_size()])
        case "shift":
            return _shifted(op, operands, item)
        case "shuffle":
            return _shuffled(op, operands, item)
        case "sel":
            return _select(op, operands)
        case "unpack":
            return arith.extsi(item, operands[0])
        case "pack":
            return arith.trunci(item, operands[0])
    return _product(op, operands, item)


def _concatenated(operands: Sequence[ir.Value], item: Any) -> Any:
    zero = ir.DenseElementsAttr.get_splat(item, _zero(item.element_type))
    whole = arith.constant(item, zero)
    for number, part in enumerate(operands):
        whole = vector.insert_strided_slice(part, whole, [number * part.type.shape[0]], [1])
    return whole


def _zero(kind: ir.Type) -> Any:
    return ir.FloatAttr.get(kind, 0.0) if isinstance(kind, ir.FloatType) else ir.IntegerAttr.get(kind, 0)


def _shifted(op: object, operands: Sequence[ir.Value], item: Any) -> Any:
    by, count = constant_of(operands[2]), item.shape[0]
    element = item.element_type.width // 8
    if not isinstance(by, int) or by % element or not 0 <= by // element <= count:
        raise error_at(op, "is simulated for a constant number of whole lanes only; write vector.shuffle")
    return vector.shuffle(operands[0], operands[1], list(range(by // element, by // element + count)))


def _shuffled(op: ir.OpView, operands: Sequence[ir.Value], item: Any) -> Any:
    """A matrix of one register, or of two of which half is given, with its rows as columns."""
    mode = SHUFFLE_MODES[op.mode]
    match = _MODE.fullmatch(mode)
    size = item.shape[0] * item.element_type.width
    each, rows, columns = (int(match[i]) for i in (1, 2, 3)) if match else (0, 0, 0)
    half = match[4] if match else None
    if not match or len(item.shape) != 1 or each * rows * columns != size * (2 if half else 1):
        raise error_at(op, f"with mode '{mode}' on {item} is not simulated; write vector.shuffle")
    lanes = ir.VectorType.get([size // each], ir.IntegerType.get_signless(each))
    parts = [v if v.type == lanes else vector.bitcast(lanes, v) for v in operands]
    order = [row * columns + column for column in range(columns) for row in range(rows)]
    if half:
        order = order[: len(order) // 2] if half == "lo" else order[len(order) // 2 :]
    whole = vector.shuffle(parts[0], parts[-1], order)
    return whole if item == lanes else vector.bitcast(item, whole)


def _select(op: object, operands: Sequence[ir.Value]) -> Any:
    left, right, mask = operands
    compare = defining_op(mask)
    if compare is None or compare.name != COMPARISON:
        raise error_at(op, "is simulated beside the aievec.cmp that gives its bits only; write arith.select")
    pred = ir.StringAttr(compare.attributes["pred"]).value
    a, b = compare.operands
    if isinstance(a.type.element_type, ir.FloatType):
        condition = arith.cmpf(_FLOATS[pred], a, b)
    else:
        condition = arith.cmpi(_PREDICATES.index(pred), a, b)
    return arith.select(condition, right, left)


def _product(op: AnyOp, operands: Sequence[ir.Value], item: Any) -> Any:
    """A matrix product. On AIE2 the signs of integers are decided later, so it is not simulated."""
    floats = isinstance(item.element_type, ir.FloatType)
    if not floats and op.operation.name == "aievec.matmul":
        raise error_at(op, "of integers is not simulated, as the tool chain chooses their signs; write vector.contract")
    left, right = [
        v if v.type.element_type == item.element_type else _extended(v, item.element_type, floats) for v in operands[:2]
    ]
    m, n, k = [ir.AffineDimExpr.get(i) for i in range(3)]
    maps = [ir.AffineMap.get(3, 0, results) for results in ([m, k], [k, n], [m, n])]
    kinds = [ir.Attribute.parse(f"#vector.iterator_type<{word}>") for word in ("parallel", "parallel", "reduction")]
    return vector.contract(
        item,
        left,
        right,
        operands[2],
        ir.ArrayAttr.get([ir.AffineMapAttr.get(map_) for map_ in maps]),
        ir.ArrayAttr.get(kinds),
    )


def _extended(value: ir.Value, element: ir.Type, floats: bool) -> Any:
    kind = ir.VectorType.get(list(value.type.shape), element)
    return arith.extf(kind, value) if floats else arith.extsi(kind, value)
