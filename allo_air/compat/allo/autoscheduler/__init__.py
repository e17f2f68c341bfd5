"""Allo's search for FPGA schedules, which this library does not have: its names exist and raise an error."""

from collections.abc import Callable
from typing import Never

from allo_air.errors import AlloAirError


def refuser(prefix: str) -> Callable[[str], Never]:
    """A module's `__getattr__` that raises an error, which says what to use instead."""

    def refuse(name: str) -> Never:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AlloAirError(
            f"autoscheduler.{prefix}{name} searches schedules for FPGAs, and there is no such target; the mapper plans whole"
            " functions for the array: customize(f).build(target='aie')"
        )

    return refuse


__getattr__ = refuser("")
