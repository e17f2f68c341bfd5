"""Names for parts of functions, under the names that Allo's programs import."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.source import callers


@dataclass(frozen=True)
class MockBuffer:
    """The tensor `name` of function `func`, for steps of schedules: as `s.A`, or `"func:A"`."""

    func: str
    name: str
    idx: int | None = None


def get_global_vars(function: Callable[..., object]) -> dict[str, Any]:
    """The values of the names that a function can refer to: in its module, in its closure, and around the call."""
    cells = inspect.getclosurevars(function)
    return {**function.__globals__, **{k: v for around in reversed(callers(1)) for k, v in around.items()}, **cells.nonlocals}


def parse_ast(source: str | Callable[..., Any], verbose: bool = False) -> ast.Module:
    """The syntax tree of a function, or of its text."""
    text = source if isinstance(source, str) else inspect.getsource(source)
    tree = ast.parse(textwrap.dedent(text))
    if verbose:
        print(ast.dump(tree, indent=2))
    return tree
