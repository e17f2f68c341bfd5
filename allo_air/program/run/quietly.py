"""Runs of designs that were read from bytecode: nothing that is said of them has a place in the text, so it is not said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from allo_air.core.diagnostics import Listener
from allo_air.errors import AlloAirError
from allo_air.program.run.design import Design

_SEEN = ("kernels", "progress", "record", "trace")
"""Settings by which others see a run, or its places: not twice, and not without them."""


def run(design: Design, device: Sequence[Any], settings: Mapping[str, Any]) -> Any:
    """The report of a run on the device's arrays; None, and they are as before, where there is something to say."""
    if any(settings.get(name) for name in _SEEN):
        return None
    before = [(array, array.copy()) for array in device if array.flags.writeable]
    report = quietly(design, lambda: design.run(device, **settings))
    if report is None:
        for array, was in before:
            array[...] = was
    return report


def quietly(design: Design, called: Callable[[], Any]) -> Any:
    """The report of `design` that `called` gives; None where it fails, finds something or warns."""
    heard: list[Any] = []
    with suppress(AlloAirError), Listener(design.module.context, heard.append):
        report = called()
        if not (heard or report.findings):
            return report
    return None
