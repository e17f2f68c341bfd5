"""Helpers that Allo's programs import from its `ir.utils`: names of tensors, values of names, and syntax trees."""

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
    """Names tensor `name` of function `func` in schedules, like `s.A` or `"func:A"`."""

    func: str
    name: str
    idx: int | None = None


def get_global_vars(function: Callable[..., object]) -> dict[str, Any]:
    """The values of all names that a function can use: of its module, its closure, and the frames that called this function."""
    cells = inspect.getclosurevars(function)
    return {**function.__globals__, **{k: v for around in reversed(callers(1)) for k, v in around.items()}, **cells.nonlocals}


def parse_ast(source: str | Callable[..., Any], verbose: bool = False) -> ast.Module:
    """The syntax tree of a function, or of source text."""
    text = source if isinstance(source, str) else inspect.getsource(source)
    tree = ast.parse(textwrap.dedent(text))
    if verbose:
        print(ast.dump(tree, indent=2))
    return tree
