"""Programs of several kernels, as the host sees them: which of the caller's arrays each buffer contains, and where
results are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.elements import array_of
from allo_air.core.user_lines import numbers_of
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import (
    HostBuffers,
    HostResult,
    Packing,
    converted,
    from_corner,
    in_corner,
    joined,
    kernel_of,
)
from allo_air.dtypes import numpy_dtype
from allo_air.errors import ArgumentError
from allo_air.program.host.signature import Argument, shaped
from allo_air.program.host.transfers import Role

if TYPE_CHECKING:
    import numpy as np

    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class Buffer:
    """A buffer on the host: the caller's array `argument` in the shape `view` in its leading corner, a constant by its number,
    or scratch.
    """

    shape: tuple[int, ...]
    element: str
    argument: int | None = None
    view: tuple[int, ...] = ()
    constant: int | None = None
    cast: str = ""
    packing: Packing | None = None

    @property
    def bytes(self) -> int:
        """The buffer's size in bytes."""
        return math.prod(self.shape) * int(numpy_dtype(self.element).itemsize)

    @property
    def kind(self) -> str:
        """The purpose of the buffer, in one word."""
        return "argument" if self.argument is not None else "constant" if self.constant is not None else "own"


@dataclass(frozen=True)
class Result:
    """Where a result is after a run: the leading corner of shape `view` of buffer `place`, the caller's `argument`, or
    `constant`.
    """

    place: int | None = None
    view: tuple[int, ...] = ()
    argument: int | None = None
    constant: int | None = None
    cast: str = ""
    packing: Packing | None = None
    high: Result | None = None
    """Where the upper words of its elements are."""
    into: int | None = None
    """The caller's argument that receives it; without one, it is a new array."""


@dataclass(frozen=True)
class Run:
    """A run of a kernel: the number of its configuration, the kernel's name, and the source lines that it computes."""

    configuration: int
    kernel: str
    lines: tuple[int, ...]


def runs_of(sequence: AnyOp) -> tuple[Run, ...]:
    """The runs of a program of several kernels, from its runtime sequence; empty for a program that is one kernel."""
    return tuple(
        Run(number, kernel_of(run), numbers_of(run.location))
        for number, configuration in enumerate(walk_named(sequence, "aiex.configure"))
        for run in walk_named(configuration, "aiex.run")
    )


