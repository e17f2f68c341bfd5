"""Checks that cascades use existing wires: from a core to its south or east neighbour, with one input and one output for each
core."""

from __future__ import annotations

from typing import Any

from allo_air.passes._analysis.cascades import misplaced
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._tiles import DeviceUse, Place


def check_cascades(use: DeviceUse, findings: Findings) -> None:
    """Reports cascade flows between cores without a wire, and a second flow into or out of a core."""
    first_flows: dict[tuple[str, Place], Any] = {}
    for flow in use.called("aie.cascade_flow"):
        source, dest = (use.place(tile) for tile in (flow.operands[0], flow.operands[1]))
        if source is None or dest is None:
            findings.undecided(flow, "where it goes: a tile is not placed")
            continue
        if wrong := misplaced(source, dest):
            findings.error(flow, wrong, code="cascade.place")
        for side, place in (("output", source), ("input", dest)):
            if (side, place) in first_flows:
                message = f"is a second cascade at the {side} of core {place}, which has one"
                findings.error(flow, message, (first_flows[side, place], "the first is here"), code="cascade.place")
            first_flows.setdefault((side, place), flow)
