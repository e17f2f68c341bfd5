"""Folds operations of arith and affine on integers exactly as MLIR defines them; undefined results are not folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from allo_air.core import affine, integers
from allo_air.core.integers import Function, Undefined
from allo_air.mlir import AnyOp, ir

RULES: dict[str, Callable[[Any], Function | None]] = {**integers.RULES, **affine.RULES}
"""By operation name, a rule that returns the function from the operation's operands to its results, as Python numbers."""


def fold(
    op: AnyOp, number: Callable[[ir.Value], int | None], functions: dict[AnyOp, Function | None] | None = None
) -> tuple[int, ...] | None:
    """The results of `op`; None if an operand is unknown or the result is undefined.

    `number` returns the value of an operand, or None. `functions` caches the rules' functions by operation, for operations that
    are folded again and do not change.
    """
    if op.name not in RULES:
        return None
    values = []
    for operand in op.operands:
        constant = number(operand)
        if constant is None:
            return None
        values.append(constant)
    function = functions.get(op) if functions else None
    if function is None:
        function = RULES[op.name](op)
        if function is None:
            return None
        if functions is not None:
            functions[op] = function
    try:
        result = function(*values)
    except Undefined:
        return None
    return result if isinstance(result, tuple) else (result,)


def number_of(value: object, constants: Mapping[Any, int] = MappingProxyType({})) -> int | None:
    """The number `value` is, computed from constant operations and the values in `constants`; None if unknown."""
    if value in constants:
        return constants[value]
    if not isinstance(value, ir.OpResult):
        return None
    result = fold(value.owner.operation, (lambda v: number_of(v, constants)) if constants else number_of)
    return None if result is None else result[value.result_number]
