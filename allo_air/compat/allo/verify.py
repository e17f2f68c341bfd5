"""Compares schedules, under the module name that Allo's programs import. The module itself can be called."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from allo_air.frontend.schedule.verify import verify

__all__ = ["verify"]


class _Callable(ModuleType):
    """Makes the module callable: importing it replaces the function of the same name in the package."""

    def __call__(self, *args: Any, **options: Any) -> bool:
        return verify(*args, **options)


sys.modules[__name__].__class__ = _Callable
