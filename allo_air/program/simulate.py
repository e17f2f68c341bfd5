"""`allo_air.simulate`: any AIE design with a runtime sequence, objectFifos lowered first, on the simulator."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import checked, refuse_unknown
from allo_air.core.texts import text_of
from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.program.run.control_packets import with_packets
from allo_air.program.run.traces import lower_traces

if TYPE_CHECKING:
    from allo_air.program.checks.provenance import Recorded

_LOWERED_BY = (
    ("aie.logical_tile", "aie-place-tiles"),
    ("aie.objectfifo.register_process", "aie-register-objectFifos"),
    ("aie.objectfifo", "aie-objectFifo-stateful-transform"),
)
"""Operations that are no hardware, each with the pass that makes hardware of them, in the order in which the passes run."""

OBJECT_FIFOS = tuple(name for name, _ in _LOWERED_BY)


@checked()
def simulate(source: Any, *arrays: Any, **settings: Any) -> Any:
    """Runs the `aie.device` in `source` (a path, MLIR text, or a module) and its instruction words on the simulator.

    `arrays` are the host buffers in the order of the runtime sequence's arguments; results are written in place. Where a gemm
    pipeline padded the shapes, they are those of the source, or the padded ones. A file with several devices or sequences takes
    `device=` and `sequence=`; further settings are those of `allo_air.sim.simulate.simulate` (`kernels`, `seed`, `strict`,
    `trace`, ...). Returns the simulator's report. objectFifos are lowered by our own pass first.

    `expect` is what the design should write: an array for its only result, a list of one for each, or a dictionary by the
    argument's number or name. Integers are to be equal, floats within 2^-7 (16 bits) or 2^-14 of the largest expected value;
    with `rtol` and `atol`, |error| <= atol + rtol |wanted|. Where it differs, a second run finds out who wrote the first wrong
    element, and from where; that is a finding of the kind `wrong-result`.
    """
    refuse_unknown("simulate", settings, ["expect", "rtol", "atol", *simulator_settings()])
    if hasattr(source, "operation"):
        from allo_air.mlir import ir

        with source.operation.context as context, ir.Location.unknown(context):
            return _run(source.operation.clone(), arrays, settings)
    text, name = text_of(source, "simulate")
    return run_module(text, arrays, name=name, **settings)


def simulator_settings() -> list[str]:
    """What the simulator is told by name."""
    from allo_air.sim.simulate import simulate as run

    return [p.name for p in inspect.signature(run).parameters.values() if p.kind is p.KEYWORD_ONLY]


def run_module(text: str, arrays: Sequence[Any], *, name: str = "<text>", **settings: Any) -> Any:
    """Runs MLIR `text`, called `name` in messages."""
    from allo_air import asm
    from allo_air.mlir import ir, new_context

    with new_context(), ir.Location.unknown():
        return _run(asm.read(text, name), arrays, settings)


def _run(module: Any, arrays: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Runs `module`, which may be changed."""
    from allo_air.core import crash
    from allo_air.program.checks.expectation import Expectation

    expectation = Expectation.taken(settings)
    lower_object_fifos(module)
    crash.doing("simulating")
    if expectation is None:
        return _on_arrays(module, arrays, settings)[0]
    before = [array.copy() if hasattr(array, "copy") else array for array in arrays]
    fresh = module.clone()
    report, _ = _on_arrays(module, arrays, settings)

    def again() -> Recorded:
        from allo_air.program.checks.provenance import Recorded

        repeated, moved = _on_arrays(fresh, before, settings | {"record": True, "strict": False, "progress": None})
        return Recorded(repeated.origins, before, moved)

    return expectation.judge(report, _results(module, settings, before, arrays), again, strict=settings.get("strict", True))


