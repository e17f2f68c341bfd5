"""Expands operations for which MLIR has no lowering to LLVM, before code is compiled for the host; refuses those that cannot
be expanded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import arith, ir, math

LIBRARY = "convert-math-to-funcs{min-width-of-fpowi-exponent=1 convert-ctlz=0}"
"""The pass of MLIR for `math.ipowi` and `math.fpowi`, which become functions of loops."""

_SMALL = ("bf16", "f16")


def expand_operations(root: ir.Operation) -> None:
    """Expands operations in `root`. Raises DiagnosticError for those that have no lowering and cannot be expanded.

    Before: `%r = math.clampf %x to [%a, %b] : f32`; after: `arith.minimumf` of `arith.maximumf` of %x and %a, and %b.
    """
    for op in walk_named(root, *_RULES):
        with ir.InsertionPoint(op), op.location:
            values = _RULES[op.name](op)
        if values is not None:
            for old, new in zip(op.results, values, strict=True):
                old.replace_all_uses_with(new)
            op.erase()


def _element(kind: ir.Type) -> Any:
    return kind.element_type if isinstance(kind, ir.ShapedType) else kind


def _with_element(kind: object, element: ir.Type) -> Any:
    return ir.VectorType.get(kind.shape, element) if isinstance(kind, ir.VectorType) else element


def _constant(kind: ir.Type, number: float) -> Any:
    element = _element(kind)
    is_float = isinstance(element, ir.FloatType)
    attribute = ir.FloatAttr.get(element, number) if is_float else ir.IntegerAttr.get(element, int(number))
    return arith.constant(
        kind, ir.DenseElementsAttr.get_splat(kind, attribute) if isinstance(kind, ir.VectorType) else attribute
    )


def _clamp(op: ir.Operation) -> list[Any]:
    value, low, high = op.operands
    return [arith.minimumf(arith.maximumf(value, low), high)]


def _least_normal(element: object) -> float:
    return {"f16": 2.0**-14, "f64": 2.0**-1022}.get(str(element), 2.0**-126)


def _magnitude(op: ir.Operation) -> Any:
    return math.absf(op.operands[0])


def _is_infinite(op: ir.Operation) -> list[Any]:
    size = _magnitude(op)
    return [arith.cmpf(arith.CmpFPredicate.OEQ, size, _constant(size.type, float("inf")))]


def _is_normal(op: ir.Operation) -> list[Any]:
    size = _magnitude(op)
    least = _constant(size.type, _least_normal(_element(size.type)))
    finite = arith.cmpf(arith.CmpFPredicate.OLT, size, _constant(size.type, float("inf")))
    return [arith.andi(finite, arith.cmpf(arith.CmpFPredicate.OGE, size, least))]


def _flush(op: ir.Operation) -> list[Any]:
    value, size = op.operands[0], _magnitude(op)
    small = arith.cmpf(arith.CmpFPredicate.OLT, size, _constant(size.type, _least_normal(_element(size.type))))
    return [arith.select(small, math.copysign(_constant(size.type, 0.0), value), value)]


def _convert(op: ir.Operation) -> list[Any]:
    """Converts between two 16-bit types through f32, which represents all values of both."""
    kind = op.results[0].type
    return [arith.truncf(kind, arith.extf(_with_element(kind, ir.F32Type.get()), op.operands[0]))]


def _fma(op: ir.Operation) -> list[Any] | None:
    kind = op.results[0].type
    if str(_element(kind)) not in _SMALL:
        return None
    wide = [arith.extf(_with_element(kind, ir.F32Type.get()), value) for value in op.operands]
    return [arith.truncf(kind, math.fma(*wide))]


def _add_with_carry(op: ir.Operation) -> list[Any]:
    a, b = op.operands
    total = arith.addi(a, b)
    return [total, arith.cmpi(arith.CmpIPredicate.ult, total, a)]


def _truncate(op: ir.Operation) -> None:
    source, result = (str(_element(v.type)) for v in (op.operands[0], op.results[0]))
    if source == "f64" and result in _SMALL:
        raise error_at(op, f"rounds f64 to {result} in one step, which is not simulated; convert to f32 first")


def _scaling(op: ir.Operation) -> None:
    raise error_at(op, "is of scaled 8-bit floats, which no core computes with; scale and convert by other operations")


def _scalable(op: ir.Operation) -> None:
    raise error_at(op, "is of scalable vectors, which no core has; give vectors a fixed length")


def _scan(op: ir.Operation) -> None:
    raise error_at(op, "is not lowered to code for the host; write it as vector.extract and vector.insert")


_RULES: dict[str, Callable[[Any], list[Any] | None]] = {
    "math.clampf": _clamp,
    "math.isinf": _is_infinite,
    "math.isnormal": _is_normal,
    "math.fma": _fma,
    "arith.flush_denormals": _flush,
    "arith.convertf": _convert,
    "arith.addui_extended": _add_with_carry,
    "arith.truncf": _truncate,
    **dict.fromkeys(("arith.scaling_extf", "arith.scaling_truncf"), _scaling),
    **dict.fromkeys(("vector.vscale", "vector.scalable.insert", "vector.scalable.extract"), _scalable),
    "vector.scan": _scan,
}
