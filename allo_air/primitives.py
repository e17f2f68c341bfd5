"""Primitives on several functions, under the module name that Allo's programs import."""

from typing import Any

from allo_air.errors import AlloAirError


def unify(*functions: Any, **options: Any) -> Any:
    """AlloAirError: one circuit for several functions is for FPGAs."""
    del functions, options
    raise AlloAirError(
        "unify makes one circuit of several functions for FPGAs, and there is no such target; call them one by one"
    )
