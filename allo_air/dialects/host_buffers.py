"""The contents of the buffers of a program with several kernels: the caller's arrays in the device's layouts, constants, or
nothing. They are stored in attribute `allo_air.host_buffers` of a function, or of a device, by the names of its runtime
sequences, which print no attributes. `takes` are the types of the caller's arrays. `holds` has for each buffer its contents
at the start, and `gives` has the place of each result at the end. Places count arguments first, then results, so that
out-parameters do not move them.

    {takes = [tensor<7x5xf32>], gives = [{place = 3 : i64, type = tensor<7x13xf32>, view = array<i64: 7, 13>}],
     holds = [{argument = 0 : i64, view = array<i64: 7, 5>}, {constant = dense<1.0> : tensor<8x16xf32>}, {}]}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.access.layout import Layout
from allo_air.core.names import sym_name_of
from allo_air.errors import ArgumentError, counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike

    from allo_air.mlir import AnyOp, ir

HOST_BUFFERS = "allo_air.host_buffers"
COPY_OF = "allo.kernel"
"""Attribute of a run of a copied sequence: the name of the kernel that it copies."""


def kernel_of(run: AnyOp) -> str:
    """The name of the kernel that `run` executes, by its sequence or a copy of it for other places of its arguments."""
    return str(run.attributes[COPY_OF].value if COPY_OF in run.attributes else run.opview.runtime_sequence_symbol)


@dataclass(frozen=True)
class Packing:
    """A buffer that begins with an array of `shape`, whose elements are those of another array in the order of `layout`."""

    layout: Layout
    shape: tuple[int, ...]

    def attribute(self) -> ir.DictAttr:
        """As an MLIR attribute."""
        from allo_air.mlir import ir

        array = ir.DenseI64ArrayAttr.get
        outside = self.layout.outside
        number = ir.FloatAttr.get_f64(outside) if isinstance(outside, float) else _number(outside)
        rows = ir.ArrayAttr.get([array(list(row)) for row in self.layout.rows])
        return ir.DictAttr.get({"outside": number, "rows": rows, "shape": array(list(self.shape))})


@dataclass(frozen=True)
class BufferContents:
    """The contents of a buffer at the start: array `argument`, reshaped to `view`, in the leading corner of zeros;
    `constant`; or nothing. With a packing, `view` is the shape that is packed.
    """

    argument: int | None = None
    view: tuple[int, ...] = ()
    constant: Any = None
    cast: str = ""
    """The arith operation that converts the caller's elements to the buffer's."""
    packing: Packing | None = None

    def attribute(self) -> ir.DictAttr:
        """As an MLIR attribute."""
        from allo_air.mlir import ir

        results: dict[str, Any] = {}
        if self.argument is not None:
            results = {"argument": _number(self.argument), "view": ir.DenseI64ArrayAttr.get(list(self.view))}
        if self.constant is not None:
            results["constant"] = self.constant
        if self.cast:
            results["cast"] = ir.StringAttr.get(self.cast)
        if self.packing is not None:
            results["packing"] = self.packing.attribute()
        return ir.DictAttr.get(results)


@dataclass(frozen=True)
class HostResult:
    """A result of type `type`: the final contents of the leading corner of shape `view` of the buffer at `place`, reshaped.
    Without a place, it is array `argument` of the caller, or `constant`. With a packing, `view` is the unpacked shape. With
    `into`, the caller stores it into its argument of that number; otherwise it is a new array.
    """

    type: Any
    place: int | None = None
    view: tuple[int, ...] = ()
    argument: int | None = None
    constant: Any = None
    cast: str = ""
    """The arith operation that converts the buffer's elements to the caller's."""
    packing: Packing | None = None
    high: HostResult | None = None
    """A second buffer, whose 32-bit words are the upper halves of the elements."""
    into: int | None = None

    def parts(self) -> list[HostResult]:
        """The descriptions of its buffers."""
        return [self, *([] if self.high is None else self.high.parts())]

    def moved(self, to: Callable[[int], int]) -> HostResult:
        """The same description with other places of buffers."""
        return replace(
            self, place=None if self.place is None else to(self.place), high=None if self.high is None else self.high.moved(to)
        )

    def attribute(self) -> ir.DictAttr:
        """As an MLIR attribute."""
        from allo_air.mlir import ir

        entries: dict[str, Any] = {"type": ir.TypeAttr.get(self.type)}
        if self.place is not None:
            entries |= {"place": _number(self.place), "view": ir.DenseI64ArrayAttr.get(list(self.view))}
        if self.argument is not None:
            entries["argument"] = _number(self.argument)
        if self.constant is not None:
            entries["constant"] = self.constant
        if self.cast:
            entries["cast"] = ir.StringAttr.get(self.cast)
        if self.packing is not None:
            entries["packing"] = self.packing.attribute()
        if self.high is not None:
            entries["high"] = self.high.attribute()
        if self.into is not None:
            entries["into"] = _number(self.into)
        return ir.DictAttr.get(entries)


@dataclass(frozen=True)
class HostBuffers:
    """The caller's arguments and results, and the contents of buffers. Without `gives`, results are written into the caller's
    arguments.
    """

    takes: tuple[Any, ...]
    holds: tuple[BufferContents, ...]
    gives: tuple[HostResult, ...] | None = None

    def attribute(self) -> ir.DictAttr:
        """As an MLIR attribute."""
        from allo_air.mlir import ir

        results = {
            "takes": ir.ArrayAttr.get([ir.TypeAttr.get(t) for t in self.takes]),
            "holds": ir.ArrayAttr.get([h.attribute() for h in self.holds]),
        }
        if self.gives is not None:
            results["gives"] = ir.ArrayAttr.get([g.attribute() for g in self.gives])
        return ir.DictAttr.get(results)


def host_buffers(op: AnyOp) -> HostBuffers | None:
    """The description of buffers of a function or runtime sequence; None if there is none."""
    if HOST_BUFFERS in op.attributes:
        return _read(op.attributes[HOST_BUFFERS])
    holder = op.operation
    while holder.name != "aie.device" and holder.parent is not None:
        holder = holder.parent.operation
    name = sym_name_of(op) if "sym_name" in op.attributes else ""
    if holder.name != "aie.device" or HOST_BUFFERS not in holder.attributes or name not in holder.attributes[HOST_BUFFERS]:
        return None
    return _read(holder.attributes[HOST_BUFFERS][name])


def holds_constants(op: AnyOp) -> bool:
    """Whether `allo_air.host_buffers` of a function, or of a runtime sequence, contains a constant."""
    if HOST_BUFFERS not in op.attributes:
        return False
    holds = op.attributes[HOST_BUFFERS]
    each = [holds] if "holds" in holds else [entry.attr for entry in holds]
    return any("constant" in kinds for fields in each for kinds in fields["holds"])


def keep_host_buffers(device: AnyOp, name: str, item: HostBuffers) -> None:
    """Stores the description of the buffers of runtime sequence `name` on `device`."""
    from allo_air.mlir import ir

    entries = {entry.name: entry.attr for entry in device.attributes.get(HOST_BUFFERS, ())}
    device.attributes[HOST_BUFFERS] = ir.DictAttr.get(entries | {name: item.attribute()})


def in_corner(array: np.ndarray, view: tuple[int, ...], shape: tuple[int, ...], packing: Packing | None = None) -> Any:
    """A C-contiguous copy of `array`, reshaped to `view`, in the leading corner of zeros of `shape`; a flat or packed array
    is at their start."""
    import numpy as np

    seen = np.asarray(array).reshape(view)
    if packing is not None:
        seen = packing.layout.pack(seen, packing.shape).reshape(-1)
        view = seen.shape
    if view == shape:
        return np.array(seen, order="C", copy=True)
    room = np.zeros(shape, seen.dtype)
    if len(view) == 1:
        room.reshape(-1)[: view[0]] = seen
        return room
    room[tuple(slice(0, size) for size in view)] = seen
    return room


def from_corner(buffer: np.ndarray, view: tuple[int, ...], shape: tuple[int, ...], packing: Packing | None = None) -> Any:
    """The leading corner of shape `view` of `buffer`, reshaped to `shape`; for a flat `view` or a packing, its start."""
    import numpy as np

    if packing is not None:
        array = np.zeros(view, buffer.dtype)
        packing.layout.unpack(buffer.reshape(-1)[: prod(packing.shape)].reshape(packing.shape), array)
        return array.reshape(shape)
    if len(view) == 1:
        return buffer.reshape(-1)[: view[0]].reshape(shape)
    return buffer[tuple(slice(0, size) for size in view)].reshape(shape)


EXACT = "arith.trunci nsw"
"""A truncation of numbers that fit the narrower type; an error for others."""
HIGH = "arith.shrui 32"
"""The upper words of 32 bits."""
CASTS = ("arith.extsi", "arith.extui", "arith.trunci", EXACT, HIGH, "arith.extf", "arith.truncf")
"""Conversions of elements that the caller can perform."""


def converted(array: np.ndarray, cast: str, dtype: DTypeLike) -> Any:
    """`array` converted to `dtype` by an operation of CASTS."""
    import numpy as np

    array = np.asarray(array)
    if cast == "arith.extui" and array.dtype.kind == "i":
        array = array.view(f"u{array.dtype.itemsize}")
    if cast == "arith.trunci" and np.dtype(dtype).kind == "b":
        array = array & 1
    if cast == HIGH:
        array = array >> 32
    result = array.astype(dtype, copy=False)
    if cast == EXACT and (result != array).any():
        value = array[result != array].flat[0]
        raise ArgumentError(
            f"holds {value}, and the program computes with words of {counted(8 * result.itemsize, 'bit')}; give smaller numbers"
        )
    return result


def joined(low: np.ndarray, high: np.ndarray) -> Any:
    """64-bit integers from their words."""
    import numpy as np

    words = np.asarray(high).astype(np.int64) << 32
    return words | np.ascontiguousarray(low).view(np.uint32).astype(np.int64)


def _number(value: int) -> Any:
    from allo_air.mlir import ir

    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def _read(attribute: ir.DictAttr) -> HostBuffers:
    holds = [_fields(each) for each in attribute["holds"]]
    gives = [_fields(each) for each in attribute["gives"]] if "gives" in attribute else None
    return HostBuffers(
        tuple(t.value for t in attribute["takes"]),
        tuple(BufferContents(**each) for each in holds),
        None if gives is None else tuple(HostResult(**each) for each in gives),
    )


def _fields(attribute: Any) -> dict[str, Any]:
    return {entry.name: _VALUES.get(entry.name, _identity)(entry.attr) for entry in attribute}


def _identity(value: Any) -> Any:
    return value


_VALUES: dict[str, Callable[[Any], Any]] = {
    "argument": lambda a: a.value,
    "into": lambda a: a.value,
    "place": lambda a: a.value,
    "high": lambda a: HostResult(**_fields(a)),
    "view": tuple,
    "type": lambda a: a.value,
    "cast": lambda a: a.value,
    "packing": lambda a: Packing(Layout.of(a["rows"], a["outside"].value), tuple(a["shape"])),
}
