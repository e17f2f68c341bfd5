"""Core code written in Python, under the names that Allo's programs import: kernels call Python functions by themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


def kernel(
    project: str | None = None, input_idx: Sequence[int] = (), output_idx: Sequence[int] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that leaves the function as it is; what it reads and writes is found in its body."""
    del project, input_idx, output_idx
    return lambda function: function


@dataclass(frozen=True)
class VliwModule:
    """A function for cores."""

    function: Callable[..., Any]

    def get_external_module(self) -> Callable[..., Any]:
        """What kernels call."""
        return self.function


def create_vliw_module(function: Callable[..., Any], *args: Any, **options: Any) -> VliwModule:
    """`function`, compiled with the kernel that calls it."""
    del args, options
    return VliwModule(function)
