"""Templates: functions of kernels whose types and sizes are given in brackets, `f[int32, 4](x)`."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def template(*names: str) -> Callable[[F], F]:
    """Gives a function parameters in brackets, as `def f[Ty, M](...)` does from Python 3.12 on.

    @template("Ty", "M")
    def double(x: "Ty[M]") -> "Ty[M]":
        return x * 2
    """

    def mark(function: F) -> F:
        function.template_names = names  # type: ignore[attr-defined]
        return function

    return mark
