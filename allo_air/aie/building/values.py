"""Values of cores and sequences: scalars with Python's operators, and buffers that are indexed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.aie.building.arrays import ArrayType, array_of
from allo_air.aie.building.errors import IronTypeError
from allo_air.aie.building.scope import require_any
from allo_air.aie.building.slices import is_slice, view
from allo_air.errors import counted
from allo_air.mlir import arith, ir, memref

_INTEGERS = {
    "+": "addi", "-": "subi", "*": "muli", "//": "floordivsi", "/": "divsi", "%": "remsi", "&": "andi", "|": "ori", "^": "xori",
    "<<": "shli", ">>": "shrsi", "max": "maxsi", "min": "minsi",
}  # fmt: skip
_FLOATS = {"+": "addf", "-": "subf", "*": "mulf", "/": "divf", "%": "remf", "max": "maximumf", "min": "minimumf"}
_COMPARED = {"<": ("slt", "olt"), "<=": ("sle", "ole"), ">": ("sgt", "ogt"), ">=": ("sge", "oge"), "==": ("eq", "oeq")}
_COMPARED["!="] = ("ne", "une")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Comparisons of integers, by number."""
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"
)  # fmt: skip
"""Comparisons of floats, by number."""


class Scalar(ir.Value):
    """A value of MLIR's type `kind`; arithmetic with numbers takes its type."""

    __hash__ = ir.Value.__hash__

    def __init__(self, value: Any):
        super().__init__(value)

    @property
    def kind(self) -> str:
        """Its type's text."""
        return str(self.type)

    @property
    def is_float(self) -> bool:
        """Whether it is a float, or a vector of them."""
        return is_float(self.kind)

    def __add__(self, other: object) -> Scalar:
        return _binary("+", self, other)

    def __radd__(self, other: object) -> Scalar:
        return _binary("+", other, self)

    def __sub__(self, other: object) -> Scalar:
        return _binary("-", self, other)

    def __rsub__(self, other: object) -> Scalar:
        return _binary("-", other, self)

    def __mul__(self, other: object) -> Scalar:
        return _binary("*", self, other)

    def __rmul__(self, other: object) -> Scalar:
        return _binary("*", other, self)

    def __truediv__(self, other: object) -> Scalar:
        return _binary("/", self, other)

    def __rtruediv__(self, other: object) -> Scalar:
        return _binary("/", other, self)

    def __floordiv__(self, other: object) -> Scalar:
        return _binary("//", self, other)

    def __rfloordiv__(self, other: object) -> Scalar:
        return _binary("//", other, self)

    def __mod__(self, other: object) -> Scalar:
        return _binary("%", self, other)

    def __rmod__(self, other: object) -> Scalar:
        return _binary("%", other, self)

    def __and__(self, other: object) -> Scalar:
        return _binary("&", self, other)

    def __or__(self, other: object) -> Scalar:
        return _binary("|", self, other)

    def __xor__(self, other: object) -> Scalar:
        return _binary("^", self, other)

    def __lshift__(self, other: object) -> Scalar:
        return _binary("<<", self, other)

    def __rshift__(self, other: object) -> Scalar:
        return _binary(">>", self, other)

    def __neg__(self) -> Scalar:
        return _binary("-", 0, self)

    def __lt__(self, other: object) -> Scalar:
        return _compared("<", self, other)

    def __le__(self, other: object) -> Scalar:
        return _compared("<=", self, other)

    def __gt__(self, other: object) -> Scalar:
        return _compared(">", self, other)

    def __ge__(self, other: object) -> Scalar:
        return _compared(">=", self, other)

    def __eq__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compared("==", self, other)

    def __ne__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compared("!=", self, other)

    def __bool__(self) -> bool:
        raise IronTypeError("a value of a core decides no `if` of Python: use if_ and else_ of aie.helpers.dialects.scf")

    def __index__(self) -> int:
        raise IronTypeError("a value of a core is not an integer of Python; range_ of aie.iron.controlflow takes it")


class Memory(ir.Value):
    """A buffer of a core, or an argument of the sequence: `b[i, j]` loads, `b[i, j] = x` stores, `b[2:6, :]` is a view."""

    __hash__ = ir.Value.__hash__

    def __init__(self, value: ir.Value):
        super().__init__(value)

    @property
    def array(self) -> ArrayType:
        """Shape and element type."""
        return array_of(self.type)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return tuple(ir.MemRefType(self.type).shape)

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self.array.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Its elements, or rows as views: a loop of Python over a buffer is unrolled."""
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: object) -> Any:
        require_any("an access to a buffer")
        if is_slice(index, len(self.shape)):
            return Memory(view(self, index))
        return Scalar(memref.load(self, self._at(index)))

    def __setitem__(self, index: object, value: object) -> None:
        require_any("an access to a buffer")
        if is_slice(index, len(self.shape)):
            if not isinstance(value, Memory):
                raise IronTypeError(f"{type(value).__name__} is assigned to a slice of a buffer, which takes a buffer")
            memref.copy(value, view(self, index))
            return
        indices = self._at(index)
        memref.store(cast(value, str(ir.MemRefType(self.type).element_type)), self, indices)

    def _at(self, index: object) -> list[Scalar]:
        value = index if isinstance(index, tuple) else (index,)
        shape = self.shape
        if len(value) != len(shape):
            raise IronTypeError(f"{counted(len(value), 'index')} for a buffer of shape {list(shape)}; give {len(shape)}")
        return [cast(i, "index") for i in value]


def wrapped(value: object) -> Any:
    """`value` with Python's operators, or as a buffer that can be indexed; other objects are unchanged."""
    if isinstance(value, Scalar | Memory) or not isinstance(value, ir.Value):
        return value
    text = str(value.type)
    if text.startswith("memref<"):
        return Memory(value)
    return Scalar(value) if text.startswith(("i", "bf", "f", "vector<", "ui", "si")) else value


