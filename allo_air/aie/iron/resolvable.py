"""`Resolvable`: the base class of a program's own parts of a design; `resolve` builds them in the device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from allo_air.aie.building.errors import IronRuntimeError


class Resolvable(ABC):
    """A part of a design, passed to the runtime or to a worker as an argument."""

    @abstractmethod
    def resolve(self, loc: object = None, ip: object = None) -> None:
        """Builds the part with the builders of `aie.dialects`, in the device."""

    def tiles(self) -> list[Any]:
        """The tiles that the part uses."""
        return []


class NotResolvedError(IronRuntimeError):
    """Raised when the operation of a part is requested before it is built."""

    def __init__(self, message: str = "this part of the design is not built yet"):
        super().__init__(message)


class AlreadyResolvedError(IronRuntimeError):
    """Raised when a part is built a second time."""

    def __init__(self, message: str = "this part of the design is built already"):
        super().__init__(message)
