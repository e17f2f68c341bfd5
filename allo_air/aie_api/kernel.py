"""A kernel's C++ function as the simulator calls it: on copies of its arguments with guards around them."""

from __future__ import annotations

import ctypes
import inspect
import itertools
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.aie_api import build
from allo_air.aie_api.guarded import Guarded, merged, span
from allo_air.dtypes import element_of, numpy_dtype
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    from allo_air.sim.cores.ports import Cascade, Stream

Price = Callable[[list[list[int]]], float]
"""Cycles of a call from its events: issued operations (unit, count, accumulator, bits), their operands, and loops."""

_ROOM = 1024
_RECORDED = 1000
"""Calls that are recorded after one that has issued a new number of instructions."""
_PRICED = 64
"""Numbers of instructions for which prices are kept."""


class _Range(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_void_p), ("end", ctypes.c_void_p)]


_CASCADE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_STREAM_GET = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.POINTER(ctypes.c_uint32))
_STREAM_PUT = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint32)


class _Ports(ctypes.Structure):
    _fields_ = [("get", _CASCADE), ("put", _CASCADE), ("stream_get", _STREAM_GET), ("stream_put", _STREAM_PUT)]


@dataclass(frozen=True)
class CppKernel:
    """Functions of the C++ file `path`, for `kernels={"NAME": CppKernel("mm.cc", {"DIM_M": 64})}`.

    `defines` are macros (`-DDIM_M=64`; None for one without a value), `includes` folders for `#include`. `cycles` estimates
    the time from the arguments; left out, it is counted from the loads, stores and vector operations that the code issues.
    `beside` are files that are linked with it, for functions and tables that it uses. A call that takes more than `seconds` of
    the processor is an error (0: no limit).
    """

    path: str | os.PathLike[str]
    defines: Mapping[str, object] = field(default_factory=dict)
    includes: Sequence[str | os.PathLike[str]] = ()
    cycles: Callable[..., float] | None = None
    beside: Sequence[CppKernel] = ()
    seconds: float = 60

    def names(self) -> list[str]:
        """The `extern "C"` functions that the file defines."""
        return build.functions_of(Path(self.path), self.defines, self._folders())

    def _folders(self) -> list[Path]:
        return [Path(self.path).parent, *map(Path, self.includes)]

    def function(self, name: str, arch: str, price: Price | None = None) -> Callable[..., Any]:
        """Function `name` for a core of `arch` (AIE2, AIE2p), on numpy arrays; returns its result, or its cycles by `price`."""
        source = Path(self.path)
        if not source.is_file():
            raise AlloAirError(f"kernels['{name}']: there is no file '{source}'")
        if arch not in build.ARCHITECTURES:
            raise AlloAirError(
                f"kernels['{name}']: kernels in C++ run on cores of {' and '.join(build.ARCHITECTURES)}, not of {arch}"
            )
        rest = [(Path(k.path), k.defines, k._folders()) for k in self.beside]
        library = build.build(source, name, arch, self.defines, self._folders(), beside=rest)
        return _Function(name, self, ctypes.CDLL(str(library)), price).python(build.uses_ports(source))


def is_cpp(kernel: object) -> bool:
    """Whether a value of `kernels=` is a C++ kernel: a CppKernel, or the path of a C++ file."""
    if isinstance(kernel, CppKernel):
        return True
    return isinstance(kernel, str | os.PathLike) and "\n" not in str(kernel) and Path(kernel).suffix in build.SUFFIXES


def kernel_of(kernel: Any) -> CppKernel:
    """The CppKernel for a value that satisfies `is_cpp`."""
    return kernel if isinstance(kernel, CppKernel) else CppKernel(kernel)


