"""Functions of the dialect arith on values of cores and sequences; numbers become constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import scalar_element
from allo_air.aie.building.errors import IronTypeError
from allo_air.aie.building.scope import require_any
from allo_air.aie.building.upstream import forwarded, names
from allo_air.aie.building.values import FLOAT_PREDICATES, PREDICATES, Scalar, cast, common, value_of, wrapped
from allo_air.aie.building.values import constant as _constant
from allo_air.aie.extras.ast.canonicalize import Canonicalizer
from allo_air.mlir import arith, ir

_SAME = (
    "addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui", "andi", "ori", "xori",
    "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui", "addf", "subf", "mulf", "divf", "remf", "maximumf",
    "minimumf", "maxnumf", "minnumf",
)  # fmt: skip
_CASTS = (
    "extsi", "extui", "trunci", "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui", "index_cast", "index_castui",
    "bitcast",
)  # fmt: skip


def constant(value: object, type: Any = None, index: bool = False, **named: Any) -> Scalar:
    """A constant, by default of type i32 or f32, or index if asked for. `constant(type, value)` is accepted, too."""
    type = named.pop("result", type)
    require_any("arith.constant")
    if not isinstance(value, int | float) and not hasattr(value, "item"):
        value, type = type, value
    if isinstance(value, ir.Attribute):
        return Scalar(arith.ConstantOp(type, value).result)
    if index:
        return cast(value, "index")
    default = "f32" if isinstance(value, float) else "i1" if isinstance(value, bool) else "i32"
    return _constant(value, _kind(type) if type is not None else default)


def _kind(operand: object) -> str:
    if isinstance(operand, str):
        return operand
    kind = scalar_element(operand) or str(operand() if callable(operand) else operand)
    if not kind.lstrip("b").startswith(("i", "f", "vector")):
        raise IronTypeError(f"arith: {operand!r} is not a type of a scalar")
    return kind


_PLACES = ("loc", "ip")
"""Operations get the current insertion point and the program's line."""


def _binary(op: str) -> Callable[..., Scalar]:
    def build(lhs: object, rhs: object, **keywords: object) -> Scalar:
        refuse(keywords, f"arith.{op}", ignored=_PLACES)
        require_any(f"arith.{op}")
        lhs, rhs = value_of(lhs), value_of(rhs)
        kind = common(lhs, rhs)
        return Scalar(getattr(arith, op)(cast(lhs, kind), cast(rhs, kind)))

    build.__name__, build.__doc__ = op, f"`arith.{op}`."
    return build


def _cast(op: str) -> Callable[..., Scalar]:
    def build(
        first: object = None,
        second: object = None,
        *,
        to: object = None,
        out: object = None,
        in_: object = None,
        **keywords: object,
    ) -> Scalar:
        refuse(keywords, f"arith.{op}", ignored=_PLACES)
        value = value_of(in_ if in_ is not None else first if isinstance(value_of(first), ir.Value) else second)
        target = next(t for t in (to, out, second if value is value_of(first) else first) if t is not None)
        if not isinstance(value, ir.Value):
            raise IronTypeError(f"arith.{op}: {value!r} is not a value of a core")
        require_any(f"arith.{op}")
        return Scalar(getattr(arith, op)(ir.Type.parse(_kind(target)), value))

    build.__name__, build.__doc__ = op, f"`arith.{op}`: of a value and a type, in any order, or with `to=`."
    return build


def _compare(op: str, words: tuple[str, ...]) -> Callable[..., Scalar]:
    def build(predicate: Any, lhs: object, rhs: object, **keywords: object) -> Scalar:
        refuse(keywords, f"arith.{op}", ignored=_PLACES)
        number = words.index(predicate) if isinstance(predicate, str) else int(getattr(predicate, "value", predicate))
        require_any(f"arith.{op}")
        lhs, rhs = value_of(lhs), value_of(rhs)
        kind = common(lhs, rhs)
        return Scalar(getattr(arith, op)(number, cast(lhs, kind), cast(rhs, kind)))

    build.__name__, build.__doc__ = op, f"`arith.{op}`; predicates are {', '.join(words)}, or their numbers."
    return build


def select(condition: object, true_value: object, false_value: object, **keywords: object) -> Any:
    """`arith.select`."""
    refuse(keywords, "arith.select", ignored=_PLACES)
    require_any("arith.select")
    kind = common(value_of(true_value), value_of(false_value))
    if kind.startswith("memref"):
        return wrapped(arith.select(cast(condition, "i1"), value_of(true_value), value_of(false_value)))
    return Scalar(arith.select(cast(condition, "i1"), cast(true_value, kind), cast(false_value, kind)))


def negf(value: ir.Value, **keywords: object) -> Scalar:
    """`arith.negf`."""
    refuse(keywords, "arith.negf", ignored=_PLACES)
    require_any("arith.negf")
    return Scalar(arith.negf(value))


cmpi, cmpf = _compare("cmpi", PREDICATES), _compare("cmpf", FLOAT_PREDICATES)
globals().update({n: _binary(n) for n in _SAME} | {n: _cast(n) for n in _CASTS})
__getattr__ = forwarded("arith")
canonicalizer = Canonicalizer("arith")
__all__ = sorted(
    {n for n in globals() if not n.startswith("_")} & {*_SAME, *_CASTS, "constant", "select", "negf", "cmpi", "cmpf"}
    | {"canonicalizer", *names("arith")}
)
