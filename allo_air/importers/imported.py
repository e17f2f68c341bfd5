"""An imported model: one function of linalg on tensors, with its weights as constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import unroll
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import dim_of
from allo_air.core.names import function_type_of, set_function_type
from allo_air.core.walking import is_unused, walk_named
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, ArgumentError, counted, nearest, suggestion
from allo_air.importers.extrema import keep_nan
from allo_air.mlir import PassManager, arith, ir

if TYPE_CHECKING:
    import numpy as np

_STEPS = 256
"""Largest trip count of a loop that is unrolled. Each iteration is compiled; equal ones are compiled once."""

_CLEAN = "builtin.module(canonicalize,cse,symbol-dce)"


@dataclass(frozen=True, eq=False)
class Imported:
    """An imported model. `module`, in `context`, is called `name` in messages; `inputs` are the names of its arguments.

    `input_dtypes` and `result_dtypes` are numpy's types of arguments and results if they say more than MLIR's: the sign.
    """

    context: Any
    module: Any
    name: str
    inputs: tuple[str, ...]
    input_dtypes: tuple[Any, ...] = ()
    result_dtypes: tuple[Any, ...] = ()

    @property
    def function(self) -> ir.Operation:
        """The only function with a body."""
        [function] = [f for f in walk_named(self.module.operation, "func.func") if f.regions[0].blocks]
        return function

    @property
    def text(self) -> str:
        """The module as text, including weights."""
        return str(self.module.operation.get_asm(large_elements_limit=None))

    def in_order(self, arrays: Sequence[np.ndarray], named: Mapping[str, np.ndarray]) -> list[Any]:
        """The inputs of a call, first `arrays`, then the `named` ones."""
        rest = self.inputs[len(arrays) :]
        for name in named:
            if name not in rest:
                why = "gets it twice" if name in self.inputs else f"has no such input{suggestion(nearest(name, rest))}"
                raise ArgumentError(f"{self.name}: input {name!r} is given by name, and the model {why}")
        if missing := [name for name in rest if named and name not in named]:
            raise ArgumentError(f"{self.name}: there is no array for {', '.join(missing)}")
        return [*arrays, *(named[name] for name in rest if name in named)]

    def arrays(self, inputs: Sequence[np.ndarray]) -> list[Any]:
        """`inputs` as numpy arrays of the arguments' shapes and types. Raises an ArgumentError that names the argument if one
        does not fit.
        """
        import numpy as np

        kinds = [a.type for a in self.function.regions[0].blocks[0].arguments]
        if len(inputs) != len(kinds):
            names = ", ".join(self.inputs) or "none"
            raise ArgumentError(f"{self.name} takes {counted(len(kinds), 'input')} ({names}), got {len(inputs)}")
        arrays = []
        kinds_taken = self.input_dtypes or [None] * len(kinds)
        for name, kind, own, array in zip(self.inputs, kinds, kinds_taken, inputs, strict=True):
            array, shape = np.asarray(array), tuple(kind.shape)
            storage = numpy_dtype(str(kind.element_type))
            dtype = storage if own is None else own
            if array.shape != shape or array.dtype != dtype:
                raise ArgumentError(
                    f"{self.name}: input {name} is {_described(array.shape, array.dtype)}, it was compiled for"
                    f" {_described(shape, dtype)}; compile again for other shapes or types"
                )
            arrays.append(array.view(storage))
        return arrays

    def results(self, arrays: list[np.ndarray]) -> list[Any]:
        """The function's results `arrays`, in the model's types."""
        if not self.result_dtypes:
            return arrays
        return [a if d is None else a.view(d) for a, d in zip(arrays, self.result_dtypes, strict=True)]


def imported(
    module: ir.Module,
    name: str,
    inputs: tuple[str, ...] = (),
    input_dtypes: Sequence[np.dtype | None] = (),
    result_dtypes: Sequence[np.dtype | None] = (),
) -> Imported:
    """The imported model in `module`, without unused operations. Raises an error that names the input if a shape is unknown.

    `input_dtypes` and `result_dtypes` are numpy's types of the model's arguments and results; unsigned ones are kept.
    """
    context = module.operation.context
    with context, ir.Location.unknown():
        PassManager.parse(_CLEAN).run(module.operation)
        functions = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
        if len(functions) != 1:
            raise AlloAirError(f"{name} is imported as {counted(len(functions), 'function')}, expected one")
        [function] = functions
        if _unroll_loops(function):
            PassManager.parse(_CLEAN).run(module.operation)
        _drop_numbers(function)
        keep_nan(function)
        count = len(function.regions[0].blocks[0].arguments)
        names = tuple(inputs[n] if n < len(inputs) else str(n) for n in range(count))
        _check_static(function, name, names)
    return Imported(context, module, name, names, _unsigned(input_dtypes), _unsigned(result_dtypes))


def _unroll_loops(function: ir.Operation) -> bool:
    """Unrolls the loops of recurrent layers, so that slices are at constant positions. Returns whether there were any."""
    result = False
    for op in [o.operation for o in function.regions[0].blocks[0].operations]:
        dim = dim_of(op) if op.name == "scf.for" else None
        if dim is not None and dim.trips <= _STEPS:
            with ir.InsertionPoint(op), op.location:
                unroll(dim, lambda n: arith.constant(ir.IndexType.get(), n))
            result = True
    return result


def _drop_numbers(function: ir.Operation) -> None:
    """Removes unused arguments that are numbers, since torch.export makes them constants."""
    block = function.regions[0].blocks[0]
    for argument in reversed(list(block.arguments)):
        if not isinstance(argument.type, ir.ShapedType) and is_unused(argument):
            block.erase_argument(argument.arg_number)
    set_function_type(function)


def _unsigned(dtypes: Sequence[np.dtype | None]) -> tuple[Any, ...]:
    """For each type, numpy's type if it is unsigned; otherwise None, since MLIR's type is enough."""
    return tuple(d if d is not None and d.kind == "u" else None for d in dtypes)


def _check_static(function: ir.Operation, model: str, names: tuple[str, ...]) -> None:
    for name, argument in zip(names, function.regions[0].blocks[0].arguments, strict=True):
        kind = argument.type
        if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
            raise AlloAirError(
                f"{model}: input {name} is {kind}, and a program for the array moves numbers of elements that are known; give"
                f" its sizes (shapes={{{name!r}: (1, 3, 224, 224)}} for ONNX, inputs without dynamic_shapes for PyTorch)"
            )
    for number, kind in enumerate(function_type_of(function).results):
        if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
            raise AlloAirError(
                f"{model}: the size of result {number}, {kind}, depends on data, and a program's sizes are fixed; give a result"
                " of the full size and a mask instead"
            )
    for op in walk_named(function, "tensor.dim"):
        raise error_at(op, "asks for a size that is not known when the model is compiled; export the model with fixed sizes")


def _described(shape: tuple[int, ...], dtype: object) -> str:
    return f"{'x'.join(map(str, shape)) or 'a scalar'} of {dtype}"
