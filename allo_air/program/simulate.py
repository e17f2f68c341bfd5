"""`allo_air.simulate`: any AIE design with a runtime sequence, objectFifos lowered first, on the simulator."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import checked, refuse_unknown
from allo_air.core.gc_pause import collect_less_often

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from allo_air.mlir import ir
    from allo_air.program.checks.provenance import RecordedRun
    from allo_air.program.run.design import Design


@checked()
@collect_less_often()
def simulate(source: str | Path | ir.Operation, *arrays: Any, **settings: Any) -> Any:
    """Runs the `aie.device` in `source` (a path, MLIR text, or a module) and its instruction words on the simulator.

    `arrays` are the host buffers in the order of the runtime sequence's arguments; results are written in place. If a gemm
    pipeline padded the shapes, arrays may have the source's shapes or the padded ones. `device=` and `sequence=` select one of
    several. Scalar arguments of the sequence are numbers among the arrays, or `values={"n": 4}` by name or number; the
    remaining arguments are numbered without them. Further settings are those of `allo_air.sim.simulate.simulate` (`kernels`,
    `seed`, `strict`, `trace`, ...). objectFifos are lowered first, by our own pass. Returns the simulator's report.

    `expect` are the expected results: an array for the only result, a list with one for each, or a dictionary by the argument's
    number or name. Integers must be equal. Floats may differ by 2^-7 (16 bits) or 2^-14 of the largest expected value; with
    `rtol` and `atol`, |error| <= atol + rtol |expected|. If a result differs, a second run traces the first wrong element to
    its writer and source, which becomes a finding of kind `wrong-result`.
    """
    refuse_unknown("simulate", settings, ["expect", "rtol", "atol", *simulator_settings()])
    from allo_air.program.checks.expectation import Expectation
    from allo_air.program.run.design import Design
    from allo_air.sim.simulate import load
    from allo_air.target.npu_values import split
    from allo_air.target.sequences import choose_sequence

    expectation = Expectation.from_settings(settings)
    settings.setdefault("orders", 0.5)
    module = load(source)
    chosen = settings.pop("device", None), settings.pop("sequence", None)
    with module.context:
        value, values = split(choose_sequence(module, *chosen)[1], arrays, settings.pop("values", None) or {})
    arrays = tuple(value)
    design = Design(module.clone(ip=False) if hasattr(source, "operation") else module, *chosen, values)
    if expectation is None:
        return _run_on(design, arrays, settings)[0]
    before = [array.copy() if hasattr(array, "copy") else array for array in arrays]
    report, _ = _run_on(design, arrays, settings)

    def repeat() -> RecordedRun:
        from allo_air.program.checks.provenance import RecordedRun

        repeated, moved = _run_on(design, before, settings | {"record": True, "strict": False, "progress": None, "orders": 0.0})
        return RecordedRun(repeated.origins, before, moved)

    return expectation.check(report, _results(design, before, arrays), repeat, strict=settings.get("strict", True))


def simulator_settings() -> list[str]:
    """The names of the simulator's settings."""
    from allo_air.sim.simulate import simulate as run

    return [p.name for p in inspect.signature(run).parameters.values() if p.kind is p.KEYWORD_ONLY]


def _run_on(design: Design, arrays: Sequence[object], settings: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Runs on `arrays`; returns the report and the device's arrays."""
    from allo_air.program.host.arrays import from_device

    moved = design.device_arrays(arrays)
    report = design.run(moved, **settings)
    for number, (array, inside) in enumerate(zip(arrays, moved, strict=True)):
        if inside is not array:
            from_device(design.arguments[number], inside, array)
    return report, moved


def _results(design: Design, before: Sequence[np.ndarray], after: Sequence[np.ndarray]) -> tuple[list[Any], list[Any]]:
    """All arguments of the sequence, and those that the run wrote, according to the instruction words or else to changed
    contents.
    """
    from allo_air.program.checks.results import results_of

    all_results, written = results_of(design.arguments, after)
    return all_results, [r for r in written if design.roles or before[r.number].tobytes() != r.array.tobytes()]
