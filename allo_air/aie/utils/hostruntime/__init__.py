"""Runners of designs, and their command lines."""

from importlib import import_module
from typing import Any

_ELSEWHERE = {
    "DefaultNPURuntime": "utils.hostruntime.running", "HostRuntime": "utils.hostruntime.running",
    "NPUKernel": "utils.hostruntime.running", "bfloat16_safe_allclose": "utils.verify", "set_tensor_class": "iron.tensor",
}  # fmt: skip
"""Names of this package by the file that defines them; the files import this package."""


def __getattr__(name: str) -> Any:
    """Imports `name` from the file that defines it."""
    if name in _ELSEWHERE:
        return getattr(import_module(f"allo_air.aie.{_ELSEWHERE[name]}"), name)
    raise AttributeError(f"module 'aie.utils.hostruntime' has no attribute '{name}'")