def _on_arrays(module: Any, arrays: Sequence[Any], settings: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Runs on `arrays`; the report, and the arrays that the device had."""
    from allo_air.core.diagnostics import emit
    from allo_air.program.host.padding import corner
    from allo_air.program.run import core_code
    from allo_air.sim.simulate import simulate as run

    chosen = (settings.get("device"), settings.get("sequence"))
    given = lower_sequence(module, padded(module, arrays, *chosen), *chosen)
    doubts = core_code.findings(module, *chosen)
    report = run(module, *given, **settings)
    report.findings += doubts
    for doubt in doubts:
        emit(doubt.diagnostic)
    for array, moved in zip(arrays, given, strict=False):
        if moved is not array:
            array[...] = moved[corner(array.shape)]
    return report, given


def _results(module: Any, settings: dict[str, Any], before: Sequence[Any], after: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """All arguments of the sequence by name, and those that the run writes."""
    from allo_air.core.diagnostics import given_name
    from allo_air.program.checks.results import Result
    from allo_air.program.host.transfers import roles_in
    from allo_air.target.sequences import choose

    device, op = choose(module, settings.get("device"), settings.get("sequence"))
    names = [given_name(a.location, "argument").lstrip("%") for a in op.body.blocks[0].arguments]
    everything = [
        Result(n, (*([name] if name else []), f"argument {n}"), array)
        for n, (name, array) in enumerate(zip(names, after, strict=False))
    ]
    told = roles_in(module, device.sym_name, op.sym_name)
    changed = [r for r in everything if before[r.number].tobytes() != r.array.tobytes()]
    return everything, [r for r in everything if told.get(r.number, "in") != "in"] if told else changed


def padded(module: Any, arrays: Sequence[Any], device: str | None, sequence: str | None) -> list[Any]:
    """`arrays` for the device: those of the shape that the caller had before `pad-gemm` copied, with zeros around them.

    AlloAirError where an array has neither that shape nor the device's.
    """
    import numpy as np

    from allo_air.dialects.host_shapes import host_shapes
    from allo_air.program.host.padding import pad
    from allo_air.target.sequences import choose

    _, op = choose(module, device, sequence)
    found = list(arrays)
    types = [a.type for a in op.body.blocks[0].arguments]
    for i, (array, host, memref) in enumerate(zip(arrays, host_shapes(op.operation), types, strict=False)):
        moved = tuple(memref.shape)
        if host == moved or not isinstance(array, np.ndarray) or array.shape == moved:
            continue
        if array.shape != host:
            own, inside, other = ("x".join(map(str, s)) for s in (host, moved, array.shape))
            raise AlloAirError(
                f"argument {i} of @{op.sym_name} is {own}, padded to {inside} on the device; the array given is {other}"
            )
        if not array.flags.writeable:
            raise AlloAirError(f"argument {i} of @{op.sym_name} is read-only, and results are written in place")
        found[i] = pad(array, moved)
    return found


def lower_sequence(module: Any, arrays: Sequence[Any], device: str | None, sequence: str | None) -> list[Any]:
    """Lowers declared traces and control packets of `module`; `arrays` with the buffers that they need behind them."""
    return with_packets(module, lower_traces(module, arrays, device, sequence), device, sequence)


def lower_object_fifos(module: Any) -> None:
    """Rewrites the objectFifos of `module`, where it has any, into buffers, locks, BDs and flows; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.diagnostics import position
    from allo_air.core.registry import Registry
    from allo_air.core.walking import walk_named

    fifos = {position(op.location): op.attributes["sym_name"].value for op in walk_named(module, "aie.objectfifo")}
    for name, by in _LOWERED_BY:
        if walk_named(module, name):
            try:
                driver.run(pipeline.parse(by, Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
            except driver.InternalError:
                raise
            except DiagnosticError as error:
                raise _of_fifos(error, fifos) from error


def _of_fifos(error: DiagnosticError, fifos: dict[tuple[str, int, int], str]) -> DiagnosticError:
    """`error` with each diagnostic once, and the fifo named where it is about the hardware that a fifo becomes."""
    found = []
    for d in dict.fromkeys(error.diagnostics):
        fifo = fifos.get((d.file, d.line, d.column))
        known = fifo is None or d.message.startswith("'aie.objectfifo")
        found.append(d if known else replace(d, message=f"'aie.objectfifo' op @{fifo} cannot be lowered: {d.message}"))
    return error if tuple(found) == error.diagnostics else DiagnosticError(found)
