"""The errors of IRON programs: IRON's classes, with the program's line."""

from __future__ import annotations

from allo_air.user_errors import UserError, at_place, user_place

__all__ = ["IronError", "IronMissing", "IronRuntimeError", "IronTypeError", "IronValueError", "at_place", "user_place"]


class IronError(UserError):
    """A design that cannot be expressed."""


class IronRuntimeError(IronError, RuntimeError):
    """Something at a place or a time where it cannot be."""


class IronValueError(IronError, ValueError):
    """Numbers, shapes or names that do not fit."""


class IronTypeError(IronError, TypeError):
    """Something of a kind that cannot stand there."""


class IronMissing(IronError, NotImplementedError):
    """Something that this layer does not have."""
