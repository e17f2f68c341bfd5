"""Python operators that the DSL does not support: each raises an error at the user's line that says what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.air.api.errors import TypeError

_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}
_OTHERS = {
    "matmul": "@", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"invert": "~", "abs": "abs()"}

EXPECTED = "expressions have +, -, * and /, ops.maximum, ops.minimum and the functions of air.ops"


def refuse_operators(type_: type, why: str, *, arithmetic: bool = False) -> None:
    """Adds the missing operators to `type_`; each raises TypeError with `why`, and `@` refers to ops.dot. With `arithmetic`,
    the operators of expressions are included.
    """
    binary = {**_OTHERS, **(_ARITHMETIC if arithmetic else {})}
    names = {f"{side}{name}": symbol for side in ("", "r") for name, symbol in binary.items()} | _COMPARISONS | _UNARY
    names |= {"neg": "-"} if arithmetic else {}
    for name, symbol in names.items():
        setattr(type_, f"__{name}__", _refusing(symbol, "use ops.dot(a, b, acc)" if symbol == "@" else why))


def _refusing(symbol: str, advice: str) -> Callable[..., Any]:
    def refuse(*_: object) -> Any:
        raise TypeError(f"air.api has no `{symbol}` of tiles; {advice}")

    return refuse
