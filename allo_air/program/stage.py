"""Runs IR of any level on arrays: the interpreter above the AIE dialect, the simulator from there on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from allo_air.core import levels
from allo_air.core.names import sym_name_of
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, OptionError, counted
from allo_air.program.balance import check_balance
from allo_air.program.host.arrays import ArgumentError, check, from_device, random_array, to_device, with_argument_type
from allo_air.program.host.signature import Argument, declared, describe, shaped, unranked
from allo_air.program.overhang import cut, pad_arguments, padded, shapes_of_the_caller
from allo_air.program.source import Source

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import AnyOp, ir

SIMULATED = ("aie", "npu")
"""Levels that the simulator runs; the interpreter runs higher ones."""


@dataclass(frozen=True)
class StageRun:
    """Arguments and results with their arrays after a run, and the simulator's report if it was a simulation."""

    level: str
    arguments: tuple[Argument, ...]
    arrays: tuple[Any, ...]
    report: Any = None
    before: tuple[Any, ...] = ()
    """The arguments' arrays before the run; a function's results have none."""
    device_arrays: tuple[Any, ...] = ()
    """For a simulation: the device's arrays, which may be padded."""

    @property
    def outputs(self) -> list[tuple[Argument, Any]]:
        """The arrays that the run wrote."""
        pairs = zip(self.arguments, self.arrays, strict=True)
        return [(a, array) for a, array in pairs if a.role != "in"]


def run_stage(
    source: Source,
    level: str | None = None,
    arrays: Sequence[np.ndarray] = (),
    *,
    seed: int = 0,
    function: str | None = None,
    device: str | None = None,
    prepare: Callable[[Any], dict[str, Any]] | None = None,
    program_order: bool = False,
    values: dict[str, Any] | None = None,
    **settings: object,
) -> StageRun:
    """Runs `source` as IR of `level` (by default that of its operations) on arrays.

    `arrays` are the first arrays; the others are seeded random arrays, or zeros for arrays that are only written. `function`
    and `device` select the function (or runtime sequence) and the device. `prepare` changes the module for the interpreter and
    returns the functions that it declares. With `program_order`, operations run in program order also where tokens leave the
    order open. `values` are the scalar arguments of a runtime sequence. `settings` go to the simulator.
    """
    from allo_air.mlir import ir

    level, function = level or source.level, function or source.entry or None
    levels.find(level)
    with source.context, ir.Location.unknown():
        module = source.clone()
        if level in SIMULATED:
            return _simulate(module, level, arrays, seed, device, function, values, settings)
        if values:
            raise OptionError(f"level '{level}' runs on the interpreter; scalars are arguments of runtime sequences")
        if settings.get("trace"):
            raise OptionError(f"level '{level}' runs on the interpreter, which has no cycles to trace; simulate 'aie' or 'npu'")
        if settings.get("kernels"):
            raise OptionError(
                f"level '{level}' runs on the interpreter; kernels replace external functions on the simulator only"
            )
        return _interpret(module, level, arrays, seed, function, prepare, program_order)


def estimate_stage(
    source: Source,
    *,
    function: str | None = None,
    device: str | None = None,
    values: Mapping[str, object] | None = None,
    **settings: Any,
) -> Any:
    """The simulator's prediction for a device in `source`, without data. Arguments and errors are those of `run_stage`."""
    from allo_air.mlir import ir
    from allo_air.program.run.design import Design

    with source.context, ir.Location.unknown():
        return Design(source.clone(), device, function, values).estimate(**settings)


def _simulate(
    module: AnyOp,
    level: str,
    arguments: Sequence[np.ndarray],
    seed: int,
    device: str | None,
    name: str | None,
    values: dict[str, Any] | None,
    settings: dict[str, Any],
) -> StageRun:
    from allo_air.program.run.design import Design
    from allo_air.target.sequences import devices, sequences

    if not any(sequences(d) for d in devices(module)) and (function := _control(module, name)) is not None:
        return _run_control(module, function, level, arguments, seed, settings)
    design = Design(module, device, name, values)
    arrays = _arrays(design.arguments, arguments, seed)
    moved = [to_device(a, array) for a, array in zip(design.arguments, arrays, strict=True)]
    report = design.run(moved, seed=seed, **settings)
    return StageRun(level, design.arguments, tuple(_callers_part(design.arguments, moved)), report, tuple(arrays), tuple(moved))


def _control(module: AnyOp, name: str | None) -> Any:
    """The control program of the devices of `module`; None if there is none."""
    from allo_air.interp.executors import drives_device, entries
    from allo_air.interp.run import entry
    from allo_air.target.sequences import devices

    functions = [f for f in entries(module) if f.name == "func.func" and drives_device(f)]
    return entry(module, name) if devices(module) and functions else None


