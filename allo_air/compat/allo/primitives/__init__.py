"""Primitives on several functions, under the module name that Allo's programs import."""

from allo_air.compat.allo.primitives.unify import unify

__all__ = ["unify"]
