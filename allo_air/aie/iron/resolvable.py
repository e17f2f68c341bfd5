"""`Resolvable`: parts of a design that a program writes itself; `resolve` builds them in the device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from allo_air.aie.building.errors import IronRuntimeError


class Resolvable(ABC):
    """A part among the arguments of the runtime or of a worker; `tiles()` are those that it needs."""

    @abstractmethod
    def resolve(self, loc: object = None, ip: object = None) -> None:
        """Builds the part with the builders of `aie.dialects`, in the device."""

    def tiles(self) -> list[Any]:
        """The tiles that it needs."""
        return []


class NotResolvedError(IronRuntimeError):
    """A part is asked for its operation before it is built."""

    def __init__(self, message: str = "this part of the design is not built yet"):
        super().__init__(message)


class AlreadyResolvedError(IronRuntimeError):
    """A part is built for the second time."""

    def __init__(self, message: str = "this part of the design is built already"):
        super().__init__(message)
