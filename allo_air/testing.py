"""Helpers for tests of other projects: run a design on the simulator and compare its results; also a pytest fixture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

__all__ = ["simulate_design"]


def simulate_design(
    design: str | Path,
    inputs: Sequence[object],
    expected: Sequence[np.ndarray] = (),
    *,
    device: str = "npu1",
    rtol: float | None = None,
    atol: float | None = None,
    kernels: Mapping[str, object] | None = None,
    values: Mapping[str, object] | None = None,
    **options: Any,
) -> list[Any]:
    """Runs `design` on numpy arrays, and returns its outputs: an array like each of `expected`. `design` is MLIR text, the
    path of a file, or a module of any MLIR bindings: an `aie.device` with a runtime sequence (mlir-aie, IRON), whose scalar
    arguments are numbers among the inputs, or by name in `values`; or AIR (mlir-air), which is compiled for `device` first,
    with `options` of the pipeline air-npu. The outputs come after the inputs in its arguments. AssertionError where one
    differs from what is expected, by rtol and atol as numpy.isclose has them (default: exact for integers, 2^-7 for floats of
    16 bits and 2^-14 for wider ones, of the largest expected value), naming the first wrong element and who wrote it;
    DiagnosticError for a design that does not compile, SimulationError for one that hangs, races or leaves its buffers.
    `kernels` stand for external functions.
    """
    import numpy as np

    import allo_air
    from allo_air.program.source import source_of
    from allo_air.sim.report_types import SimulationError

    source = source_of(design if isinstance(design, str) or hasattr(design, "__fspath__") else str(design))
    references = [np.asarray(e) for e in expected]
    scalars = [a for a in inputs if isinstance(a, int | np.integer)]
    given_inputs = [a if isinstance(a, int | np.integer) else np.array(a) for a in inputs]
    arrays = given_inputs + [np.zeros(e.shape, e.dtype) for e in references]
    settings: dict[str, Any] = (
        {"expect": {len(inputs) - len(scalars) + i: e for i, e in enumerate(references)}, "rtol": rtol, "atol": atol}
        if references
        else {}
    )
    arguments: dict[str, Any] = {"kernels": dict(kernels)} if kernels else {}
    try:
        if source.level in ("aie", "npu"):
            allo_air.simulate(source.text, *arrays, **settings, **arguments, **({"values": values} if values else {}))
        else:
            allo_air.compile(source.text, device=device, **arguments, **options)(*arrays, **settings)
    except SimulationError as why:
        if any(f.kind == "wrong-result" for f in why.report.findings):
            raise AssertionError(str(why)) from None
        raise
    return arrays[len(inputs) :]
