"""Primitives on several functions, under the module name that Allo's programs import."""

from typing import Any

from allo_air.errors import AlloAirError


def unify(*functions: Any, **options: Any) -> Any:
    """AlloAirError: functions are not merged to one circuit."""
    del functions, options
    raise AlloAirError(
        "unify merges functions to one circuit that runs one or the other, which is not there; call them one by one, or write "
        "a region whose kernels take the choice as a parameter"
    )
