"""Computes expected results by a reference: a function in another file, run on the design's inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, counted
from allo_air.program.checks.blocks import round_factors
from allo_air.program.host.signature import Argument, describe
from allo_air.program.source import Source

if TYPE_CHECKING:
    import numpy as np


def expected(
    reference: Source,
    arguments: Sequence[Argument],
    arrays: Sequence[np.ndarray],
    *,
    function: str | None = None,
    seed: int = 0,
    bfp16: bool = False,
    program_order: bool = False,
) -> dict[int, Any]:
    """The results among `arguments`, by number, that `reference` (its only function, or `function`) computes.

    `arrays` are the arguments before the run. The function takes all arguments, or only those that are read, as tensors or
    memrefs, flat or with their shape. The results are its returned values in order, or else what it writes into its memrefs.
    With `bfp16`, it multiplies in block floating point; with `program_order`, operations whose order its tokens leave open run
    in program order. Raises AlloAirError for another signature.
    """
    from allo_air.program.stage import run_stage

    function = function or reference.entry or None
    kinds, results = _signature(reference, function)
    numbers = _numbers(reference, kinds, arguments)
    values = [_as_parameter(reference, i, kinds[i], arguments[n], arrays[n]) for i, n in enumerate(numbers)]
    prepare = round_factors if bfp16 else None
    done = run_stage(reference, None, values, seed=seed, function=function, prepare=prepare, program_order=program_order)
    output_numbers = [n for n, a in enumerate(arguments) if a.role != "in"]
    after = dict(zip(numbers, done.arrays[: len(numbers)], strict=True))
    written, returned = output_numbers[: len(output_numbers) - results], output_numbers[len(output_numbers) - results :]
    missing = [arguments[n].name for n in written if n not in after]
    if missing and not results:
        raise AlloAirError(
            f"{reference.name} returns nothing and takes no memref for {', '.join(missing)}, which the design writes"
        )
    if results > len(output_numbers) or missing:
        outputs = ", ".join(arguments[n].name for n in output_numbers) or "nothing"
        raise AlloAirError(f"{reference.name} returns {counted(results, 'result')}, and the design writes {outputs}")
    return {n: after[n] for n in written} | dict(zip(returned, done.arrays[len(done.arrays) - results :], strict=True))


def _signature(reference: Source, function: str | None) -> tuple[list[tuple[tuple[int, ...] | None, str]], int]:
    """The shapes (None for any) and element types of the reference's parameters, and its number of results."""
    from allo_air import asm
    from allo_air.core.contexts import reused_context
    from allo_air.interp.run import entry
    from allo_air.mlir import ir
    from allo_air.program.host.signature import shaped, unranked
    from allo_air.program.stage import SIMULATED

    if reference.level in SIMULATED:
        raise AlloAirError(f"{reference.name} is a device; a reference is a function on tensors or memrefs")
    with reused_context(reference.text), ir.Location.unknown():
        result = entry(asm.read(reference.text, reference.name), function)
        kind = result.opview.type
        kinds = [shaped(t) or ((None, element) if (element := unranked(t)) else None) for t in kind.inputs]
        for number, (t, argument_kind) in enumerate(zip(kind.inputs, kinds, strict=True)):
            if argument_kind is None:
                raise AlloAirError(f"argument {number} of {reference.name} is {t}; expected a tensor or memref of static shape")
        return [k for k in kinds if k is not None], len(kind.results)


def _numbers(reference: Source, kinds: Sequence[object], arguments: Sequence[Argument]) -> list[int]:
    """The numbers of the design's arguments that the reference takes: those that are read, or all."""
    read = [n for n, a in enumerate(arguments) if a.role != "out"]
    for numbers in (read, list(range(len(arguments)))):
        if len(kinds) == len(numbers):
            return numbers
    raise AlloAirError(
        f"{reference.name} takes {counted(len(kinds), 'argument')}; the design has {len(arguments)} ({describe(arguments)}), "
        f"of which it reads {len(read)}"
    )


def _as_parameter(
    reference: Source, number: int, kind: tuple[tuple[int, ...] | None, str], argument: Argument, array: np.ndarray
) -> Any:
    """`array` in the shape and type of the reference's parameter: reshaped, or with its bytes reinterpreted."""
    import numpy as np

    shape, element = kind
    if shape is None:
        return np.ascontiguousarray(array)
    dtype, count = numpy_dtype(element), int(np.prod(shape, dtype=np.int64))
    if array.nbytes != count * dtype.itemsize:
        raise AlloAirError(
            f"argument {number} of {reference.name} is {'x'.join(map(str, shape))} of {element}; {argument} in the design"
        )
    return np.ascontiguousarray(array).reshape(-1).view(dtype).reshape(shape)
