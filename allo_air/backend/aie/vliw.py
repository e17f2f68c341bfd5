"""Core code written in Python, under the names that Allo's programs import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.calls import RESULTS_LAST


def kernel(
    project: Any = None, input_idx: Sequence[int] = (), output_idx: Sequence[int] = (), **options: Any
) -> Callable[..., Any]:
    """A decorator for functions that kernels call: `f(a, b, c)` or `c = f(a, b)` for `def f(a, b)` that returns c."""
    del input_idx, output_idx, options
    return _marked(project) if callable(project) else _marked


def _marked(function: Callable[..., Any]) -> Callable[..., Any]:
    setattr(function, RESULTS_LAST, True)
    return function


@dataclass(frozen=True)
class VliwModule:
    """A function for cores."""

    function: Callable[..., Any]

    def get_external_module(self) -> Callable[..., Any]:
        """What kernels call, as C++ kernels are: with tensors for results behind the arguments."""
        return _marked(self.function)


def create_vliw_module(function: Callable[..., Any], *args: Any, **options: Any) -> VliwModule:
    """`function`, compiled with the kernel that calls it."""
    del args, options
    return VliwModule(function)
