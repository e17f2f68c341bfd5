"""State of the design under construction that its module does not have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_KERNELS: ContextVar[tuple[dict[str, Any], ...]] = ContextVar("allo_air_iron_kernels", default=())
_STARTED: ContextVar[Any] = ContextVar("allo_air_iron_started", default=None)


@contextmanager
def noting(kernels: dict[str, object]) -> Iterator[None]:
    """Collects in `kernels` the implementations of external functions of designs that are built inside the `with` block."""
    token = _KERNELS.set((*_KERNELS.get(), kernels))
    try:
        yield
    finally:
        _KERNELS.reset(token)


class _All:
    """Several dictionaries that get the same entries."""

    def __setitem__(self, name: str, kernel: object) -> None:
        for each in _KERNELS.get():
            each[name] = kernel


def kernels_of_design() -> _All:
    """The table of implementations of external functions."""
    return _All()


@contextmanager
def sequence_with(started: object) -> Iterator[None]:
    """Makes `started` the record of the sequence's transfers inside the `with` block."""
    token = _STARTED.set(started)
    try:
        yield
    finally:
        _STARTED.reset(token)


def started_here() -> Any:
    """The transfers that the sequence has started; None outside of IRON's sequences."""
    return _STARTED.get()
