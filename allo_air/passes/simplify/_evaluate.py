"""Evaluates the body of an elementwise generic on numpy arrays. Each operation rounds to its type, as on the array."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from allo_air.core.elements import array_of, is_elements
from allo_air.core.walking import defining_op
from allo_air.dtypes import is_known, numpy_dtype
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic

_ORDERED = {"eq": np.equal, "gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal}
_FLOAT_PREDICATES = [None, "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]
_INTEGER_PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge"]
_NARROW = ("i2", "i4")
"""Types whose elements are stored as signed i8."""


def _unsigned(array: Any) -> Any:
    """The same bits as unsigned integers; booleans stay."""
    return array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "i" else array


def _unchanged(array: Any) -> Any:
    return array


def _round(x: Any) -> Any:
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x).astype(x.dtype)


_RULES: dict[str, Callable[..., Any]] = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide,
    "arith.remf": np.fmod, "arith.negf": np.negative, "arith.maximumf": np.maximum, "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax, "arith.minnumf": np.fmin,
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply, "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or, "arith.xori": np.bitwise_xor, "arith.maxsi": np.maximum, "arith.minsi": np.minimum,
    "arith.divsi": lambda a, b: np.floor_divide(a - np.fmod(a, b), b), "arith.remsi": np.fmod,
    "arith.floordivsi": np.floor_divide, "arith.shli": np.left_shift, "arith.shrsi": np.right_shift,
    "arith.select": np.where, "math.sqrt": np.sqrt, "math.exp": np.exp, "math.exp2": np.exp2, "math.expm1": np.expm1,
    "math.log": np.log, "math.log2": np.log2, "math.log10": np.log10, "math.log1p": np.log1p, "math.tanh": np.tanh,
    "math.sin": np.sin, "math.cos": np.cos, "math.tan": np.tan, "math.atan": np.arctan, "math.powf": np.power,
    "math.absf": np.abs, "math.absi": np.abs, "math.floor": np.floor, "math.ceil": np.ceil, "math.trunc": np.trunc,
    "math.round": _round, "math.roundeven": np.round, "math.copysign": np.copysign,
    "math.erf": np.vectorize(math.erf, otypes=[float]), "math.rsqrt": lambda x: 1 / np.sqrt(x),
    **dict.fromkeys(("arith.extf", "arith.truncf", "arith.extsi", "arith.trunci", "arith.sitofp", "arith.fptosi",
                     "arith.index_cast"), _unchanged),
    "arith.fptoui": lambda x: x.astype(np.int64),
    **dict.fromkeys(("arith.extui", "arith.uitofp", "arith.index_castui"), _unsigned),
}  # fmt: skip
"""The rule of each operation. It computes in the operands' type (narrow floats in f32); the result is then rounded to its own
type.
"""

_KNOWN = {*_RULES, "arith.cmpf", "arith.cmpi", "linalg.index", "arith.constant", "tensor.extract"}

_OF_BOOLEANS = {
    "arith.andi", "arith.ori", "arith.xori", "arith.select", "arith.extui", "arith.uitofp", "arith.cmpf", "arith.cmpi",
    "arith.constant", "arith.trunci", "tensor.extract",
}  # fmt: skip
"""Operations that numpy's booleans compute as integers of one bit: those have a sign, and wrap."""


def constant_array(value: ir.Value) -> Any:
    """The array of a constant tensor, or the number of a scalar constant; None for other values."""
    result = defining_op(value, "arith.constant")
    if result is None:
        return None
    attribute = result.attributes["value"]
    if is_elements(attribute):
        return array_of(attribute)
    return numpy_dtype(str(value.type)).type(attribute.value) if is_known(str(value.type)) else None


def can_evaluate(generic: Generic) -> bool:
    """Whether every operation of the body has a rule here."""
    return all(has_rule(o) for o in generic.body)


def evaluate(generic: Generic, inputs: list[np.ndarray], shape: list[int]) -> list[Any] | None:
    """The results for constant `inputs` and loops of extents `shape`; None if a captured value is unknown."""
    values: dict[Any, Any] = {}
    for argument, array, map_ in zip(generic.arguments, inputs, generic.maps, strict=False):
        values[argument] = broadcast_to_loops(array, map_, shape)
    for op in generic.body:
        operands = [values[v] if v in values else constant_array(v) for v in op.operands]
        if any(o is None for o in operands):
            return None
        values[op.results[0]] = apply(op, operands, shape)
    results = [values[v] if v in values else constant_array(v) for v in generic.yielded]
    return None if any(r is None for r in results) else [np.broadcast_to(r, shape) for r in results]


