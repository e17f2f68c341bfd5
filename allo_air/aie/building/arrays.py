"""Array types as IRON writes them, `np.ndarray[(64, 32), np.dtype[np.int16]]`, and numpy's types by name."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, get_args

from allo_air.aie.building.errors import IronTypeError
from allo_air.dtypes import element_of, numpy_dtype
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    from allo_air.mlir import ir


class BlockFloat:
    """An element type that is a block of floats with one exponent; a block takes `size` bytes in memory."""

    size = 1


class v8bfp16ebs8(BlockFloat):
    """8 mantissas and their exponent."""

    size = 9


class v16bfp16ebs16(BlockFloat):
    """16 mantissas and their exponent."""

    size = 17


@dataclass(frozen=True)
class ArrayType:
    """A shape and MLIR's element type. If elements are blocks of `block` bytes, the memref's elements are bytes."""

    shape: tuple[int, ...]
    element: str
    block: int = 1

    @property
    def stored(self) -> ArrayType:
        """The type of the array in memory."""
        return self if self.block == 1 else ArrayType((*self.shape[:-1], self.shape[-1] * self.block), self.element)

    @property
    def memref(self) -> str:
        """The memref's type."""
        return f"memref<{''.join(f'{n}x' for n in self.stored.shape)}{self.element}>"

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def dtype(self) -> Any:
        """The numpy dtype of the elements."""
        return numpy_dtype(self.element)


def is_array_type(annotation: object) -> bool:
    """Whether `annotation` is an array type."""
    return isinstance(annotation, ArrayType) or len(get_args(annotation)) == 2


def array_type(annotation: object, who: str) -> ArrayType:
    """The array type of `annotation`; IronTypeError if it is not one."""
    if isinstance(annotation, ArrayType):
        return annotation
    arguments = get_args(annotation)
    if len(arguments) != 2:
        raise IronTypeError(f"{who} takes an array type, such as np.ndarray[(64,), np.dtype[np.int32]], got {annotation!r}")
    shape, dtype = arguments
    kinds = get_args(dtype)
    shape = get_args(shape) or shape
    kind = kinds[0] if kinds else dtype
    if isinstance(kind, type) and issubclass(kind, BlockFloat):
        return ArrayType(tuple(int(n) for n in shape), "ui8", kind.size)
    try:
        return ArrayType(tuple(int(n) for n in shape), element_of(kind))
    except AlloAirError as error:
        raise IronTypeError(f"{who}: elements of {annotation!r} are not supported: {error}") from None
    except (TypeError, ValueError) as error:
        raise IronTypeError(f"{who}: {annotation!r} is not an array type with a shape of integers and a numpy dtype") from error


def scalar_element(scalar_type: object) -> str | None:
    """MLIR's type for a numpy scalar type; None for any other object."""
    try:
        return element_of(scalar_type) if isinstance(scalar_type, type) else None
    except AlloAirError:
        return None


_STRINGS = {"bf16": "bfloat16", "i8": "int8", "i16": "int16", "f32": "float32", "i32": "int32"}


def str_to_dtype(name: str) -> Any:
    """The numpy type that "bf16", "i8", "i16", "f32" or "i32" names."""
    if name not in _STRINGS:
        raise IronTypeError(f"there is no dtype '{name}'; there are {', '.join(_STRINGS)}")
    return numpy_dtype(name).type


def dtype_to_str(dtype: object) -> str:
    """The name of a numpy type."""
    return element_of(dtype)


def array_of(memref_type: ir.Type) -> ArrayType:
    """The array type of a memref type."""
    from allo_air.mlir import ir

    kind = ir.MemRefType(memref_type)
    return ArrayType(tuple(kind.shape), str(kind.element_type))


def mlir_type(type_like: object, who: str) -> Any:
    """MLIR's type for an MLIR type, an array type, a numpy scalar type or dtype, or a function that returns one."""
    from allo_air.mlir import ir

    if isinstance(type_like, ir.Type):
        return type_like
    if is_array_type(type_like):
        return ir.Type.parse(array_type(type_like, who).memref)
    if (element := scalar_element(type_like)) is not None:
        return ir.Type.parse(element)
    if callable(type_like) and not isinstance(type_like, type):
        return mlir_type(type_like(), who)
    try:
        return ir.Type.parse(element_of(type_like))
    except (AlloAirError, TypeError, ValueError):
        raise IronTypeError(
            f"{who}: {type_like!r} is not a type: give an array type, a numpy type or a type of MLIR's"
        ) from None


def in_bytes(offset: int | str, sizes: list[int], strides: list[int], block: int) -> tuple[Any, list[Any], list[Any]]:
    """Offset, sizes and strides, given in elements of `block` bytes, in bytes; the innermost stride must be 1."""
    if block == 1 or not sizes:
        return offset, sizes, strides
    if strides[-1] != 1:
        raise IronTypeError(
            f"blocks of {counted(block, 'byte')} move only side by side: the innermost stride is {strides[-1]}, expected 1"
        )
    return offset * block, [*sizes[:-1], sizes[-1] * block], [*(n * block for n in strides[:-1]), 1]
