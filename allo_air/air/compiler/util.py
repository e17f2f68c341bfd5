"""`run_transform` applies a transform script to a module, `Runner` predicts its time; also pipelines that bufferize linalg on
tensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.errors import AlloAirError

LINALG_TENSOR_TO_MEMREF_PIPELINE = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map unknown-type-conversion=identity-layout-map},"
    "drop-equivalent-buffer-results,canonicalize,cse)"
)
"""Pipeline text for `PassManager.parse`; functions then take and return buffers without layouts."""


def run_transform(transform_module: Any, module: Any) -> None:
    """Runs the script in `transform_module` on `module` in place (docs/transform.md); DiagnosticError if it fails."""
    from allo_air.mlir import ir
    from allo_air.transform import run_script

    with module.operation.context, ir.Location.unknown():
        run_script(transform_module.operation, module.operation)


class Runner:
    """Predicts the time of a function: compiles it and runs it in the simulator's time model, on random arrays. The model is
    that of the device (docs/simulator.md), `target_device` or the default. From `json_model`, a dictionary or the name of a
    JSON file, only `clock` (Hz) is used, for `last_latency_us`. `sim_granularity` has no effect; each core has its own
    events.
    """

    def __init__(
        self,
        json_model: object = None,
        trace_filename: Any = None,
        sim_granularity: str = "herd",
        verbose: bool = False,
        target_device: str | None = None,
    ):
        from allo_air.device import default_npu

        if sim_granularity not in ("herd", "core"):
            raise AlloAirError(f"sim_granularity is '{sim_granularity}', expected herd or core")
        self.trace_filename, self.verbose = trace_filename, verbose
        self.device = target_device or default_npu()
        self.last_latency_us: float | None = None
        self.mhz = _clock(json_model)

    def run(self, module: Any, function: str) -> str:
        """The trace of a run of `function`, in the format of Chrome's trace viewer; also written to the file if one was
        named."""
        import tempfile

        from allo_air.air.backend.xrt import XRTBackend, latency_of
        from allo_air.core.walking import walk_named

        defined = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
        names = [sym_name_of(f) for f in defined]
        if names != [function]:
            names_defined = ", ".join(f"@{n}" for n in names) or "no function"
            raise AlloAirError(f"the module defines {names_defined}, expected @{function} alone")
        program = XRTBackend(target_device=self.device).compile(module).program
        with tempfile.TemporaryDirectory() as folder:
            path = Path(self.trace_filename or Path(folder) / "trace.json")
            program.trace(path)
            text = path.read_text(encoding="utf-8")
        self.last_latency_us = latency_of(program)
        report = program._last_report
        if self.mhz and self.last_latency_us is not None:
            self.last_latency_us += report.cycles / self.mhz - report.cycles / report.mhz
        if self.verbose:
            print(f"Latency (us): {self.last_latency_us:.1f}")
        return text


def _clock(model: object) -> float | None:
    """The clock of a machine model in MHz, or None; AlloAirError if it is not a number."""
    if isinstance(model, str | Path):
        try:
            model = json.loads(Path(model).read_text(encoding="utf-8"))
        except OSError as error:
            raise AlloAirError(f"cannot read '{model}': {error.strerror}") from None
        except ValueError as error:
            raise AlloAirError(f"the machine model '{model}' is not JSON: {error}") from None
    if model is None:
        return None
    if not isinstance(model, dict):
        raise AlloAirError(
            f"the machine model is {type(model).__name__}, expected a JSON object, or the name of a file with one"
        )
    clock = model.get("clock")
    if clock is None:
        return None
    if isinstance(clock, bool) or not isinstance(clock, int | float) or clock <= 0:
        raise AlloAirError(f"the machine model's clock is {clock!r}, expected a positive number of Hz")
    return float(clock) / 1e6
