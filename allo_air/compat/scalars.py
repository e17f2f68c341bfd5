"""Programs with integer arguments. Instruction words contain constants only, so each set of values is compiled to a separate
program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.compat.temporaries import hold_temporaries, with_temporaries
from allo_air.core.walking import is_unused
from allo_air.errors import AlloAirError, counted
from allo_air.mlir import ir
from allo_air.program.scalar_program import defined, with_constants

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.program import Program


def scalar_places(module: object) -> tuple[int, ...]:
    """The positions of arguments of the module's function that are used integers or indices; empty if there are several
    functions.
    """
    functions = defined(module)
    if len(functions) != 1:
        return ()
    arguments = functions[0].regions[0].blocks[0].arguments
    return tuple(i for i, a in enumerate(arguments) if isinstance(a.type, ir.IntegerType | ir.IndexType) and not is_unused(a))


class ProgramOfScalars:
    """Programs by the values of their scalar arguments. `compiled` compiles one; each is compiled once."""

    def __init__(self, places: tuple[int, ...], compiled: Callable[[tuple[int, ...]], object]):
        self.places, self._compiled = places, compiled
        self._made: dict[tuple[int, ...], Any] = {}

    def taking(self, arrays: Sequence[np.ndarray]) -> tuple[Any, list[Any]]:
        """The program for the scalars among `arrays`, and the remaining arrays."""
        import numpy as np

        values = tuple(int(np.asarray(arrays[i]).reshape(-1)[0]) for i in self.places)
        if values not in self._made:
            self._made[values] = self._compiled(values)
        return self._made[values], [a for i, a in enumerate(arrays) if i not in self.places]


def compiled(text: str, options: Mapping[str, Any]) -> Any:
    """Compiles AIR or AIE text by `allo_air.compile`; a ProgramOfScalars if the function has integer arguments."""
    import allo_air
    from allo_air import asm
    from allo_air.core.contexts import reused_context
    from allo_air.passes.bind.forward_host_copies import ForwardHostCopies

    with reused_context(text), ir.Location.unknown():
        module = asm.read(text, "<text>")
        places, functions = scalar_places(module), defined(module)
        ForwardHostCopies().run(module)
        if len(functions) == 1 and hold_temporaries(functions[0]):
            text = asm.write(module, debug_info=True)
    if not places:
        return allo_air.compile(text, **options)

    def of_values(values: tuple[int, ...]) -> Any:
        with reused_context(text), ir.Location.unknown():
            module = asm.read(text, "<text>")
            with_constants(module, values, places)
            return allo_air.compile(asm.write(module, debug_info=True), **options)

    return ProgramOfScalars(places, of_values)


def run(program: Any, arrays: Sequence[Any]) -> Any:
    """Runs a program, or the one for the scalars among `arrays`, in place. Returns the program that ran.

    Like XRT, it accepts arrays of another shape or type with as many bytes as the argument. For unranked memrefs it also
    accepts shorter arrays, since the last blocks of a launch may extend over the end; zeros are added. Raises AlloAirError for
    another number of arrays.
    """
    result, buffers = program.taking(arrays) if isinstance(program, ProgramOfScalars) else (program, list(arrays))
    complete = with_temporaries(result, buffers)
    if len(complete) != len(result.arguments):
        types = ", ".join(a.type_text for a in result.arguments)
        raise AlloAirError(f"the call passes {counted(len(arrays), 'array')}, inputs and outputs; the program has {types}")
    seen = _as_buffers(result, complete)
    longer = _zero_padded(result, seen)
    result(*longer)
    for array, longer_array in zip(seen, longer, strict=True):
        if longer_array is not array:
            array.reshape(-1)[:] = longer_array[: array.size]
    return result


def _zero_padded(program: Program, arrays: Sequence[np.ndarray]) -> list[Any]:
    """`arrays`, with zeros added to those that are shorter than the part of an unranked memref that is accessed."""
    import numpy as np

    short = [n for n, (a, x) in enumerate(zip(program.arguments, arrays, strict=False)) if 0 < x.size < prod(a.shape)]
    results = list(arrays)
    if len(program.arguments) != len(arrays) or not short:
        return results
    for n in set(short) & _rankless(program):
        results[n] = np.pad(arrays[n].reshape(-1), (0, prod(program.arguments[n].shape) - arrays[n].size))
    return results


def _rankless(program: Program) -> set[int]:
    """The positions of unranked memrefs among the arguments of the program's source."""
    from allo_air import asm
    from allo_air.core.contexts import reused_context

    text = program.text(program.levels[0])
    if "memref<*x" not in text:
        return set()
    with reused_context(text), ir.Location.unknown():
        module = asm.read(text, "<text>")  # stays while its operations are looked at
        functions = defined(module)
        arguments = functions[0].regions[0].blocks[0].arguments if len(functions) == 1 else []
        return {n for n, a in enumerate(arguments) if isinstance(a.type, ir.UnrankedMemRefType)}


def _as_buffers(program: Program, arrays: list[np.ndarray]) -> list[Any]:
    from allo_air.dtypes import numpy_dtype

    arguments = program.arguments
    if len(arguments) != len(arrays):
        return arrays
    seen = []
    for argument, array in zip(arguments, arrays, strict=True):
        dtype, size = numpy_dtype(argument.element), prod(argument.shape)
        fits = array.size and array.nbytes == size * dtype.itemsize
        seen.append(array.reshape(-1).view(dtype).reshape(argument.shape) if fits else array)
    return seen
