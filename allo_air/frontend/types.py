"""The types of the kernel language: numbers of any width, tensors, and annotations such as layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from allo_air.errors import AlloAirError

Kind = Literal["int", "uint", "float", "index", "fixed", "ufixed"]


@dataclass(frozen=True)
class ScalarType:
    """A number of `bits` bits. `fracs` are the fractional bits of a fixed-point number; `brain` makes a 16-bit float a
    bfloat16.
    """

    kind: Kind
    bits: int
    fracs: int = 0
    brain: bool = False

    def __str__(self) -> str:
        if self.kind == "index":
            return "index"
        if self.fixed:
            return f"{'u' if self.kind == 'ufixed' else ''}fixed({self.bits}, {self.fracs})"
        return "bfloat16" if self.brain else f"{self.kind}{self.bits}"

    def __getitem__(self, shape: object) -> TensorType:
        """`int32[4, 8]`: a tensor; `int32[()]` has rank 0."""
        return TensorType(self, tuple(shape) if isinstance(shape, (tuple, list)) else (shape,))

    def __matmul__(self, mark: object) -> Annotated:
        """`int32 @ Stateful`."""
        return Annotated(self, mark)

    @property
    def signed(self) -> bool:
        return self.kind not in ("uint", "ufixed")

    @property
    def fixed(self) -> bool:
        return self.kind in ("fixed", "ufixed")

    @property
    def integral(self) -> bool:
        return self.kind in ("int", "uint", "index")

    @property
    def floating(self) -> bool:
        return self.kind == "float"


@dataclass(frozen=True)
class TensorType:
    """A tensor type; `mark` is a layout, a memory or `Stateful`."""

    element: ScalarType
    shape: tuple[Any, ...]
    mark: Any = None

    def __str__(self) -> str:
        return f"{self.element}[{', '.join(map(str, self.shape))}]"

    def __matmul__(self, mark: object) -> TensorType:
        return replace(self, mark=mark)


@dataclass(frozen=True)
class Annotated:
    """A scalar type with a mark."""

    element: ScalarType
    mark: Any


@dataclass(frozen=True)
class StreamType:
    """A FIFO of `depth` blocks; `element` is a scalar or tensor type. With `array`, a grid of such FIFOs."""

    element: ScalarType | TensorType | StructType
    depth: int = 2
    array: tuple[int, ...] = ()

    def __getitem__(self, array: int | tuple[int, ...]) -> StreamType:
        return replace(self, array=tuple(array) if isinstance(array, (tuple, list)) else (array,))


class _Stream:
    """`Stream[int32, 4]`, `Stream[int32[8, 8], 2][4, 4]`."""

    def __getitem__(self, parameters: object) -> StreamType:
        element, depth = parameters if isinstance(parameters, tuple) else (parameters, 2)
        return StreamType(element, depth)


@dataclass(frozen=True)
class ConstExprType:
    """A number that is known when the kernel is compiled."""

    element: ScalarType


class _ConstExpr:
    """`ConstExpr[int32]`."""

    def __getitem__(self, element: ScalarType) -> ConstExprType:
        return ConstExprType(element)


class _Stateful:
    """`int32[4] @ Stateful`, or `Stateful[int32[4]]`: a variable that keeps its value between calls."""

    def __getitem__(self, kind: ScalarType | TensorType) -> Annotated | TensorType:
        return kind @ self

    def __repr__(self) -> str:
        return "Stateful"


def carried(element: ScalarType) -> ScalarType | None:
    """The type in which DMAs move elements: the same, or an integer of whole bytes that can hold it; None if there is none."""
    if element.kind == "index" or element.bits > 32:
        return None
    wide = next(bits for bits in (8, 16, 32) if element.bits <= bits)
    return element if wide == element.bits else ScalarType("int" if element.signed else "uint", wide)


Stream, ConstExpr, Stateful = _Stream(), _ConstExpr(), _Stateful()


def _checked_width(bits: int, most: int) -> int:
    if not isinstance(bits, int) or not 1 <= bits <= most:
        raise AlloAirError(f"a type of {bits!r} bits; from 1 to {most} are allowed")
    return bits


class _Family(type):
    """The types of one kind: `Int(7)` creates one, `isinstance(type, Int)` tests for the kind."""

    kind: Kind

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, ScalarType) and value.kind == cls.kind


class Int(metaclass=_Family):
    """Signed integers of 1 to 2048 bits."""

    kind = "int"

    def __new__(cls, bits: int) -> ScalarType:  # type: ignore[misc]
        return ScalarType("int", _checked_width(bits, 2048))


class UInt(metaclass=_Family):
    """Unsigned integers of 1 to 2048 bits."""

    kind = "uint"

    def __new__(cls, bits: int) -> ScalarType:  # type: ignore[misc]
        return ScalarType("uint", _checked_width(bits, 2048))


class Fixed(metaclass=_Family):
    """Signed fixed-point numbers: an integer of `bits` bits, times 2 to the power of -`fracs`."""

    kind = "fixed"

    def __new__(cls, bits: int, fracs: int) -> ScalarType:  # type: ignore[misc]
        return ScalarType("fixed", _checked_width(bits, 255), fracs)


class UFixed(metaclass=_Family):
    """Unsigned fixed-point numbers."""

    kind = "ufixed"

    def __new__(cls, bits: int, fracs: int) -> ScalarType:  # type: ignore[misc]
        return ScalarType("ufixed", _checked_width(bits, 255), fracs)


class Float(metaclass=_Family):
    """Floating-point numbers of 16, 32 or 64 bits."""

    kind = "float"

    def __new__(cls, bits: int) -> ScalarType:  # type: ignore[misc]
        if bits not in (16, 32, 64):
            raise AlloAirError(f"a float of {bits!r} bits; 16, 32 and 64 are allowed (bfloat16 is a type of its own)")
        return ScalarType("float", bits)


class Index(metaclass=_Family):
    """The type of loop variables."""

    kind = "index"

    def __new__(cls) -> ScalarType:  # type: ignore[misc]
        return ScalarType("index", 64)


@dataclass(frozen=True)
class StructType:
    """Named fields: `Struct({"x": int32, "y": float32})`."""

    fields: tuple[tuple[str, ScalarType], ...]

    def __str__(self) -> str:
        return f"struct({', '.join(f'{name}: {kind}' for name, kind in self.fields)})"

    def __getitem__(self, shape: object) -> StructArrayType:
        return StructArrayType(self, tuple(shape) if isinstance(shape, (tuple, list)) else (shape,))


@dataclass(frozen=True)
class StructArrayType:
    """An array of structs."""

    element: StructType
    shape: tuple[Any, ...]


def Struct(fields: Mapping[str, ScalarType]) -> StructType:
    """The type of variables and tensors with several named numbers."""
    wrong = [name for name, kind in fields.items() if not isinstance(kind, ScalarType)]
    if wrong or not fields:
        raise AlloAirError(f"fields of a struct are numbers, each with its type, as in {{'x': int32}}; found {dict(fields)!r}")
    return StructType(tuple(fields.items()))


index = Index()
float16, float32, float64 = Float(16), Float(32), Float(64)
bfloat16 = ScalarType("float", 16, brain=True)


def carried_by(kind: StreamType) -> tuple[ScalarType, ...]:
    """The types of the numbers that a stream carries."""
    if isinstance(kind.element, StructType):
        return tuple(element for _, element in kind.element.fields)
    return (kind.element if isinstance(kind.element, ScalarType) else kind.element.element,)
