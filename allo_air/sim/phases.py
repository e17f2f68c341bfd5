"""What a run consists of: one runtime sequence, or those of several devices that `aiex.configure` loads one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.sim.source import devices, sequences


@dataclass(frozen=True)
class Phase:
    """A device, the sequence to run on it, and the host arrays of its arguments by position."""

    device: Any
    sequence: Any
    arrays: dict[int, Any]


def phases_of(module: Any, device: Any, sequence: Any, arrays: Mapping[int, Any]) -> Iterator[Phase]:
    """The phases of a runtime sequence with `arrays` by position; DiagnosticError where devices and transfers are mixed."""
    ops = list(sequence.body.blocks[0].operations)
    configures = [op for op in ops if op.operation.name == "aiex.configure"]
    if not configures:
        yield Phase(device, sequence, dict(arrays))
        return
    given = {a: arrays[i] for i, a in enumerate(sequence.body.blocks[0].arguments) if i in arrays}
    for op in ops:
        if op.operation.name not in ("aiex.configure", "arith.constant"):
            raise error_at(
                op,
                "stands beside aiex.configure; the simulator runs a sequence that only configures devices and runs theirs: "
                "move it into a sequence of the device",
            )
    known = {d.sym_name: d for d in devices(module)}
    for configure in configures:
        if configure.symbol not in known:
            raise error_at(configure, f"configures @{configure.symbol}, which is no aie.device of the module")
        target = known[configure.symbol]
        for run in configure.body.blocks[0].operations:
            if run.operation.name != "aiex.run":
                raise error_at(
                    run, "stands in aiex.configure beside aiex.run; the simulator runs sequences there, nothing else"
                )
            callee = next((s for s in sequences(target) if s.sym_name == run.runtime_sequence_symbol), None)
            if callee is None:
                raise error_at(run, f"runs @{run.runtime_sequence_symbol}, which is no sequence of @{configure.symbol}")
            passed = {i: given[value] for i, value in enumerate(run.args) if value in given}
            yield from phases_of(module, target, callee, passed)
