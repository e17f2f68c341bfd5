"""External kernels: functions without a body that a core calls, executed in Python on numpy views of the core's memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.access.dims import span
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError
from allo_air.sim.cores.ports import DONE, NEW, Request, Session

if TYPE_CHECKING:
    from allo_air.sim.cores.sites import Site

DYNAMIC = -1


@dataclass(frozen=True)
class Kernel:
    """`function(*arguments) -> cycles | None | result`: memrefs are numpy views (written in place), scalars are Python
    numbers.

    `reads` and `writes` are the positions of the memref arguments that it reads and writes completely. Without `writes`, the
    last memref and all others that have changed count as written, and the rest as read. `cycles` estimates the time from the
    arguments if the function does not return it; a kernel with neither takes no time.

    A function with a parameter `cascade` or `stream` after its arguments gets the core's ports: `cascade.get(dtype)` and
    `cascade.put(array)` move 512 bits, `stream.get(count, dtype, channel)` and `stream.put(array, channel)` move words.
    """

    function: Callable[..., Any]
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] | None = None
    cycles: Callable[..., float] | None = None
    built_in: bool = False
    """Whether it is a default kernel of the simulator's library."""


@dataclass(frozen=True)
class Argument:
    """The form in which a core passes one argument of a kernel: `memref`, `scalar` or `pointer`."""

    kind: str
    element: str
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()

    @property
    def dynamic(self) -> int:
        """Number of dynamic sizes and strides, which are passed as numbers."""
        return self.shape.count(DYNAMIC) + self.strides.count(DYNAMIC)


@dataclass(frozen=True)
class Signature:
    """Name, arguments and the results' element types of an external function."""

    name: str
    arguments: tuple[Argument, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """A kernel for one signature, as the engine calls it; a kernel with `ports` is called again after each wait."""

    kernel: Kernel
    signature: Signature
    ports: tuple[str, ...] = ()
    sites: Sequence[Site] = ()
    waiting: list[Session] = field(default_factory=list, compare=False)

    def __call__(self, column: int, row: int, words: Sequence[int]) -> int:
        """Runs the kernel; `words` are the call's site and the 64-bit arguments that the core stored. Returns the number of
        cycles.
        """
        site, *rest = words
        try:
            return self._step(rest[:-1], rest[-1]) if self.ports else self._run(rest)
        except AlloAirError as why:
            own = "" if f"'{self.signature.name}'" in str(why) else f"kernel '{self.signature.name}' "
            message = f"the core of tile ({column}, {row}): {own}{why}"
            place = self.sites[site] if site < len(self.sites) else None
            where = (place.file, place.line, place.column) if place else ("", 0, 0)
            raise DiagnosticError([Diagnostic("error", *where, message)]) from None

    def close(self) -> None:
        """Cancels a call that has not returned."""
        while self.waiting:
            self.waiting.pop().close()

    def _step(self, words: Sequence[int], address: int) -> int:
        """Runs until the kernel returns or makes a request to a port, which is stored at `address`."""
        if ctypes.c_int64.from_address(address).value != NEW:
            session = self.waiting.pop()
            assert session.request is not None
            request = session.resume(session.request.answer(address))
        else:
            self.close()  # a core that was reset may have left an unfinished call
            values, _ = self._values(words)
            session = Session(self.kernel.function, values, self.ports)
            session.before = self._contents(values)
            request = session.resume()
        if request is not None:
            self.waiting.append(session)
            request.write(address)
            return 0
        Request(DONE, 0, 0).write(address)
        return self._end(session.result, words, session.before)

    def _run(self, words: Sequence[int]) -> int:
        values, _ = self._values(words)
        before = self._contents(values)
        return self._end(self.kernel.function(*values), words, before)

    def _contents(self, values: Sequence[np.ndarray]) -> dict[int, bytes]:
        """The contents of the memrefs before a call, to detect which ones the kernel writes; empty if that is declared."""
        if self.kernel.writes is not None:
            return {}
        return {
            i: v.tobytes() for i, (v, a) in enumerate(zip(values, self.signature.arguments, strict=True)) if a.kind == "memref"
        }

    def _end(self, item: int | None, words: Sequence[int], before: dict[int, bytes]) -> int:
        values, place = self._values(words)
        if self.kernel.writes is None:
            changed = {i for i, bytes_before in before.items() if values[i].tobytes() != bytes_before} | {
                max(before, default=0)
            }
            ctypes.c_int64.from_address(words[-1]).value = sum(1 << i for i in changed)
        return self._finish(item, values, words, place)

    def _finish(self, cycles: Any, values: Sequence[int | np.ndarray], words: Sequence[int], place: int) -> int:
        if self.signature.results:
            if np.ndim(cycles) or cycles is None:
                name, kind = self.signature.name, type(cycles).__name__
                raise AlloAirError(f"kernel '{name}' returned {kind}; it returns the {self.signature.results[0]}")
            result = np.array([cycles], numpy_dtype(self.signature.results[0]))
            ctypes.memmove(words[place], result.ctypes.data, result.nbytes)
            cycles = None
        if cycles is None and self.kernel.cycles is not None:
            cycles = self.kernel.cycles(*values)
        if cycles is not None and not isinstance(cycles, int | float | np.integer | np.floating):
            raise AlloAirError(
                f"kernel '{self.signature.name}' returned {type(cycles).__name__}; it returns its cycles, or None"
            )
        return max(0, round(float(cycles or 0)))

    def _values(self, words: Sequence[int]) -> tuple[list[Any], int]:
        """The Python arguments, and how many words they took."""
        values: list[Any] = []
        offset = 0
        for argument in self.signature.arguments:
            word, extra = words[offset], words[offset + 1 : offset + 1 + argument.dynamic]
            offset += 1 + argument.dynamic
            values.append(_value(argument, word, list(extra)))
        return values, offset


def _value(argument: Argument, word: int, extra: list[int]) -> Any:
    if argument.kind == "pointer":
        return word
    kind = numpy_dtype(argument.element)
    if argument.kind == "scalar":
        bits = np.array([word & (1 << 64) - 1], np.uint64).view(np.uint8)[: kind.itemsize]
        return bits.view(kind)[0].item()
    shape = [extra.pop(0) if n == DYNAMIC else n for n in argument.shape]
    strides = [(extra.pop(0) if s == DYNAMIC else s) * kind.itemsize for s in argument.strides]
    _, last = span(zip(shape, strides, strict=True))
    memory: Any = (ctypes.c_uint8 * (0 if 0 in shape else last + kind.itemsize)).from_address(word)
    return np.ndarray(shape, kind, memory, 0, strides)
