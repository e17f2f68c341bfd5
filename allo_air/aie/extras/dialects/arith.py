"""Functions of the dialect arith on values of cores and sequences; numbers become constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.aie.iron.arrays import scalar_element
from allo_air.aie.iron.errors import IronTypeError
from allo_air.aie.iron.values import Scalar, cast
from allo_air.aie.iron.writing import any_writer

_SAME = (
    "addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui", "andi", "ori", "xori",
    "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui", "addf", "subf", "mulf", "divf", "remf", "maximumf",
    "minimumf", "maxnumf", "minnumf",
)  # fmt: skip
_CASTS = (
    "extsi", "extui", "trunci", "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui", "index_cast", "index_castui",
    "bitcast",
)  # fmt: skip
_INTEGER = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"
)  # fmt: skip


def constant(value: Any, type: Any = None, index: bool = False, **named: Any) -> Scalar:
    """A constant; of i32 or f32 where no type is given, or of index. `constant(type, value)` is taken, too."""
    type = named.pop("result", type)
    if not isinstance(value, int | float) and not hasattr(value, "item"):
        value, type = type, value
    if index:
        return cast(value, "index")
    default = "f32" if isinstance(value, float) else "i1" if isinstance(value, bool) else "i32"
    return cast(value, _kind(type) if type is not None else default)


def _kind(given: Any) -> str:
    if isinstance(given, str):
        return given
    found = scalar_element(given) or str(given() if callable(given) else given)
    if not found.lstrip("b").startswith(("i", "f")):
        raise IronTypeError(f"arith: {given!r} is no type of a scalar")
    return found


def _kind_of(*given: Any) -> str:
    for value in given:
        if isinstance(value, Scalar):
            return value.kind
    return "f32" if any(isinstance(v, float) for v in given) else "i32"


def _binary(op: str) -> Callable[..., Scalar]:
    def build(lhs: Any, rhs: Any, **_: Any) -> Scalar:
        kind = _kind_of(lhs, rhs)
        a, b = cast(lhs, kind), cast(rhs, kind)
        writer = any_writer(f"arith.{op} stands")
        return Scalar(writer.op(f"arith.{op} {a.name}, {b.name} : {kind}", writer.fresh()), kind)

    build.__name__, build.__doc__ = op, f"`arith.{op}`."
    return build


def _cast(op: str) -> Callable[..., Scalar]:
    def build(first: Any = None, second: Any = None, *, to: Any = None, out: Any = None, in_: Any = None, **_: Any) -> Scalar:
        value = in_ if in_ is not None else first if isinstance(first, Scalar) else second
        target = next(t for t in (to, out, second if value is first else first) if t is not None)
        if not isinstance(value, Scalar):
            raise IronTypeError(f"arith.{op}: {value!r} is no value of a core")
        kind, writer = _kind(target), any_writer(f"arith.{op} stands")
        return Scalar(writer.op(f"arith.{op} {value.name} : {value.kind} to {kind}", writer.fresh()), kind)

    build.__name__, build.__doc__ = op, f"`arith.{op}`: of a value and a type, in any order, or with `to=`."
    return build


def _compare(op: str, words: tuple[str, ...]) -> Callable[..., Scalar]:
    def build(predicate: Any, lhs: Any, rhs: Any, **_: Any) -> Scalar:
        word = words[predicate] if isinstance(predicate, int) else str(predicate)
        kind = _kind_of(lhs, rhs)
        a, b = cast(lhs, kind), cast(rhs, kind)
        writer = any_writer(f"arith.{op} stands")
        return Scalar(writer.op(f"arith.{op} {word}, {a.name}, {b.name} : {kind}", writer.fresh()), "i1")

    build.__name__, build.__doc__ = op, f"`arith.{op}`; predicates are {', '.join(words)}, or their numbers."
    return build


def select(condition: Any, true_value: Any, false_value: Any, **_: Any) -> Scalar:
    """`arith.select`."""
    kind = _kind_of(true_value, false_value)
    c, a, b = cast(condition, "i1"), cast(true_value, kind), cast(false_value, kind)
    writer = any_writer("arith.select stands")
    return Scalar(writer.op(f"arith.select {c.name}, {a.name}, {b.name} : {kind}", writer.fresh()), kind)


def negf(value: Any, **_: Any) -> Scalar:
    """`arith.negf`."""
    writer = any_writer("arith.negf stands")
    return Scalar(writer.op(f"arith.negf {value.name} : {value.kind}", writer.fresh()), value.kind)


cmpi, cmpf = _compare("cmpi", _INTEGER), _compare("cmpf", _FLOAT)
globals().update({n: _binary(n) for n in _SAME} | {n: _cast(n) for n in _CASTS})
