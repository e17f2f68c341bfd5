"""Python's own functions in kernels: int, float, min, max, abs, len, print and round."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from allo_air.frontend import library, tensors
from allo_air.frontend.arithmetic import Scalar, apply, materialized
from allo_air.frontend.nodes import as_scalar, expression, scalar
from allo_air.frontend.numbers import Number, cast
from allo_air.frontend.operands import as_operand
from allo_air.frontend.operations import tensor
from allo_air.frontend.printing import emit_print
from allo_air.frontend.state import State
from allo_air.frontend.types import Int, float32
from allo_air.frontend.values import Buffer
from allo_air.mlir import math


def _int(state: State, node: ast.Call) -> Number:
    result = materialized(scalar(state, node.args[0]))
    return cast(result, result.type if result.type.integral else Int(32))


def _float(state: State, node: ast.Call) -> Number:
    result = materialized(scalar(state, node.args[0]))
    return cast(result, result.type if result.type.floating else float32)


def _extremum(name: str) -> Any:
    def emitter(state: State, node: ast.Call) -> Scalar:
        values = [scalar(state, a) for a in node.args]
        result = values[0]
        for value in values[1:]:
            result = apply(name, result, value, state.rules)
        return result

    return emitter


def _elementwise(compute: Callable[[Number], Number]) -> Any:
    """A function of one number, or of each element of a tensor."""

    def emitter(state: State, node: ast.Call) -> Any:
        [argument] = node.args
        result = as_operand(expression(state, argument))
        if isinstance(result, Buffer) and result.shape:
            return tensors.elementwise([result], lambda x: compute(materialized(x[0])), result.element)
        return compute(materialized(as_scalar(state, argument, result)))

    return emitter


def _length(state: State, node: ast.Call) -> int:
    return tensor(expression(state, node.args[0])).shape[0]


def _round(number: Number) -> Number:
    return Number(math.roundeven(number.value), number.type) if number.type.floating else number


PYTHON_FUNCTIONS: dict[Any, Any] = {
    int: _int, float: _float, min: _extremum("min"), max: _extremum("max"),
    abs: _elementwise(library.absolute), len: _length, print: emit_print, round: _elementwise(_round),
}  # fmt: skip
"""For each Python function that kernels can call, the function that emits the call."""
