"""Runners of designs, and their command lines."""

from importlib import import_module
from typing import Any

_RUNNING = ("DefaultNPURuntime", "HostRuntime", "NPUKernel")


def __getattr__(name: str) -> Any:
    """The runtime's names, whose file needs this package."""
    if name in _RUNNING:
        return getattr(import_module("allo_air.aie.utils.hostruntime.running"), name)
    raise AttributeError(f"module 'aie.utils.hostruntime' has no attribute '{name}'")
