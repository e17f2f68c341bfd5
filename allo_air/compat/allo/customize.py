"""Schedules, under the module name that Allo's programs import. The module itself can be called, like `allo_air.customize`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from allo_air.frontend.schedule.schedule import Partition, Schedule, customize
from allo_air.frontend.schedule.verify import verify

__all__ = ["Partition", "Schedule", "customize", "verify"]


class _Callable(ModuleType):
    """Makes the module callable: importing it replaces the function of the same name in the package."""

    def __call__(self, *args: Any, **options: Any) -> Schedule:
        return customize(*args, **options)


sys.modules[__name__].__class__ = _Callable
