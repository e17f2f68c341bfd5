"""Predicts a call of an external function without data: its cycles, and its requests to the core's stream and cascade ports."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, counted
from allo_air.sim.cores.external import signature_of
from allo_air.sim.cores.kernel import DYNAMIC, Argument, Kernel
from allo_air.sim.cores.ports import CASCADE_GET, CASCADE_PUT, STREAM_GET, STREAM_PUT, Session
from allo_air.sim.cores.steps import CALL, GET, PUT, Item
from allo_air.sim.cores.steps import CASCADE_GET as GETS_CASCADE
from allo_air.sim.cores.steps import CASCADE_PUT as PUTS_CASCADE

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir
    from allo_air.sim.cores.kernel import Signature

_PORTS = {CASCADE_GET: GETS_CASCADE, CASCADE_PUT: PUTS_CASCADE, STREAM_GET: GET, STREAM_PUT: PUT}
_LINE = 64
"""Bytes of the widest load."""
_ANYWHERE = np.zeros(2 << 16, np.uint8)
"""The memory that a pointer points to, larger than the data memory of a core."""
_MOST = 10_000
"""Most items of one call, two for each request to a port."""


@dataclass(frozen=True)
class KernelCalls:
    """The events of a call of one of `kernels`: its port requests and its cycles, stated by the kernel or returned for zeros.

    Calls with equal signatures and scalars share a result.
    """

    kernels: Mapping[str, Kernel]
    ports: Mapping[str, tuple[str, ...]]
    _known: dict[Any, list[Item]] = field(default_factory=dict)

    def __call__(self, call: ir.Operation, number: Callable[[ir.Value], int]) -> list[Item]:
        """The items of `call`; `number` returns the value of an integer operand."""
        signature = signature_of(call)
        scalars = tuple(number(v) if a.kind == "scalar" else 0 for v, a in zip(call.operands, signature.arguments, strict=True))
        key = (signature, scalars)
        if key not in self._known:
            if any(a.dynamic for a in signature.arguments):
                raise error_at(call, "passes a memref of dynamic sizes, whose time is not known without a run")
            values = [_value(a, n) for a, n in zip(signature.arguments, scalars, strict=True)]
            self._known[key] = self._priced(call, signature, values)
        return self._known[key]

    def _priced(self, call: AnyOp, signature: Signature, values: list[np.ndarray]) -> list[Item]:
        kernel, ports = self.kernels[signature.name], self.ports[signature.name]
        try:
            with np.errstate(all="ignore"):
                items, cycles = _requests_of(kernel, values, ports) if ports else ([], _called(kernel, values))
                if signature.results or cycles is None:
                    cycles = kernel.cycles(*values) if kernel.cycles is not None else 0
        except AlloAirError:
            raise
        except Exception as why:
            raise error_at(
                call, f"calls '{signature.name}', which fails on zeros ({why}); simulate the program instead"
            ) from None
        return [*items, (CALL, max(0, round(float(cycles))), 0, 0)]


def _called(kernel: Kernel, values: list[np.ndarray]) -> Any:
    return None if kernel.cycles is not None else kernel.function(*values)


def _requests_of(kernel: Kernel, values: Sequence[object], ports: tuple[str, ...]) -> tuple[list[Item], Any]:
    """The requests of a kernel to its ports when all received data is 0, and its result."""
    session = Session(kernel.function, values, ports)
    items: list[Item] = []
    request = session.resume()
    while request is not None:
        if len(items) > _MOST:
            session.close()
            raise AlloAirError(
                f"a kernel asks its ports for more than {counted(_MOST // 2, 'piece')}; simulate the program instead"
            )
        kind = _PORTS[request.kind]
        streams = kind in (GET, PUT)
        items += [(CALL, 0, 0, 0), (kind, request.channel if streams else 0, request.words if streams else 0, 0)]
        request = session.resume(bytes(4 * request.words))
    return items, session.result


def _value(argument: Argument, scalar: int) -> Any:
    if argument.kind == "pointer":
        return _ANYWHERE.ctypes.data
    kind = numpy_dtype(argument.element)
    if argument.kind == "scalar":
        return kind.type(0).item() if kind.kind == "f" else scalar
    assert DYNAMIC not in argument.shape
    return aligned_zeros(argument.shape, kind)


def aligned_zeros(shape: tuple[int, ...], kind: np.dtype) -> Any:
    """Zeros at an address that any vector can be loaded from, as buffers of cores have them."""
    count = math.prod(shape)
    room = np.zeros(count * kind.itemsize + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + count * kind.itemsize].view(kind).reshape(shape)