@dataclass(frozen=True)
class Linked:
    """The buffers of a program of several kernels, and where its results are. Without results, it changes its arguments."""

    buffers: tuple[Buffer, ...]
    results: tuple[Result, ...] | None
    runs: tuple[Run, ...] = ()
    """Its kernels, in execution order."""

    def to_device(self, arrays: Sequence[np.ndarray], constants: Sequence[np.ndarray]) -> list[Any]:
        """The device's arrays for the caller's."""
        import numpy as np

        results = []
        for buffer in self.buffers:
            if buffer.argument is not None:
                try:
                    array = converted(arrays[buffer.argument], buffer.cast, numpy_dtype(buffer.element))
                except ArgumentError as error:
                    raise ArgumentError(f"argument {buffer.argument} {error}") from None
                results.append(in_corner(array, buffer.view, buffer.shape, buffer.packing))
            elif buffer.constant is not None:
                results.append(np.array(constants[buffer.constant], order="C").reshape(buffer.shape))
            else:
                results.append(np.zeros(buffer.shape, numpy_dtype(buffer.element)))
        return results

    def device_buffer(self, number: int, arguments: Sequence[Argument]) -> tuple[int, Any] | None:
        """The number of the buffer that contains an argument of the caller, and the positions of its elements there; None if
        there is no such buffer.
        """
        import numpy as np

        seen: Buffer | Result | None = next((b for b in self.buffers if b.argument == number), None)
        place = next((n for n, b in enumerate(self.buffers) if b is seen), None)
        if (result := dict(zip(self._targets(len(arguments)), self.results or (), strict=True)).get(number)) is not None:
            seen, place = result, result.place
        if seen is None or place is None:
            return None
        shape = self.buffers[place].shape
        places = np.arange(math.prod(shape)).reshape(shape)
        return place, from_corner(places, seen.view, arguments[number].shape, seen.packing)

    def _targets(self, arguments: int) -> list[int]:
        """For each result, the number of the argument that receives it, of so many `arguments`: new arrays come last."""
        results = self.results or ()
        new = iter(range(arguments - sum(r.into is None for r in results), arguments))
        return [next(new) if r.into is None else r.into for r in results]

    def from_device(
        self,
        arguments: Sequence[Argument],
        device: Sequence[np.ndarray],
        bound: Sequence[np.ndarray],
        constants: Sequence[np.ndarray],
    ) -> None:
        """Copies the results into the caller's arrays `bound`, one for each of `arguments`."""
        if self.results is None:
            for number, buffer in enumerate(self.buffers):
                if buffer.argument is not None and arguments[buffer.argument].role != "in":
                    array = bound[buffer.argument]
                    array[...] = from_corner(device[number], buffer.view, array.shape, buffer.packing)
            return
        targets = [bound[n] for n in self._targets(len(bound))]
        values = [self._value(r, a, device, bound, constants) for r, a in zip(self.results, targets, strict=True)]
        for array, value in zip(targets, values, strict=True):
            array[...] = value

    def _value(
        self,
        result: Result,
        array: np.ndarray,
        device: Sequence[np.ndarray],
        bound: Sequence[np.ndarray],
        constants: Sequence[np.ndarray],
    ) -> Any:
        """The elements of `result`, for the caller's `array`."""
        if result.place is None:
            if result.argument is None:
                return constants[result.constant or 0].reshape(array.shape)
            is_overwritten = any(r.into == result.argument for r in self.results or ())
            source = bound[result.argument]
            return (source.copy() if is_overwritten else source).reshape(array.shape)
        match = from_corner(device[result.place], result.view, array.shape, result.packing)
        if result.high is not None and result.high.place is not None:
            upper = from_corner(device[result.high.place], result.high.view, array.shape, result.high.packing)
            match = joined(match, upper)
        return converted(match, result.cast, array.dtype)


def linked(
    host: HostBuffers, sequence: RuntimeSequenceOp, roles: Mapping[int, Role]
) -> tuple[Linked, tuple[Argument, ...], tuple[Any, ...]]:
    """The buffers of `sequence` as `host` describes them, the arguments that the caller sees, and the constants."""
    constants: dict[Any, int] = {}

    def number(attribute: ir.Attribute | ir.DenseFPElementsAttr | ir.DenseIntElementsAttr | None) -> int | None:
        return None if attribute is None else constants.setdefault(attribute, len(constants))

    def result(value: HostResult) -> Result:
        high = None if value.high is None else result(value.high)
        return Result(
            value.place, value.view, value.argument, number(value.constant), value.cast, value.packing, high, value.into
        )

    buffers = []
    for content, argument in zip(host.holds, sequence.body.blocks[0].arguments, strict=True):
        shape, element = shaped(argument.type) or ((), "")
        buffers.append(
            Buffer(shape, element, content.argument, content.view, number(content.constant), content.cast, content.packing)
        )
    arguments = []
    into = {g.into for g in host.gives or ()}
    used = {g.argument for g in host.gives or () if g.place is None}
    for n, kind in enumerate(host.takes):
        shape, element = shaped(kind) or ((), "")
        places = [p for p, b in enumerate(buffers) if b.argument == n]
        role: Role = roles.get(places[0], "in") if host.gives is None and places else "in"
        if n in into:
            role = "inout" if places or n in used else "out"
        arguments.append(Argument(f"argument {n}", shape, element, role, shape))
    results = None
    if host.gives is not None:
        results = tuple(result(g) for g in host.gives)
        for n, value in enumerate(g for g in host.gives if g.into is None):
            shape, element = shaped(value.type) or ((), "")
            arguments.append(Argument(f"result {n}", shape, element, "out", shape))
    return Linked(tuple(buffers), results), tuple(arguments), tuple(array_of(c) for c in constants)
