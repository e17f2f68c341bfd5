"""Connects the simulator to --verify-each=execute: it executes modules with an `aie.device`, by instruction words or control
program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.interp import executors
from allo_air.interp.errors import Unsupported
from allo_air.interp.inputs import Signature
from allo_air.interp.run import run as interpret
from allo_air.interp.values import dtype_of
from allo_air.mlir import AnyOp, ir
from allo_air.program.run.called_kernels import with_kernels

if TYPE_CHECKING:
    from allo_air.interp.uninterpreted import Uninterpreted

_CONFIGURES = ("aiex.configure", "aiex.run")
_UNWRITTEN = ("uninitialized-read",)


def register() -> None:
    """Registers the simulator for the levels `aie` and `npu`. It is loaded when the first such module runs."""
    for level in ("aie", "npu"):
        executors.register(level, execute)


def execute(
    module: ir.OpView,
    inputs: list[np.ndarray],
    name: str,
    seed: int,
    libraries: Mapping[str, Uninterpreted],
    *,
    reads_unwritten: bool = False,
) -> list[np.ndarray]:
    """Runs the function or runtime sequence `name`; returns the final contents of its memref arguments."""
    entry = executors.entry_named(module, name)
    if entry.name == "func.func" and not executors.drives_device(entry):
        lowered, kernels = with_kernels(module, entry, lambda m, kernel, arrays: _run(m, kernel, arrays, seed, libraries))
        return interpret(lowered, inputs, name, seed, libraries={**libraries, **kernels})
    arrays = [_array(entry, t, v) for t, v in zip(Signature.of(entry).arguments, inputs, strict=True)]
    _run(module, entry, arrays, seed, libraries, reads_unwritten=reads_unwritten)
    return arrays


def _run(
    module: AnyOp,
    entry: ir.Operation,
    arrays: list[np.ndarray],
    seed: int,
    libraries: Mapping[str, Uninterpreted],
    *,
    reads_unwritten: bool = False,
) -> None:
    """Runs a control program or runtime sequence on `arrays`."""
    from allo_air.sim.report_types import NotSimulated

    kernels = {callee: getattr(item, "on_arrays", item) for callee, item in libraries.items()}
    with module.context, ir.Location.unknown(module.context):
        try:
            _simulate(module, entry, arrays, seed, kernels, reads_unwritten)
        except NotSimulated as why:
            raise executors.NotExecuted(why.diagnostics) from why


def _simulate(
    module: AnyOp,
    entry: ir.Operation,
    arrays: list[np.ndarray],
    seed: int,
    kernels: dict[str, Uninterpreted],
    reads_unwritten: bool,
) -> None:
    """Runs a control program, or the words of a runtime sequence."""
    from allo_air.program.run.object_fifos import OBJECT_FIFOS, lower_object_fifos

    name = sym_name_of(entry)
    if walk_named(module, *OBJECT_FIFOS):
        module = module.operation.clone()
        lower_object_fifos(module)
        entry = executors.entry_named(module, name)
    if entry.name == "func.func":
        from allo_air.program.control.run import run

        run(module, entry, arrays, seed, kernels, tolerated=_UNWRITTEN if reads_unwritten else ())
        return
    _refuse_unwritten(entry)
    from allo_air.sim.report_types import SimulationError
    from allo_air.sim.simulate import simulate

    device = executors.device_of(entry)
    if not reads_unwritten:
        simulate(module, *arrays, device=device, sequence=name, seed=seed, kernels=kernels)
        return
    report = simulate(module, *arrays, device=device, sequence=name, seed=seed, kernels=kernels, strict=False)
    if wrong := [f for f in report.findings if f.is_error and f.kind not in _UNWRITTEN]:
        report.findings = wrong
        raise SimulationError(report)


def _refuse_unwritten(sequence: ir.Operation) -> None:
    """Raises NotExecuted for operations without instruction words, which a later pass will lower."""
    from allo_air.target.npu_sequence import rule_of, without_words

    for op in walk_post_order(sequence):
        if op.name.startswith("aiex.") and op.name not in _CONFIGURES and rule_of(op.name) is None:
            wrong = without_words(op)
            raise executors.NotExecuted(wrong.diagnostics)


def _array(entry: ir.Operation, type_: ir.ShapedType, value: np.ndarray) -> np.ndarray:
    if not isinstance(type_, ir.MemRefType):
        raise Unsupported(entry, f"has an argument of type {type_}, and the host of a device passes memrefs of known shape")
    return np.array(value, dtype_of(type_.element_type), order="C")