def _run_control(
    module: AnyOp, function: ir.Operation, level: str, values: Sequence[object], seed: int, settings: dict[str, Any]
) -> StageRun:
    from allo_air.core import crash
    from allo_air.program.control.run import roles, run
    from allo_air.program.run.object_fifos import lower_object_fifos

    lower_object_fifos(module)
    arguments = declared(function, roles(module, function), "in")
    arrays = _arrays(arguments, values, seed)
    moved = [to_device(a, array) for a, array in zip(arguments, arrays, strict=True)]
    crash.record_step("simulating")
    report = run(module, function, moved, seed, settings.pop("kernels", None), **settings)
    after = _callers_part(arguments, moved)
    return StageRun(level, tuple(arguments), tuple(after), report, tuple(arrays), tuple(moved))


def _callers_part(arguments: Sequence[Argument], moved: Sequence[np.ndarray]) -> list[Any]:
    """The caller's part of the device's arrays."""
    import numpy as np

    arrays = [np.zeros(a.shape, array.dtype) for a, array in zip(arguments, moved, strict=True)]
    for argument, array, seen in zip(arguments, moved, arrays, strict=True):
        from_device(argument, array, seen)
    return arrays


def _arrays(arguments: Sequence[Argument], values: Sequence[object], seed: int) -> list[Any]:
    """Arrays for `arguments`: copies of the passed ones, then random or zero arrays."""
    import numpy as np

    if len(values) > len(arguments):
        raise ArgumentError(
            f"got {counted(len(values), 'array')}, expected {counted(len(arguments), 'argument')}: {describe(arguments)}"
        )
    rng = np.random.default_rng(seed)
    arrays = []
    for number, argument in enumerate(arguments):
        dtype = numpy_dtype(argument.element)
        if number < len(values):
            array = with_argument_type(argument, values[number])
            check(argument, array, writable=False)
            arrays.append(np.array(array, order="C"))
        elif argument.role == "out":
            arrays.append(np.zeros(argument.shape, dtype))
        else:
            arrays.append(random_array(rng, argument.shape, dtype))
    return arrays


def _interpret(
    module: AnyOp, level: str, inputs: Sequence[np.ndarray], seed: int, function: str | None, prepare: Any, program_order: bool
) -> StageRun:
    from allo_air.interp.allowances import Allowances
    from allo_air.interp.run import entry, run

    check_balance(level, module)
    pad_arguments(module)
    result = entry(module, function)
    name = sym_name_of(result)
    types = list(result.opview.type.inputs)
    kinds = [shaped(t) or _shape_of(t, n, inputs) for n, t in enumerate(types)]
    if None in kinds:
        wrong = kinds.index(None)
        if unranked(types[wrong]):
            raise AlloAirError(
                f"argument {wrong} of @{name} is {types[wrong]}, which has no shape: give its array (--input FILE.npy)"
            )
        raise AlloAirError(f"argument {wrong} of @{name} is {types[wrong]}; expected a tensor or memref of static shape")
    kinds_present = [k for k in kinds if k is not None]
    shapes = shapes_of_the_caller(result, [shape for shape, _ in kinds_present])
    arguments = [
        Argument(f"argument {i}", s, k[1], "in", s) for i, (s, k) in enumerate(zip(shapes, kinds_present, strict=True))
    ]
    arrays = _arrays(arguments, inputs, seed)
    padded_arrays = [padded(array, shape) for array, (shape, _) in zip(arrays, kinds_present, strict=True)]
    libraries, allow = prepare(module) if prepare else None, Allowances(program_order=program_order)
    values = run(module, padded_arrays, name, seed, libraries=libraries, allow=allow)
    results = list(result.opview.type.results)
    contents = _contents(arguments, padded_arrays, types, values[len(results) :])
    after = [cut(new, a.shape) for a, _, new in contents]
    pairs = [(_as_output(a, old, new), new) for a, old, new in zip(arguments, arrays, after, strict=True)]
    for number, (kind, array) in enumerate(zip(results, values, strict=False)):
        shape, element = shaped(kind) or ((), str(kind))
        pairs.append((Argument(f"result {number}", shape, element, "out", shape), array))
    return StageRun(level, tuple(a for a, _ in pairs), tuple(array for _, array in pairs), before=tuple(arrays))


def _shape_of(kind: ir.Type, number: int, values: Sequence[Any]) -> tuple[tuple[int, ...], str] | None:
    """The shape of an unranked argument: that of its array."""
    element = unranked(kind)
    return (tuple(values[number].shape), element) if element and number < len(values) else None


def _contents(
    arguments: Sequence[Argument], arrays: Sequence[np.ndarray], types: Sequence[ir.Type], after: Sequence[np.ndarray]
) -> list[tuple[Argument, Any, Any]]:
    """Each argument with its contents before and after the run. Tensors do not change; `after` has the memrefs."""
    changed = iter(after)
    return [
        (argument, array, next(changed) if str(kind).startswith("memref") else array)
        for argument, array, kind in zip(arguments, arrays, types, strict=True)
    ]


def _as_output(argument: Argument, before: np.ndarray, after: np.ndarray) -> Argument:
    """`argument`, as an output if its contents changed."""
    return argument if before.tobytes() == after.tobytes() else replace(argument, role="inout")
