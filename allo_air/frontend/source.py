"""The source of a Python function: its syntax tree, its position, and the values of its names."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FrameType
from typing import Any

from allo_air.frontend.errors import KernelError

_MISSING = object()


@dataclass(frozen=True, eq=False)
class Source:
    """A function to compile.

    Its names are looked up in its closure, in the variables of the calling frames (`frame_names`), in its module, and in
    Python's builtins. A module-level function's module precedes the frames; for a nested definition, the innermost frame
    precedes all. `frame_names` is needed because Python does not evaluate annotations of local variables: names that occur
    only there are in no closure.
    """

    function: Callable[..., Any]
    frame_names: tuple[dict[str, Any], ...] = ()
    node: ast.FunctionDef | None = None
    """The definition, if it is nested in `function`."""

    @property
    def name(self) -> str:
        return self.function.__name__ if self.node is None else self.node.name

    @property
    def template_names(self) -> list[str]:
        """The names in brackets: of `def f[Ty, M](...)`, or of `@template("Ty", "M")`."""
        value = getattr(self.function, "template_names", ()) if self.node is None else ()
        return list(value) or [p.name for p in getattr(self.tree, "type_params", [])]

    @cached_property
    def file(self) -> str:
        return inspect.getsourcefile(self.function) or "<unknown>"

    @cached_property
    def tree(self) -> ast.FunctionDef:
        """The function's definition, with the line numbers and columns of its file."""
        if self.node is not None:
            return self.node
        try:
            lines, first = inspect.getsourcelines(self.function)
        except (OSError, TypeError) as error:
            raise KernelError(f"the source of '{self.name}' cannot be read; define it in a file") from error
        text = "".join(lines)
        dedented = textwrap.dedent(text)
        shift = len(text) - len(text.lstrip()) if dedented != text else 0
        try:
            tree = ast.parse(dedented).body[0]
        except SyntaxError:  # a lambda inside an incomplete statement
            tree = ast.Pass()
        if not isinstance(tree, ast.FunctionDef):
            raise KernelError(f"'{self.name}' is not a function that 'def' defines", self.file, first, 1)
        ast.increment_lineno(tree, first - 1)
        for node in ast.walk(tree):
            if hasattr(node, "col_offset"):
                node.col_offset += shift
        return tree

    @cached_property
    def _closure(self) -> dict[str, Any]:
        cells = zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True)
        results = {}
        for name, cell in cells:
            try:
                results[name] = cell.cell_contents
            except ValueError:
                continue
        return results

    def lookup(self, name: str) -> Any:
        """The value of `name` outside of the function; raises KeyError."""
        inner = self.frame_names[:1] if self.node is not None else ()
        outer_names = (*self.frame_names, self.function.__globals__)
        if "<locals>" not in self.function.__qualname__:  # its callers do not enclose it, so globals precede their variables
            outer_names = (self.function.__globals__, *self.frame_names)
        for names in (*inner, self._closure, *outer_names, vars(builtins)):
            if (result := names.get(name, _MISSING)) is not _MISSING:
                return result
        raise KeyError(name)

    @property
    def around(self) -> set[str]:
        """The names defined outside of the function, without builtins."""
        return {*self._closure, *(name for names in self.frame_names for name in names), *self.function.__globals__}

    def error(self, node: ast.AST, message: str) -> KernelError:
        """An error at `node`."""
        return KernelError(message, self.file, getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1)


def callers(depth: int = 1) -> tuple[dict[str, Any], ...]:
    """The local variables of the calling frames, from the caller's caller (`depth` 1) outwards, without our own."""
    results: list[dict[str, Any]] = []
    frame: FrameType | None = sys._getframe(depth + 1)
    while frame is not None:
        if not frame.f_globals.get("__name__", "").startswith("allo_air.") and frame.f_code.co_name != "<module>":
            results.append(dict(frame.f_locals))
        frame = frame.f_back
    return tuple(results)
