"""Semantics of AIEVec's operations, in the dialects arith and vector."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects._aievec_moved import COMPARISON, arith_value
from allo_air.dialects._aievec_moved import NAMES as MOVED
from allo_air.dialects.aievec import AIEVEC
from allo_air.mlir import arith, ir, math, vector

NAMES = tuple(op.OPERATION_NAME for op in AIEVEC.ops())
_BINARY: dict[str, tuple[Any, Any]] = {
    "add_elem": (arith.addi, arith.addf),
    "sub_elem": (arith.subi, arith.subf),
    "min": (arith.minsi, arith.minimumf),
    "max": (arith.maxsi, arith.maximumf),
    "band": (arith.andi, None),
    "bor": (arith.ori, None),
    "bxor": (arith.xori, None),
}


def expand_aievec(root: ir.Operation) -> None:
    """Replaces the AIEVec operations in `root` by operations of arith and vector. Raises DiagnosticError if one has no
    equivalent.

    Before:

        %r = aievec.mac_elem %a, %b, %c : vector<16xbf16>, vector<16xbf16>, vector<16xf32>

    After:

        %x = arith.extf %a : vector<16xbf16> to vector<16xf32>
        %y = arith.extf %b : vector<16xbf16> to vector<16xf32>
        %p = arith.mulf %x, %y : vector<16xf32>
        %r = arith.addf %c, %p : vector<16xf32>
    """
    comparisons = []
    for op in walk_named(root, *NAMES):
        if op.name == COMPARISON:
            comparisons.append(op)  # part of the selects that use it
            continue
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(_expansion(op.opview))
        op.erase()
    for op in comparisons:
        if next(iter(op.results[0].uses), None) is not None:
            raise error_at(op, "is simulated as the mask of aievec.sel only; write arith.cmpi")
        op.erase()


def _expansion(op: ir.OpView) -> Any:
    name = op.OPERATION_NAME.removeprefix("aievec.")
    operands, result = list(op.operation.operands), op.operation.results[0].type
    if name in MOVED:
        return arith_value(name, op, operands, result)
    floats = isinstance(result.element_type, ir.FloatType)
    if name in _BINARY:
        return _BINARY[name][floats](*operands)
    match name:
        case "exp":
            return math.exp(operands[0])
        case "tanh":
            return math.tanh(operands[0])
        case "neg":
            return arith.negf(operands[0]) if floats else arith.subi(_splat(result, 0), operands[0])
        case "bneg":
            return arith.xori(operands[0], _splat(result, -1))
        case "mul_elem":
            return _product(operands, result)
        case "mac_elem":
            product = _product(operands[:2], result)
            if floats:
                return (arith.subf if op.fmsub else arith.addf)(operands[2], product)
            return (arith.subi if op.fmsub else arith.addi)(operands[2], product)
        case "broadcast":
            return vector.broadcast(result, vector.extract(operands[0], [], [op.idx or 0]))
        case "broadcast_scalar":
            return vector.broadcast(result, operands[0])
        case "cast" if operands[0].type == result:
            return operands[0]
        case "ups" if not floats:
            return arith.shli(_extended(operands[0], result), _splat(result, op.shift or 0))
        case "ups" if not op.shift:
            return _extended(operands[0], result)
        case "srs":
            return _shifted(operands, result)
    raise error_at(op, f"from {operands[0].type} to {result} is not simulated; write upstream's vector operations")


def _product(operands: list[ir.Value], item: Any) -> Any:
    a, b = (_extended(v, item) for v in operands)
    return arith.mulf(a, b) if isinstance(item.element_type, ir.FloatType) else arith.muli(a, b)


def _extended(value: ir.Value, item: Any) -> Any:
    """Lanes converted to the width of those of `item`; integers are signed."""
    if value.type == item:
        return value
    return arith.extf(item, value) if isinstance(item.element_type, ir.FloatType) else arith.extsi(item, value)


def _shifted(operands: list[ir.Value], item: Any) -> Any:
    """Lanes of an accumulator, shifted and converted to the type of `item`."""
    value, amount = operands
    if isinstance(item.element_type, ir.FloatType):
        return value if value.type == item else arith.truncf(item, value)
    wide = value.type.element_type
    if constant_of(amount) != 0:
        by = amount if wide.width == 32 else arith.extsi(wide, amount) if wide.width > 32 else arith.trunci(wide, amount)
        value = arith.shrsi(value, vector.broadcast(value.type, by))
    return value if value.type == item else arith.trunci(item, value)


def _splat(kind: ir.ShapedType, number: int) -> Any:
    element = ir.IntegerAttr.get(kind.element_type, number)
    return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, element))
