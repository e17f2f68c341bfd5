"""The errors of the DSL: subclasses of Python's exceptions, with the same names, that also have the user's line."""

from __future__ import annotations

import builtins

from allo_air.user_errors import UserError, user_place

__all__ = ["IndexError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError", "user_place"]


class MisuseError(UserError):
    """A program that the DSL cannot express."""


class TypeError(MisuseError, builtins.TypeError):
    """An argument of a wrong type."""


class ValueError(MisuseError, builtins.ValueError):
    """An argument with a wrong number, shape or element type."""


class IndexError(MisuseError, builtins.IndexError):
    """A wrong number of subscripts, or a subscript outside of the extents."""


class RuntimeError(MisuseError, builtins.RuntimeError):
    """A call in the wrong place or order."""


class NotImplementedError(MisuseError, builtins.NotImplementedError):
    """A feature that the DSL does not support."""


for _kind in (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError):
    _kind.__module__ = "builtins"  # a traceback shows `ValueError: ...`, as programs and their tests expect
