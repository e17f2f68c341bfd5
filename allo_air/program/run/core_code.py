"""Findings on core code whose behaviour on hardware differs from the IR. The simulator executes the IR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allo_air.device import Coordinate
from allo_air.errors import Diagnostic, placeless
from allo_air.sim.report_types import Finding

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

KIND = "core-code"
_WHY = "the simulator executes what the IR says; aie-check-core-code lists all such forms, and those that are refused or slow"


def findings(device: AnyOp, programs: Mapping[Coordinate, int]) -> list[Finding]:
    """A warning for each kind of operation that behaves differently on hardware, at the first one in the cores of `device`.

    `programs` are the numbers of the cores' programs; equal programs have the same number.
    """
    from allo_air.core.diagnostics import position
    from allo_air.dialects.declarations import place_of
    from allo_air.passes.kernel._legality import EquivalenceKey, checked_operations

    likeness = EquivalenceKey()

    def code_key(code: ir.Operation) -> object:
        program = programs.get(place_of(code, code.operands[0])) if code.name == "aie.core" else None
        return likeness(code) if program is None else f"program {program}"

    results: dict[str, tuple[Any, int]] = {}
    for code, verdict in checked_operations(device.operation, code_key):
        if verdict.kind == "wrong":
            message = f"{KIND}: '{code.name}' op {verdict}"
            first, count = results.get(message, (code, 0))
            results[message] = first, count + 1
    notes = (placeless("note", _WHY),)
    return [
        Finding(KIND, 0, None, "core", "", "", "", Diagnostic("warning", *position(code.location), message, notes), count)
        for message, (code, count) in results.items()
    ]
