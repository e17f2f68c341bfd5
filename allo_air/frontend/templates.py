"""Templates: functions of kernels whose types and sizes are given in brackets, `f[int32, 4](x)`."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def template(*names: str) -> Callable[[F], F]:
    """Gives a function template parameters, like `def f[Ty, M](...)` from Python 3.12 on."""

    def mark(function: F) -> F:
        function.template_names = names  # type: ignore[attr-defined]
        return function

    return mark
