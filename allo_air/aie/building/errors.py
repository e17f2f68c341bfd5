"""The errors of IRON programs: IRON's classes, with the program's line."""

from __future__ import annotations

from allo_air.user_errors import UserError, at_place, user_place

__all__ = ["IronError", "IronMissing", "IronRuntimeError", "IronTypeError", "IronValueError", "at_place", "user_place"]


class IronError(UserError):
    """A design that cannot be expressed."""


class IronRuntimeError(IronError, RuntimeError):
    """A call in the wrong place or order."""


class IronValueError(IronError, ValueError):
    """An argument with a wrong number, shape or name."""


class IronTypeError(IronError, TypeError):
    """An argument of a wrong type."""


class IronMissing(IronError, NotImplementedError):
    """A feature that this layer does not support."""
