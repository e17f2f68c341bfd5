"""Schedules under the module name that Allo's programs import; the module is called as `allo_air.customize` is."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from allo_air.frontend.schedule.schedule import Partition, Schedule, customize
from allo_air.frontend.schedule.verify import verify

__all__ = ["Partition", "Schedule", "customize", "verify"]


class _Callable(ModuleType):
    """Importing the module puts it in the place of the function in the package, so it does what the function does."""

    def __call__(self, *args: Any, **options: Any) -> Schedule:
        return customize(*args, **options)


sys.modules[__name__].__class__ = _Callable
