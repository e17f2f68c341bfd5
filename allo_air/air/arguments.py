"""Reports calls with unknown keywords at the program's line, with the keywords that the builder accepts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from allo_air.errors import counted, nearest, suggestion
from allo_air.user_errors import UserError

_Function = TypeVar("_Function", bound=Callable[..., Any])


class CallError(UserError, TypeError):
    """A call with wrong arguments."""


CallError.__module__, CallError.__qualname__ = "builtins", "TypeError"  # as programs and their tests expect it


def explained(function: _Function) -> _Function:
    """`function`, wrapped so that calls with wrong arguments raise a readable CallError."""
    parameters = signature(function)
    name = function.__qualname__.removesuffix(".__init__")
    takes = [n for n, p in parameters.parameters.items() if n != "self" and p.kind not in _REST]
    is_open = any(p.kind is Parameter.VAR_KEYWORD for p in parameters.parameters.values())

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if not is_open:
            check_keywords(name, keywords, takes)
        try:
            parameters.bind(*arguments, **keywords)
        except TypeError as error:
            raise CallError(f"{name}() got arguments that do not fit: {error}; it takes {', '.join(takes)}") from None
        return function(*arguments, **keywords)

    return call  # type: ignore[return-value]


_REST = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)


def check_keywords(name: str, keywords: Collection[str], takes: Collection[str]) -> None:
    """Raises a CallError for the first of `keywords` that `name` does not accept."""
    for keyword in keywords:
        if keyword not in takes:
            near = [*nearest(keyword, takes), *(t for t in takes if t in keyword.split("_"))]
            hint = suggestion(tuple(dict.fromkeys(near))) or f"; it takes {', '.join(takes)}"
            raise CallError(f"{name}() got an unexpected keyword argument '{keyword}'{hint}")


def check_body(body: Callable[..., object], what: str, parts: dict[str, int]) -> None:
    """Raises a CallError if the function of a region's body does not accept the arguments of the region, named `parts`."""
    count = sum(parts.values())
    try:
        parameters = signature(body)
    except (TypeError, ValueError):  # functions in C have none
        return
    try:
        parameters.bind(*range(count))
    except TypeError:
        arity = ", ".join(f"{n} {name}" for name, n in parts.items() if n)
        head = f"{getattr(body, '__name__', body)}({', '.join(parameters.parameters)})"
        raise CallError(f"the body '{head}' does not take the {counted(count, 'value')} that {what} passes: {arity}") from None
