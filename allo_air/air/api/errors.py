"""The errors of the DSL: Python's own classes by name and by inheritance, which also know the user's line."""

from __future__ import annotations

import builtins

from allo_air.user_errors import UserError, user_place

__all__ = ["IndexError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError", "user_place"]


class MisuseError(UserError):
    """A program that the DSL cannot express."""


class TypeError(MisuseError, builtins.TypeError):
    """Something of a kind that cannot stand there."""


class ValueError(MisuseError, builtins.ValueError):
    """Numbers, shapes or types that do not fit."""


class IndexError(MisuseError, builtins.IndexError):
    """Subscripts of another number than the dimensions, or outside of the extents."""


class RuntimeError(MisuseError, builtins.RuntimeError):
    """Something at a place or a time where it cannot be."""


class NotImplementedError(MisuseError, builtins.NotImplementedError):
    """Something that the DSL does not have."""


for _kind in (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError):
    _kind.__module__ = "builtins"  # a traceback shows `ValueError: ...`, as programs and their tests expect
