"""The search for FPGA schedules, which this library has not, under the names that Allo's programs import."""

from collections.abc import Callable
from typing import Never

from allo_air.errors import AlloAirError


def refuser(prefix: str) -> Callable[[str], Never]:
    """A module's `__getattr__`, which says what there is in place of a name."""

    def refuse(name: str) -> Never:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AlloAirError(
            f"autoscheduler.{prefix}{name} searches schedules for FPGAs, and there is no such target; the mapper plans whole"
            " functions for the array: customize(f).build(target='aie')"
        )

    return refuse


__getattr__ = refuser("")
