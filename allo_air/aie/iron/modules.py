"""Facts about the design under construction, besides its module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_KERNELS: ContextVar[tuple[dict[str, Any], ...]] = ContextVar("allo_air_iron_kernels", default=())
_STARTED: ContextVar[Any] = ContextVar("allo_air_iron_started", default=None)


@contextmanager
def noting(kernels: dict[str, object]) -> Iterator[None]:
    """While it is open, `kernels` gets what stands for the external functions of designs that are built."""
    token = _KERNELS.set((*_KERNELS.get(), kernels))
    try:
        yield
    finally:
        _KERNELS.reset(token)


class _All:
    """Several dictionaries that are written together."""

    def __setitem__(self, name: str, kernel: object) -> None:
        for each in _KERNELS.get():
            each[name] = kernel


def kernels_of_design() -> _All:
    """The table of implementations of external functions."""
    return _All()


@contextmanager
def sequence_with(started: object) -> Iterator[None]:
    """While it is open, `started` is what the sequence has started."""
    token = _STARTED.set(started)
    try:
        yield
    finally:
        _STARTED.reset(token)


def started_here() -> Any:
    """The transfers that the sequence has started; None outside of IRON's sequences."""
    return _STARTED.get()