class _Function:
    def __init__(self, name: str, kernel: CppKernel, library: ctypes.CDLL, price: Price | None):
        self.name, self.source, self.cycles, self.price = name, Path(kernel.path), kernel.cycles, price
        self._seconds = ctypes.c_double(kernel.seconds)
        self._prices: dict[Any, dict[int, float]] = {}
        self._pending: dict[Any, int] = {}
        self._library = library
        library.allo_aie_recorded.restype = ctypes.c_int64
        self._call = getattr(library, f"allo_aie_call_{name}")
        types = getattr(library, f"allo_aie_types_{name}")
        types.restype = ctypes.POINTER(ctypes.c_char_p)
        words = [word.decode() for word in itertools.takewhile(lambda word: word is not None, types())]
        half = len(words) // 2
        self.result, *self.arguments = [before + element for before, element in zip(words[:half], words[half:], strict=True)]

    def python(self, ports: bool) -> Callable[..., Any]:
        """The function with a signature: its number of arguments, and whether it waits at ports."""

        def run(*values: object, **streams: Any) -> Any:
            return self(values, streams)

        count = 2 if "_fill_" in self.name and len(self.arguments) == 1 else len(self.arguments)
        only, default = inspect.Parameter.POSITIONAL_ONLY, None if count > len(self.arguments) else inspect.Parameter.empty
        parameters = [inspect.Parameter(f"a{i}", only, default=default) for i in range(count)]
        if ports:
            parameters += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY) for n in ("cascade", "stream")]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__name__ = self.name
        return run

    def __call__(self, values: Sequence[Any], ports: Mapping[str, Cascade | Stream]) -> Any:
        values = self._of_a_fill(values)
        if len(values) != len(self.arguments):
            raise AlloAirError(
                f"({self.source}): takes {counted(len(self.arguments), 'argument')} ({', '.join(self.arguments)}), "
                f"the core gives {len(values)}"
            )
        guarded = [Guarded(v) for v in merged([v for v in values if isinstance(v, np.ndarray)])]
        words: list[int] = []
        ranges: list[_Range] = []
        for value, kind in zip(values, self.arguments, strict=True):
            if isinstance(value, np.ndarray):
                self._check(value, kind, len(words))
                begin = next(a for g in guarded if (a := g.address_of(value)) is not None)
                words.append(begin)
                ranges.append(_Range(begin, begin + span(value)[1] - span(value)[0]))
            else:
                words.append(self._scalar(value, kind))
                ranges.append(_Range(1 << 62, 1 << 62))
        result, issued, error = ctypes.c_int64(), (ctypes.c_int64 * 4)(), ctypes.create_string_buffer(_ROOM)
        problems: list[BaseException] = []
        served = ctypes.byref(_ports(ports, problems)) if ports else None
        argument, bounds = (ctypes.c_int64 * len(words))(*words), (_Range * len(ranges))(*ranges)
        key = tuple(v.shape if isinstance(v, np.ndarray) else v for v in values)
        price = self.price if self.cycles is None and self._pending.get(key, 1) else None
        self._library.allo_aie_recording(int(price is not None))
        failed = self._call(argument, ctypes.byref(result), served, bounds, len(ranges), self._seconds, error, _ROOM, issued)
        if problems:
            raise problems[0]
        if failed:
            raise AlloAirError(f"({self.source}): {error.value.decode(errors='replace')}")
        for g in guarded:
            if (damage := g.damage()) is not None:
                number = next(i for i, v in enumerate(values) if isinstance(v, np.ndarray) and g.address_of(v) is not None)
                raise AlloAirError(f"({self.source}): writes {damage} of argument {number}")
            g.copy_back()
            g.release()
        if self.result != "void":
            return _number(result, self.result)
        if self.cycles is not None:
            return self.cycles(*values)
        if price is not None or self._prices.get(key):
            return self._priced(key, sum(issued), price)
        loads, stores, vectors, _ = issued
        return max((loads + 1) // 2, stores, vectors)

    def _priced(self, key: Hashable, done: int, price: Price | None) -> float:
        """Cycles of a call that has issued `done` instructions. Calls that issue equally many take equally long.

        Only the first two calls are recorded, until one issues another number: then the following ones are, too. The cycles of
        a call that was not recorded are in proportion to those of a call that issued about as many.
        """
        prices = self._prices.setdefault(key, {})
        if done in prices:
            self._pending[key] = max(0, self._pending[key] - 1)
            return prices[done]
        self._pending[key] = 1 if not prices else _RECORDED if len(prices) < _PRICED else 0
        if price is not None:
            prices[done] = price(self._recorded())
            return prices[done]
        usual = min(prices, key=lambda n: abs(n - done))
        return round(prices[usual] * done / usual) if usual else prices[usual]

    def _recorded(self) -> Any:
        """The events of the last call, a row for each: unit, count, accumulator or value, bits."""
        events = ctypes.POINTER(ctypes.c_int64)()
        count = self._library.allo_aie_recorded(ctypes.byref(events))
        return np.ctypeslib.as_array(events, (count, 4)).tolist() if count else []

    def _of_a_fill(self, values: Sequence[object]) -> Sequence[Any]:
        """A fill's kernel may take only the buffer: it is one of zeros."""
        is_short = "_fill_" in self.name and len(values) == 2 and len(self.arguments) == 1
        return values[1:] if is_short and not isinstance(values[0], np.ndarray) and not values[0] else values

    def _check(self, value: np.ndarray, kind: str, number: int) -> None:
        pointee = kind.lstrip("*&")
        element = element_of(value.dtype)
        if kind[0] not in "*&":
            raise AlloAirError(f"({self.source}): argument {number} is a {kind}, the core gives a buffer of {element}")
        if pointee not in ("void", "bfp16", "i4", "?") and _family(pointee) != _family(element):
            raise AlloAirError(f"({self.source}): argument {number} points to {pointee}, the core gives a buffer of {element}")

    def _scalar(self, value: object, kind: str) -> int:
        if kind[0] in "*&":
            if isinstance(value, int):
                return value  # a bare pointer of the core's
            raise AlloAirError(f"({self.source}): an argument is a pointer ({kind}), the core gives the number {value}")
        if kind in ("f32", "f64", "bf16"):
            return int.from_bytes(np.array([value], numpy_dtype(kind)).tobytes(), "little")
        if not isinstance(value, int):
            raise AlloAirError(f"({self.source}): an argument is an integer ({kind}), the core gives {value}")
        return value


def _family(element: str) -> str:
    """Element types that a pointer type may point to: signed and unsigned types of one width, bytes and bits."""
    return {"i1": "i8"}.get(element.removeprefix("u"), element.removeprefix("u"))


def _number(result: ctypes.c_int64, kind: str) -> Any:
    raw = (result.value & (1 << 64) - 1).to_bytes(8, "little")
    return np.frombuffer(raw, numpy_dtype(kind), 1)[0].item()


def _ports(streams: Mapping[str, Any], problems: list[BaseException]) -> _Ports:
    """The core's cascade and streams as C functions; their exceptions are collected in `problems`, since C++ cannot propagate
    them."""
    cascade, stream = streams["cascade"], streams["stream"]

    def guard(action: Callable[..., None]) -> Callable[..., None]:
        def run(*arguments: object) -> None:
            if not problems:
                try:
                    action(*arguments)
                except BaseException as why:
                    problems.append(why)

        return run

    def get(to: int) -> None:
        ctypes.memmove(to, cascade.get().tobytes(), 64)

    def put(data: int) -> None:
        cascade.put(np.frombuffer(ctypes.string_at(data, 64), np.int32))

    def stream_get(channel: int, to: Any) -> None:
        to[0] = int(stream.get(1, np.uint32, channel)[0])

    def stream_put(channel: int, word: int) -> None:
        stream.put(np.array([word], np.uint32), channel)

    return _Ports(
        _CASCADE(guard(get)),
        _CASCADE(guard(put)),
        _STREAM_GET(guard(stream_get)),
        _STREAM_PUT(guard(stream_put)),
    )
