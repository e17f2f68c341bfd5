"""Executes an `aie.device` and the instruction words of its runtime sequence: function, time, races and deadlocks."""

from typing import Any


def __getattr__(name: str) -> Any:
    """Imports `simulate` and `Report` when they are first asked for."""
    if name == "simulate":
        from allo_air.sim.simulate import simulate

        return simulate
    if name in ("Report", "SimulationError"):
        from allo_air.sim import report_types

        return getattr(report_types, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
