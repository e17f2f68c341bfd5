"""Gives Python kernels access to cascades and streams. Such a kernel runs in its own thread, which stops at each possible
wait.
"""

from __future__ import annotations

import ctypes
import inspect
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from allo_air.dtypes import is_known, numpy_dtype
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

PORTS = ("cascade", "stream")
"""Parameters of a kernel's function that are not arguments of the call."""

NEW, DONE, CASCADE_GET, CASCADE_PUT, STREAM_GET, STREAM_PUT = range(-1, 5)
CASCADE_BYTES = 64
"""512 bits, the width of the cascade on AIE2 and AIE2p (docs/sources.md#simulator-semantics)."""

HEAD_WORDS, DATA_WORDS = 3, 8
"""Sizes, in 64-bit words, of a request in the core's memory: its head (kind, channel, number of 32-bit words) and its data.
"""


class Request(NamedTuple):
    """A kernel's request to the core: to get `words` 32-bit words, or to put `data`."""

    kind: int
    channel: int
    words: int
    data: bytes = b""

    def write(self, address: int) -> None:
        """Stores the request where the core's code reads it."""
        head = (ctypes.c_int64 * HEAD_WORDS).from_address(address)
        head[:] = [self.kind, self.channel, self.words]
        ctypes.memmove(address + 8 * HEAD_WORDS, self.data, len(self.data))

    def answer(self, address: int) -> bytes:
        """The words that the core received."""
        return ctypes.string_at(address + 8 * HEAD_WORDS, 4 * self.words)


def ports_of(function: Callable[..., object], arguments: int) -> tuple[str, ...]:
    """The ports among the parameters of `function`, which follow the `arguments` of its call."""
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:  # a C function without a signature
        return ()
    return tuple(n for i, n in enumerate(parameters) if n in PORTS and i >= arguments)


class Cascade:
    """The core's cascade: `get` from the previous core, `put` to the next one; both wait as the hardware does."""

    def __init__(self, ask: Callable[[Request], bytes]):
        self._ask = ask

    def get(self, dtype: Any = np.int32) -> Any:
        """The next 512 bits as a numpy array of `dtype`."""
        return np.frombuffer(self._ask(Request(CASCADE_GET, 0, CASCADE_BYTES // 4)), _dtype(dtype)).copy()

    def put(self, values: np.ndarray) -> None:
        """Sends 512 bits: 16 elements of 32 bits, 32 of 16 or 64 of 8."""
        array = np.ascontiguousarray(values)
        if array.nbytes != CASCADE_BYTES:
            raise AlloAirError(
                f"puts {counted(array.size, 'element')} of {array.dtype}, "
                f"{counted(array.nbytes * 8, 'bit')}, on the cascade, which moves 512 at once"
            )
        self._ask(Request(CASCADE_PUT, 0, CASCADE_BYTES // 4, array.tobytes()))


class Stream:
    """The core's streams; both directions wait as the hardware does."""

    def __init__(self, ask: Callable[[Request], bytes]):
        self._ask = ask

    def get(self, count: int = 1, dtype: Any = np.int32, channel: int = 0) -> Any:
        """The next `count` elements as a numpy array of `dtype`; together they must be whole 32-bit words."""
        kind = _dtype(dtype)
        data = b"".join(self._ask(Request(STREAM_GET, channel, n)) for n in _pieces(count * kind.itemsize))
        return np.frombuffer(data, kind).copy()

    def put(self, values: object, channel: int = 0) -> None:
        """Sends an array of whole 32-bit words."""
        data = np.ascontiguousarray(values).tobytes()
        for n in _pieces(len(data)):
            self._ask(Request(STREAM_PUT, channel, n, data[: 4 * n]))
            data = data[4 * n :]


def _pieces(size: int) -> list[int]:
    """The numbers of words of the requests that move `size` bytes, which are as few as possible."""
    if size % 4:
        raise AlloAirError(f"moves {counted(size, 'byte')} through a stream, which moves whole words of 4")
    most = 2 * DATA_WORDS
    return [min(most, size // 4 - first) for first in range(0, size // 4, most)]


def _dtype(dtype: DTypeLike) -> Any:
    return numpy_dtype(dtype) if isinstance(dtype, str) and is_known(dtype) else np.dtype(dtype)


class _Ended(BaseException):
    """The run is over while a kernel waits."""


class Session:
    """One call of a kernel with ports: its open `request`, its `result`, and the contents of its memrefs `before` the call."""

    def __init__(self, function: Callable[..., object], values: Sequence[object], ports: Sequence[str]):
        kinds = {"cascade": Cascade, "stream": Stream}
        self._function, self._values = function, values
        self._ports = {name: kinds[name](self._ask) for name in ports}
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._requests: SimpleQueue[Any] = SimpleQueue()
        self.request: Request | None = None
        self.result: Any = None
        self.before: dict[int, bytes] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)

    def resume(self, answer: bytes | None = None) -> Request | None:
        """Continues to the next request; None if the function has returned. Its exceptions are raised here."""
        if self.request is None:
            self._thread.start()
        else:
            self._answers.put(answer)
        result = self._requests.get()
        if isinstance(result, BaseException):
            raise result
        self.request = result
        return self.request

    def close(self) -> None:
        """Ends the thread of a function that waits."""
        if self.request is not None:
            self._answers.put(_Ended())
            self._thread.join()

    def _ask(self, request: Request) -> bytes:
        self._requests.put(request)
        answer = self._answers.get()
        if isinstance(answer, BaseException):
            raise answer
        return bytes(answer)

    def _run(self) -> None:
        try:
            self.result = self._function(*self._values, **self._ports)
            self._requests.put(None)
        except BaseException as why:
            self._requests.put(why)
