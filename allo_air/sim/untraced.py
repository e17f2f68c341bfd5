"""Warns about traced events that the simulator never raises: their slots stay empty, while hardware may fill them."""

from __future__ import annotations

from collections.abc import Iterable

from allo_air.core.diagnostics import emit
from allo_air.errors import placeless
from allo_air.sim.naming import Names
from allo_air.target.trace_modules import MODULES, event_name


def warn(names: Names, events: Iterable[tuple[int, int, str, int]]) -> None:
    """A warning for each event (column, row, module, number)."""
    for column, row, module, number in events:
        event = event_name(MODULES[module], number)
        port = "; it watches a port whose words the simulator does not see there" if event.startswith("PORT_") else ""
        where = f"the {module} module of {names.module((column, row))}"
        emit(placeless("warning", f"the trace of {where} has {event} in a slot, which the simulator never raises{port}"))
