"""Runs designs from bytecode, which have no source locations. If there is anything to report, the caller runs the located
design instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from allo_air.core.diagnostics import Listener
from allo_air.errors import AlloAirError
from allo_air.program.run.design import Design

_SEEN = ("kernels", "progress", "record", "trace")
"""Settings that show a run, or its locations, to others; with these, the located design runs at once."""


def run(design: Design, device: Sequence[Any], settings: Mapping[str, Any]) -> Any:
    """The report of a run on the device's arrays. None if there is something to report; the arrays are then unchanged."""
    if any(settings.get(name) for name in _SEEN):
        return None
    before = [(array, array.copy()) for array in device if array.flags.writeable]
    report = report_if_clean(design, lambda: design.run(device, **settings))
    if report is None:
        for array, original in before:
            array[...] = original
    return report


def report_if_clean(design: Design, called: Callable[[], Any]) -> Any:
    """The report that `called` returns for `design`; None if it fails, finds something or warns."""
    heard: list[Any] = []
    with suppress(AlloAirError), Listener(design.module.context, heard.append):
        report = called()
        if not (heard or report.findings):
            return report
    return None
