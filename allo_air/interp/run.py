"""Runs a function of a module on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, counted
from allo_air.interp.allowances import Allowances
from allo_air.interp.errors import Unsupported
from allo_air.interp.machine import Machine, argument
from allo_air.interp.memory import View
from allo_air.interp.scheduler import Token
from allo_air.interp.values import Tensor, dtype_of, is_token
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.interp.structured import Structured
    from allo_air.interp.uninterpreted import Uninterpreted


def run(
    module: AnyOp,
    inputs: Sequence[object],
    function: str | None = None,
    seed: int = 0,
    *,
    max_turns: int | None = None,
    libraries: Mapping[str, Structured | Uninterpreted] | None = None,
    allow: Allowances | None = None,
    pattern: int = 0,
    received: dict[str, Any] | None = None,
) -> list[np.ndarray]:
    """Runs `function` (the only one with a body, if not named) on `inputs`, one array or number for each argument.

    Returns the function's results, then the final contents of its memref arguments, as numpy arrays; `inputs` do not
    change. Independent operations run in an order drawn from `seed`. The capacity of a channel is its `buffer_resources`, if it
    has this attribute; with 0, a put waits for its gets.

    `libraries` has a Python function for each declared function that is called. It gets arrays and changes them in place; a
    function on tensors returns a tuple of arrays. `allow` are exceptions from the rules. With its `program_order`, operations
    of one body that access the same memory run in the order of the text even if no token orders them, as on hardware, where
    a core is one thread and a DMA channel is a queue; asynchronous deallocations then free nothing. `pattern` draws undefined
    values. `received` gets the data of the channels in `allow.open`, by name.

    Raises a RunError (allo_air.interp.errors) if the program breaks a rule.
    """
    result = entry(module, function)
    block = result.regions[0].blocks[0]
    types = [a.type for a in block.arguments]
    if len(inputs) != len(types):
        raise AlloAirError(
            f"function @{result.attributes['sym_name'].value} takes {counted(len(types), 'argument')}, found {len(inputs)}"
        )
    values = [argument(v, t, _dtype(result, t), f"argument {n}") for n, (v, t) in enumerate(zip(inputs, types, strict=True))]
    for n, (value, type_) in enumerate(zip(values, types, strict=True)):
        _check_shape(value, type_, n)
    machine = Machine(
        module,
        seed=seed,
        max_turns=max_turns,
        libraries={} if libraries is None else libraries,
        allow=allow or Allowances(),
        pattern=pattern,
    )
    results = machine.run(result, values)
    if received is not None:
        received.update(machine.environment.received)
    return [as_array(r) for r in [*results, *(v for v in values if isinstance(v, View))]]


def entry(module: AnyOp, name: str | None = None) -> ir.Operation:
    """The function called `name`; without a name, the only function without callers. Private ones count only if all are
    private.
    """
    functions = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
    if name is not None:
        for f in functions:
            if sym_name_of(f) == name:
                return f
        raise AlloAirError(f"the module has no function @{name} with a body")
    called = {callee_of(c) for c in walk_named(module.operation, "func.call")}
    roots = [f for f in functions if sym_name_of(f) not in called] or functions
    roots = [f for f in roots if "sym_visibility" not in f.attributes] or roots
    if len(roots) != 1:
        names = ", ".join(f"@{f.attributes['sym_name'].value}" for f in roots) or "none"
        if not roots and next(iter(walk_named(module.operation, "aie.device")), None) is not None:
            raise AlloAirError("the module is an AIE design (aie.device), without functions; run it with allo_air.simulate")
        raise AlloAirError(f"expected one function to run, found {names}; name one")
    return roots[0]


def _dtype(function: ir.Operation, type_: ir.ShapedType) -> Any:
    if is_token(type_):
        return None
    element = type_.element_type if isinstance(type_, ir.ShapedType) else type_
    result = dtype_of(element)
    if result is None:
        raise Unsupported(function, f"has an argument of type {type_}, which the interpreter cannot execute")
    return result


def _check_shape(value: Tensor | View, type_: ir.ShapedType, number: int) -> None:
    if isinstance(type_, ir.ShapedType) and type_.has_rank:
        shape = value.sizes if isinstance(value, View) else value.array.shape if isinstance(value, Tensor) else value.shape
        expected = list(type_.shape)
        if len(shape) != len(expected) or any(w >= 0 and w != n for w, n in zip(expected, shape, strict=True)):
            raise AlloAirError(f"argument {number} has type {type_}, found an array of shape {list(shape)}")


def as_array(value: View | Tensor | int | np.ndarray) -> np.ndarray:
    """A copy of a value as a numpy array; a token becomes a single bit without meaning."""
    if isinstance(value, View):
        return value.array.copy()
    if isinstance(value, Token):
        return np.zeros((), np.bool_)
    return np.array(value.array if isinstance(value, Tensor) else value)
