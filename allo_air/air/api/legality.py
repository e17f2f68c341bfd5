"""Warns of expressions that the cores' compiler is known to reject, at the user's line; the simulator runs them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from allo_air.air.api.errors import user_place
from allo_air.air.api.expression import Operation
from allo_air.arch import core_of
from allo_air.device import DEVICES


class HardwareWarning(UserWarning):
    """A warning: the expression may not compile for an NPU."""


def warn_of(expression: object, dtype: str, lanes: int, target: str) -> None:
    """Warns, at the program's line, of an operation that mlir-air lists as not compiling for cores."""
    file, line = user_place()
    for message in dict.fromkeys(_messages(expression, dtype, lanes, target)):
        warnings.warn_explicit(f"{message} (the simulator runs it)", HardwareWarning, file, line)


def _messages(expression: object, dtype: str, lanes: int, target: str) -> Iterator[str]:
    if not isinstance(expression, Operation):
        return
    name, vector = expression.name, lanes > 0
    products = [o for o in expression.operands if isinstance(o, Operation) and o.name == "mul"]
    if dtype == "f32" and vector and name in ("add", "sub") and products:
        yield "vectors of f32: a product in a sum does not compile for the cores; use vector=0"
    if dtype == "f32" and vector and name in ("maximum", "minimum"):
        yield f"vectors of f32: {name} does not compile for the cores; use vector=0"
    if dtype == "bf16" and name == "div":
        yield "a division of bf16 does not compile for the cores"
    if name == "tanh" and dtype == "f32":
        yield "tanh of f32 does not compile for the cores; use bf16"
    if name == "tanh" and dtype == "bf16" and not (vector and core_of(DEVICES[target].arch).forms.functions):
        yield "tanh of bf16 compiles for the cores of npu2 only, as vectors"
    for each in expression.operands:
        yield from _messages(each, dtype, lanes, target)
