"""The search for FPGA schedules, which this library has not, under the name that Allo's programs import."""

from typing import Any

from allo_air.errors import AlloAirError


def __getattr__(name: str) -> Any:
    """Nothing: says what there is in its place."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise AlloAirError(
        f"autoscheduler.{name} searches schedules for FPGAs, and there is no such target; the mapper plans whole functions for"
        " the array: customize(f).build(target='aie')"
    )
