"""Merging of functions for FPGAs, under the module name that Allo's programs import. It is not supported: calls raise an
error.
"""

import sys
from types import ModuleType
from typing import Any

from allo_air.errors import AlloAirError


def unify(*functions: object, **options: object) -> Any:
    """Raises AlloAirError: functions cannot be merged into one circuit."""
    del functions, options
    raise AlloAirError(
        "unify, which merges functions into one circuit, is not supported; call the functions one by one, or write "
        "a region whose kernels take the choice as a parameter"
    )


class _Callable(ModuleType):
    """Makes the module callable, for `allo.primitives.unify(f, g, 4)`."""

    def __call__(self, *functions: object, **options: object) -> Any:
        return unify(*functions, **options)


sys.modules[__name__].__class__ = _Callable
