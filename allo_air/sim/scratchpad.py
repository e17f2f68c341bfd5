"""The scratchpad, which the host fills before a run with the parameters of a module."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import ml_dtypes
import numpy as np

from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, UnknownNameError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.target.npu_words import Instruction, UpdateRegister

_CLEARED = 4
"""The alignment of addresses in an update."""
_READ_BITS = 30
"""Bits of a value that cores read, which is in their buffers four times."""


def table(module: AnyOp, instructions: Iterable[Instruction], values: Mapping[str, object]) -> list[int]:
    """The words of the scratchpad; AlloAirError for values that are unknown, missing, or do not fit."""
    results = {op.opview.sym_name: op.opview for op in walk_named(module, "aiex.scratchpad_parameter")}
    arguments = {name.lstrip("@"): value for name, value in values.items()}
    for name in arguments:
        if name not in results:
            there = ", ".join(f"@{n} : {p.type}" for n, p in results.items()) or "none"
            raise UnknownNameError("scratchpad parameter", name, results, f"the file has {there}")
    updates = [i for i in instructions if isinstance(i, UpdateRegister)]
    words: dict[int, int] = {}
    for name, op in results.items():
        users = [i for i in updates if i.index == op.state_table_idx]
        if name in arguments:
            if op.state_table_idx is not None:
                words[op.state_table_idx] = _as_word(name, op, arguments[name], users)
        elif users:
            raise AlloAirError(
                f"scratchpad parameter @{name} : {op.type} is not given; give each run its values: parameters={{'{name}': 4}},"
                f" or --parameter {name}=..."
            )
    return [words.get(i, 0) for i in range(max(words, default=-1) + 1)]


def _as_word(name: str, op: ir.OpView, value: Any, users: list[UpdateRegister]) -> int:
    """A value as a word of the scratchpad."""
    if isinstance(op.type, ir.BF16Type):
        try:
            return int(np.array(float(value), ml_dtypes.bfloat16).view(np.uint16))
        except (TypeError, ValueError):
            raise AlloAirError(f"parameter @{name} is {value!r}; expected a number, of type bf16") from None
    try:
        number = operator.index(value)
    except TypeError:
        raise AlloAirError(f"parameter @{name} is {value!r}; expected an integer, of type {op.type}") from None
    if op.kind == 1:
        size = next((i.argument for i in users if not i.function and number * i.argument % _CLEARED), 0)
        if number < 0 or size:
            why = f"which is {counted(number * size, 'byte')}; expected whole words" if size else "expected 0 or more"
            raise AlloAirError(f"parameter @{name} is {number} as the offset of a BD, {why}")
    width = op.type.width if op.kind == 1 else min(op.type.width, _READ_BITS)
    top = width if op.type.width < _READ_BITS else width - 1
    if not -(1 << width - 1) <= number < 1 << top:
        allowed = f"expected {-(1 << width - 1)} to {(1 << top) - 1}"
        raise AlloAirError(f"parameter @{name} is {number}, which does not fit {op.type}: {allowed}")
    return number & 0xFFFFFFFF