def has_rule(op: AnyOp) -> bool:
    """Whether the operation of a body can be evaluated here."""
    if len(op.results) != 1 or op.name not in _KNOWN or not is_known(str(op.results[0].type)):
        return False
    kinds = [str(v.type) for v in op.operands]
    if any(k in _NARROW for k in kinds):
        return op.name in ("arith.extsi", "arith.sitofp")
    if op.name == "arith.cmpi" and kinds[0] == "i1":
        return False
    return op.name in _OF_BOOLEANS if "i1" in (*kinds, str(op.results[0].type)) else True


def broadcast_to_loops(array: np.ndarray, map_: ir.AffineMap, shape: list[int]) -> Any:
    """`array` with one axis for each loop, by its map of dimensions and zeros."""
    positions = []
    for axis, e in enumerate(map_.results):
        if not isinstance(e, ir.AffineDimExpr):
            array = np.take(array, [0], axis)
        positions.append(ir.AffineDimExpr(e).position if isinstance(e, ir.AffineDimExpr) else None)
    kept_dims = [p for p in positions if p is not None]
    array = array.reshape([n for n, p in zip(array.shape, positions, strict=True) if p is not None])
    array = array.transpose(np.argsort(kept_dims, kind="stable"))
    sizes = iter(array.shape)
    return array.reshape([next(sizes) if d in kept_dims else 1 for d in range(len(shape))])


def apply(op: AnyOp, operands: Sequence[np.generic | np.ndarray], shape: list[int]) -> Any:
    """The result of a body operation with a rule, for arrays with one axis for each loop."""
    dtype = numpy_dtype(str(op.results[0].type))
    if op.name == "linalg.index":
        dim = int(op.attributes["dim"].value)
        return np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))])
    if op.name == "arith.constant":
        return constant_array(op.results[0])
    if op.name == "tensor.extract":
        return _table_elements(*operands).astype(dtype)
    wide = [o.astype(np.float32) if "bfloat" in o.dtype.name or o.dtype == np.float16 else o for o in operands]
    with np.errstate(all="ignore"):
        if op.name in ("arith.cmpf", "arith.cmpi"):
            return _compare(op, *wide)
        if op.name == "arith.trunci" and dtype == np.bool_:
            return np.bitwise_and(operands[0], 1).astype(dtype)
        return np.asarray(_RULES[op.name](*wide)).astype(dtype)


def _table_elements(table: Any, *indices: Any) -> Any:
    """The elements of a table at `indices`; zero out of bounds, as on the array."""
    places = np.broadcast_arrays(*indices)
    is_inside = np.logical_and.reduce([(i >= 0) & (i < n) for i, n in zip(places, table.shape, strict=True)])
    inside = tuple(np.clip(i, 0, n - 1) for i, n in zip(places, table.shape, strict=True))
    return np.where(is_inside, table[inside], np.zeros((), table.dtype))


def _compare(op: AnyOp, a: Any, b: Any) -> Any:
    number = int(op.attributes["predicate"].value)
    if op.name == "arith.cmpi":
        if number >= len(_INTEGER_PREDICATES):
            return [np.less, np.less_equal, np.greater, np.greater_equal][number - 6](_unsigned(a), _unsigned(b))
        name = _INTEGER_PREDICATES[number]
        return np.not_equal(a, b) if name == "ne" else _ORDERED[name[1:] if len(name) == 3 else name](a, b)
    if number in (0, 15):
        return np.full(np.broadcast(a, b).shape, number == 15)
    name = str(_FLOAT_PREDICATES[number])
    unordered = np.isnan(a) | np.isnan(b)
    if name in ("ord", "uno"):
        return unordered if name == "uno" else ~unordered
    array = np.not_equal(a, b) if name[1:] == "ne" else _ORDERED[name[1:]](a, b)
    return array | unordered if name[0] == "u" else array & ~unordered