def value_of(operand: object) -> Any:
    """The SSA value that `operand` is or holds."""
    if isinstance(operand, ir.OpView | ir.Operation):
        return operand.operation.result
    return getattr(operand, "ssa", operand)


def is_float(kind: str) -> bool:
    """Whether `kind` is a float type, or a vector of one."""
    element = kind.rpartition("x")[2].rstrip(">") if kind.startswith("vector<") else kind
    return element.lstrip("b").startswith("f")


def cast(operand: object, kind: str) -> Scalar:
    """`operand`, a number or a value, as a value of `kind`."""
    require_any("a use of a value")
    if isinstance(operand, ir.OpView):
        operand = operand.operation.result
    if isinstance(operand, ir.Value):
        value = operand if isinstance(operand, Scalar) else Scalar(operand)
        if value.kind == kind:
            return value
        if "index" in (value.kind, kind) and not (value.is_float or is_float(kind)):
            return Scalar(arith.index_cast(ir.Type.parse(kind), value))
        raise IronTypeError(f"a value of {value.kind} where one of {kind} is expected; convert it")
    number: Any = operand.item() if hasattr(operand, "item") else operand  # numbers of numpy
    if not isinstance(number, int | float):
        raise IronTypeError(f"{type(operand).__name__} where a number or a value of {kind} is expected")
    if not is_float(kind) and int(number) != number:
        raise IronTypeError(f"{number!r} where a value of {kind} is expected: it is not an integer")
    return constant(number, kind)


def constant(number: object, kind: str) -> Scalar:
    """A constant; for a vector type, a splat."""
    type = ir.Type.parse(kind)
    if isinstance(type, ir.VectorType):
        attribute = ir.DenseElementsAttr.get_splat(type, _attribute(number, type.element_type))
    else:
        attribute = _attribute(number, type)
    return Scalar(arith.ConstantOp(type, attribute).result)


def _attribute(number: Any, type: ir.Type) -> Any:
    if is_float(str(type)):
        return ir.FloatAttr.get(type, float(number))
    return ir.IntegerAttr.get(type, _signed(int(number), str(type)))


def _signed(number: int, kind: str) -> int:
    """A number above the signed range, such as a mask of all ones, as the signed number with the same bits."""
    width = 64 if kind == "index" else int(kind.lstrip("sui"))
    if not -(1 << (width - 1)) <= number < 1 << width:
        raise IronTypeError(f"{number} does not fit {kind}")
    return number - (1 << width) if number >= 1 << (width - 1) and width > 1 else number


def converted(scalar: Scalar, kind: str) -> Scalar:
    """An integer converted to another width."""
    if scalar.kind == kind or "index" in (scalar.kind, kind) or scalar.is_float:
        return cast(scalar, kind)
    build = arith.extsi if int(kind[1:]) > int(scalar.kind[1:]) else arith.trunci
    return Scalar(build(ir.Type.parse(kind), scalar))


def common(left: object, right: object) -> str:
    """The common type of two operands: that of the operand that is a value; for an index and another type, the other type."""
    kinds = [str(x.type) for x in (left, right) if isinstance(x, ir.Value)]
    if len(kinds) == 2 and kinds[0] != kinds[1] and "index" in kinds:
        kinds.remove("index")
    return kinds[0] if kinds else "f32" if isinstance(left, float) or isinstance(right, float) else "i32"


def as_integer(operand: object, kind: str) -> Any:
    """`operand` converted to integer type `kind`; a number or None is unchanged."""
    return (
        converted(operand if isinstance(operand, Scalar) else Scalar(operand), kind)
        if isinstance(operand, ir.Value)
        else operand
    )


def _binary(sign: str, left: object, right: object) -> Scalar:
    kind = common(left, right)
    table = _FLOATS if is_float(kind) else _INTEGERS
    if sign not in table:
        raise IronTypeError(f"`{sign}` of {kind} is not supported")
    a, b = cast(left, kind), cast(right, kind)
    return Scalar(getattr(arith, table[sign])(a, b))


def _compared(sign: str, left: object, right: object) -> Scalar:
    kind = common(left, right)
    integers, floats = _COMPARED[sign]
    return compare(floats if is_float(kind) else integers, left, right)


def compare(word: str, left: object, right: object) -> Scalar:
    """A comparison with this predicate."""
    kind = common(left, right)
    a, b = cast(left, kind), cast(right, kind)
    if is_float(kind):
        return Scalar(arith.cmpf(FLOAT_PREDICATES.index(word), a, b))
    return Scalar(arith.cmpi(PREDICATES.index(word), a, b))
