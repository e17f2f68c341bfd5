"""Values of cores and sequences: scalars with Python's operators, and buffers that are indexed."""

from __future__ import annotations

from typing import Any

from allo_air.aie.iron.arrays import ArrayType
from allo_air.aie.iron.errors import IronTypeError
from allo_air.aie.iron.writing import any_writer

_INTEGERS = {
    "+": "addi", "-": "subi", "*": "muli", "//": "floordivsi", "/": "divsi", "%": "remsi", "&": "andi", "|": "ori", "^": "xori",
    "<<": "shli", ">>": "shrsi", "max": "maxsi", "min": "minsi",
}  # fmt: skip
_FLOATS = {"+": "addf", "-": "subf", "*": "mulf", "/": "divf", "%": "remf", "max": "maximumf", "min": "minimumf"}
_COMPARED = {"<": ("slt", "olt"), "<=": ("sle", "ole"), ">": ("sgt", "ogt"), ">=": ("sge", "oge"), "==": ("eq", "oeq")}
_COMPARED["!="] = ("ne", "une")


class Scalar:
    """A value of MLIR's type `kind`; arithmetic with numbers takes its type."""

    __hash__ = object.__hash__

    def __init__(self, name: str, kind: str):
        self.name, self.kind = name, kind

    @property
    def is_float(self) -> bool:
        """Whether it is a float."""
        return self.kind.lstrip("b").startswith("f")

    def __add__(self, other: Any) -> Scalar:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Scalar:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Scalar:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Scalar:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Scalar:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Scalar:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Scalar:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Any) -> Scalar:
        return _binary("/", other, self)

    def __floordiv__(self, other: Any) -> Scalar:
        return _binary("//", self, other)

    def __rfloordiv__(self, other: Any) -> Scalar:
        return _binary("//", other, self)

    def __mod__(self, other: Any) -> Scalar:
        return _binary("%", self, other)

    def __rmod__(self, other: Any) -> Scalar:
        return _binary("%", other, self)

    def __and__(self, other: Any) -> Scalar:
        return _binary("&", self, other)

    def __or__(self, other: Any) -> Scalar:
        return _binary("|", self, other)

    def __xor__(self, other: Any) -> Scalar:
        return _binary("^", self, other)

    def __lshift__(self, other: Any) -> Scalar:
        return _binary("<<", self, other)

    def __rshift__(self, other: Any) -> Scalar:
        return _binary(">>", self, other)

    def __neg__(self) -> Scalar:
        return _binary("-", 0, self)

    def __lt__(self, other: Any) -> Scalar:
        return _compared("<", self, other)

    def __le__(self, other: Any) -> Scalar:
        return _compared("<=", self, other)

    def __gt__(self, other: Any) -> Scalar:
        return _compared(">", self, other)

    def __ge__(self, other: Any) -> Scalar:
        return _compared(">=", self, other)

    def __eq__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compared("==", self, other)

    def __ne__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compared("!=", self, other)

    def __bool__(self) -> bool:
        raise IronTypeError("a value of a core decides no `if` of Python: use if_ and else_ of aie.helpers.dialects.scf")

    def __index__(self) -> int:
        raise IronTypeError("a value of a core is no integer of Python; range_ of aie.iron.controlflow takes it")


class Memory:
    """A buffer of a core, or an argument of the sequence: `b[i, j]` loads, `b[i, j] = x` stores."""

    def __init__(self, name: str, type: ArrayType):
        self.name, self.type = name, type

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return self.type.shape

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self.type.dtype

    def __getitem__(self, index: Any) -> Scalar:
        writer = any_writer("a buffer is read")
        at = self._at(index)
        return Scalar(writer.op(f"memref.load {self.name}[{at}] : {self.type.memref}", writer.fresh()), self.type.element)

    def __setitem__(self, index: Any, value: Any) -> None:
        writer = any_writer("a buffer is written")
        at, stored = self._at(index), cast(value, self.type.element)
        writer.op(f"memref.store {stored.name}, {self.name}[{at}] : {self.type.memref}")

    def _at(self, index: Any) -> str:
        given = index if isinstance(index, tuple) else (index,)
        if len(given) != len(self.type.shape):
            raise IronTypeError(
                f"{len(given)} indices for a buffer of shape {list(self.type.shape)}; give {len(self.type.shape)}"
            )
        return ", ".join(cast(i, "index").name for i in given)


def cast(given: Any, kind: str) -> Scalar:
    """`given`, a number or a value, as a value of `kind`."""
    writer = any_writer("a value is used")
    if isinstance(given, Scalar):
        if given.kind == kind:
            return given
        if "index" in (given.kind, kind) and not (given.is_float or Scalar("", kind).is_float):
            return Scalar(writer.op(f"arith.index_cast {given.name} : {given.kind} to {kind}", writer.fresh()), kind)
        raise IronTypeError(f"a value of {given.kind} where one of {kind} is wanted; convert it")
    number: Any = given.item() if hasattr(given, "item") else given  # numbers of numpy
    if not isinstance(number, int | float):
        raise IronTypeError(f"{type(given).__name__} where a number or a value of {kind} is wanted")
    is_float = Scalar("", kind).is_float
    if not is_float and int(number) != number:
        raise IronTypeError(f"{number!r} where a value of {kind} is wanted: it is no integer")
    text = f"{float(number):.17e}" if is_float else str(int(number))
    return Scalar(writer.constant(text, kind), kind)


def converted(given: Scalar, kind: str) -> Scalar:
    """An integer as one of another width."""
    if given.kind == kind or "index" in (given.kind, kind) or given.is_float:
        return cast(given, kind)
    writer = any_writer("a value is converted")
    op = "extsi" if int(kind[1:]) > int(given.kind[1:]) else "trunci"
    return Scalar(writer.op(f"arith.{op} {given.name} : {given.kind} to {kind}", writer.fresh()), kind)


def _common(left: Any, right: Any) -> str:
    kinds = [x.kind for x in (left, right) if isinstance(x, Scalar)]
    if len(kinds) == 2 and kinds[0] != kinds[1] and "index" in kinds:
        kinds.remove("index")
    return kinds[0]


def _binary(sign: str, left: Any, right: Any) -> Scalar:
    kind = _common(left, right)
    table = _FLOATS if Scalar("", kind).is_float else _INTEGERS
    if sign not in table:
        raise IronTypeError(f"`{sign}` of {kind} is not there")
    a, b = cast(left, kind), cast(right, kind)
    writer = any_writer("arithmetic")
    return Scalar(writer.op(f"arith.{table[sign]} {a.name}, {b.name} : {kind}", writer.fresh()), kind)


def _compared(sign: str, left: Any, right: Any) -> Scalar:
    kind = _common(left, right)
    a, b = cast(left, kind), cast(right, kind)
    integers, floats = _COMPARED[sign]
    text = f"arith.cmpf {floats}" if Scalar("", kind).is_float else f"arith.cmpi {integers}"
    writer = any_writer("a comparison")
    return Scalar(writer.op(f"{text}, {a.name}, {b.name} : {kind}", writer.fresh()), "i1")
