"""`allo_air.simulate`: any AIE design with a runtime sequence, objectFifos lowered first, on the simulator."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

_LOWERED_BY = (
    ("aie.objectfifo.register_process", "aie-register-objectFifos"),
    ("aie.objectfifo", "aie-objectFifo-stateful-transform"),
)
"""Operations that are no hardware, each with the pass that makes hardware of them, in the order in which the passes run."""

OBJECT_FIFOS = tuple(name for name, _ in _LOWERED_BY)


def simulate(source: Any, *arrays: Any, **settings: Any) -> Any:
    """Runs the `aie.device` in `source` (a path, MLIR text, or a module) and its instruction words on the simulator.

    `arrays` are the host buffers in the order of the runtime sequence's arguments; results are written in place. A file with
    several devices or sequences takes `device=` and `sequence=`; further settings are those of `allo_air.sim.simulate.simulate`
    (`kernels`, `seed`, `strict`, `trace`, ...). Returns the simulator's report. objectFifos are lowered by our own pass first.
    """
    if hasattr(source, "operation"):
        from allo_air.mlir import ir

        with source.operation.context as context, ir.Location.unknown(context):
            return _run(source.operation.clone(), arrays, settings)
    if isinstance(source, str | os.PathLike) and not (isinstance(source, str) and ("\n" in source or "{" in source)):
        from pathlib import Path

        from allo_air.program.source import read_text

        return run_module(read_text(Path(source)), arrays, name=os.fspath(source), **settings)
    return run_module(source, arrays, **settings)


def run_module(text: str, arrays: Sequence[Any], *, name: str = "<text>", **settings: Any) -> Any:
    """Runs MLIR `text`, called `name` in messages."""
    from allo_air import asm
    from allo_air.mlir import ir, new_context

    with new_context(), ir.Location.unknown():
        return _run(asm.read(text, name), arrays, settings)


def _run(module: Any, arrays: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Runs `module`, which may be changed."""
    from allo_air.core import crash
    from allo_air.sim.simulate import simulate as run

    lower_object_fifos(module)
    crash.doing("simulating")
    return run(module, *arrays, **settings)


def lower_object_fifos(module: Any) -> None:
    """Rewrites the objectFifos of `module`, where it has any, into buffers, locks, BDs and flows; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.rewrite import walk_named

    for name, by in _LOWERED_BY:
        if walk_named(module, name):
            driver.run(pipeline.parse(by, Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
