"""Findings on cores' code that runs here as the IR says, and is known to become something else on hardware."""

from __future__ import annotations

from typing import Any

from allo_air.errors import Diagnostic, placeless
from allo_air.sim.report_types import Finding

KIND = "core-code"
_WHY = "the simulator executes what the IR says; aie-check-core-code lists all such forms, and those that are refused or slow"


def findings(module: Any, device: str | None, sequence: str | None) -> list[Finding]:
    """A warning for each kind of operation in the cores of the device that is run, at the first of them."""
    from allo_air.core.diagnostics import position
    from allo_air.passes.kernel._judge import judged
    from allo_air.target.sequences import choose

    op, _ = choose(module, device, sequence)
    found: dict[str, tuple[Any, int]] = {}
    for code, verdict in judged(op.operation):
        if verdict.kind == "wrong":
            message = f"{KIND}: '{code.name}' op {verdict}"
            first, count = found.get(message, (code, 0))
            found[message] = first, count + 1
    notes = (placeless("note", _WHY),)
    return [
        Finding(KIND, 0, None, "core", "", "", "", Diagnostic("warning", *position(code.location), message, notes), count)
        for message, (code, count) in found.items()
    ]
