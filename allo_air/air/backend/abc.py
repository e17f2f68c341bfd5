"""`AirBackend`: the interface of MLIR-AIR's backends."""

from __future__ import annotations

import abc
from typing import Any

__all__ = ["AirBackend"]


class AirBackend(abc.ABC):
    """Compiles a module, loads the compiled module, and unloads it."""

    @abc.abstractmethod
    def compile(self, air_module: object) -> Any:
        """The compiled module."""

    @abc.abstractmethod
    def load(self, artifact: object) -> Any:
        """The callable of the compiled module."""

    @abc.abstractmethod
    def unload(self) -> None:
        """Unloads the compiled module."""
