"""Who executes modules with an `aie.device` for --verify-each=execute: the simulator, from words or from the control program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError
from allo_air.interp import executors
from allo_air.interp.inputs import Signature
from allo_air.interp.run import run as interpret
from allo_air.interp.values import dtype_of
from allo_air.mlir import ir


def register() -> None:
    """Makes the simulator execute the levels `aie` and `npu`; it is loaded when the first such module runs."""
    for level in ("aie", "npu"):
        executors.register(level, execute)


def execute(module: Any, inputs: list[Any], name: str, seed: int, libraries: Mapping[str, Any]) -> list[Any]:
    """Runs the function or runtime sequence `name`; returns the final contents of its memref arguments."""
    entry = executors.entry_named(module, name)
    if entry.name == "func.func" and not executors.drives_device(entry):
        return interpret(module, inputs, name, seed, libraries=dict(libraries))
    arrays = [_array(entry, t, v) for t, v in zip(Signature.of(entry).arguments, inputs, strict=True)]
    kernels = {callee: getattr(found, "on_arrays", found) for callee, found in libraries.items()}
    if entry.name == "func.func":
        from allo_air.program.control.run import run

        run(module, entry, arrays, seed, kernels)
        return arrays
    from allo_air.program.simulate import lower_object_fifos
    from allo_air.sim.simulate import simulate

    with module.context, ir.Location.unknown(module.context):
        copy = module.operation.clone()
        lower_object_fifos(copy)
        simulate(copy, *arrays, sequence=name, seed=seed, kernels=kernels)
    return arrays


def _array(entry: Any, type_: Any, value: Any) -> Any:
    if not isinstance(type_, ir.MemRefType):
        raise AlloAirError(f"argument {type_} of a control program; the host passes memrefs only")
    return np.array(value, dtype_of(type_.element_type), order="C")
