"""Arrays in and out: checked against the signature, padded for the device, and results sliced back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.program.elements import numpy_dtype
from allo_air.program.signature import Argument, describe, inputs, outputs


class ArgumentError(AlloAirError, TypeError):
    """Arrays that a program cannot take: says which, what was found and what was expected."""


def bind(arguments: Sequence[Argument], arrays: Sequence[Any], out: Any = None) -> list[Any]:
    """The user's array for every argument, results allocated (zeros) where none is given; ArgumentError names what is wrong.

    `arrays` are the inputs, or all arguments in order; `out` is an array, or a sequence of them, for the results.
    """
    import numpy as np

    wanted, given = inputs(arguments), list(arrays)
    whole = len(given) == len(arguments) != len(wanted)
    if len(given) != len(wanted) and not whole:
        raise ArgumentError(f"got {len(given)} arrays, expected {len(wanted)}: {describe(wanted)}")
    if whole and out is not None:
        raise ArgumentError("the results are given twice, among the arrays and as out=")
    results = [a for a in arguments if a.role == "out"]
    places: list[Any] = [None] * len(results)
    if out is not None:
        places = list(out) if isinstance(out, tuple | list) else [out]
        if len(places) != len(results):
            raise ArgumentError(f"out= holds {len(places)} arrays, expected {len(results)}: {describe(results)}")
    taken, made = iter(given), iter(places)
    bound = []
    for argument in arguments:
        array = next(taken) if whole or argument.role != "out" else next(made)
        if array is None:
            array = np.zeros(argument.shape, numpy_dtype(argument.element))
        check(argument, array, writable=argument.role != "in")
        bound.append(array)
    return bound


def check(argument: Argument, array: Any, *, writable: bool) -> None:
    """ArgumentError unless `array` is a numpy array of the argument's shape and type."""
    import numpy as np

    dtype = numpy_dtype(argument.element)
    if not isinstance(array, np.ndarray):
        raise ArgumentError(f"{argument.name} is a {type(array).__name__}, expected a numpy array {_wanted(argument, dtype)}")
    if array.shape != argument.shape or array.dtype != dtype:
        hint = ""
        if array.shape == argument.shape and array.dtype.kind in "fiuV":
            hint = f"; convert it with .astype({_spelled(dtype)})"
        elif array.ndim == 2 and array.T.shape == argument.shape and array.dtype == dtype:
            hint = "; is it transposed?"
        raise ArgumentError(
            f"{argument.name} is {_shape(array.shape)} of {array.dtype}, expected {_wanted(argument, dtype)}{hint}"
        )
    if writable and not array.flags.writeable:
        raise ArgumentError(f"{argument.name} is written by the program, but the array is read-only")


def _wanted(argument: Argument, dtype: Any) -> str:
    return f"{_shape(argument.shape)} of {dtype}"


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "a scalar"


def _spelled(dtype: Any) -> str:
    return f"ml_dtypes.{dtype}" if dtype.kind == "V" or str(dtype) == "bfloat16" or "float8" in str(dtype) else f"'{dtype}'"


def to_device(argument: Argument, array: Any) -> Any:
    """A contiguous copy for the device, zeros around it where the device's shape is larger."""
    import numpy as np

    if argument.padded == argument.shape:
        return np.array(array, order="C", copy=True)
    padded = np.zeros(argument.padded, array.dtype)
    padded[_inside(argument)] = array
    return padded


def from_device(argument: Argument, device: Any, array: Any) -> None:
    """Writes the part of `device` that the user sees into `array`."""
    array[...] = device[_inside(argument)]


def _inside(argument: Argument) -> tuple[slice, ...]:
    return tuple(slice(0, size) for size in argument.shape)


def results(arguments: Sequence[Argument], bound: Sequence[Any]) -> Any:
    """What a call returns: the array written, a tuple of several."""
    found = [array for argument, array in zip(arguments, bound, strict=True) if argument.role != "in"]
    assert len(found) == len(outputs(arguments))
    return found[0] if len(found) == 1 else tuple(found)


def random_inputs(arguments: Sequence[Argument], seed: int) -> list[Any]:
    """Seeded arrays for the inputs: integers over their whole range, floats of a standard normal distribution."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return [random_array(rng, a.shape, numpy_dtype(a.element)) for a in inputs(arguments)]


def random_array(rng: Any, shape: Sequence[int], dtype: Any) -> Any:
    """One such array."""
    import numpy as np

    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return rng.standard_normal(shape, dtype=np.float32).astype(dtype)
