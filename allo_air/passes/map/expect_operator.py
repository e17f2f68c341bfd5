"""expect-operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import with_article
from allo_air.mlir import AnyOp
from allo_air.passes.map._features import Features, features

Operator = Literal["eltwise", "reduce", "softmax", "layernorm", "rmsnorm", "conv2d", "pool", "gemv", "transpose"]


@dataclass(frozen=True)
class ExpectOperator(Pass):
    """Raises an error if a function on tensors is not the operator that a preset pipeline is made for; changes nothing.

    The operator is recognized by its operations after `simplify-linalg`: `softmax` has a maximum reduction, a sum reduction
    and an exponential function, and no sum of products; `eltwise` has no reduction, and so on.

    Before (`expect-operator{operator=eltwise}`):

        %c = linalg.generic {iterator_types = ["parallel"]} ins(%a, %b) ...

    After: the same.
    """

    name = "expect-operator"

    operator: Operator
    """The preset that the function must be made for."""

    def run(self, op: AnyOp, /) -> None:
        expected_operator, is_one = OPERATORS[self.operator]
        for function in walk_named(op, "func.func"):
            result = features(function)
            if len(result.ops) and not is_one(result):
                raise error_at(
                    function,
                    f"is not {with_article(expected_operator)}, which pipeline {self.operator} is made for: it has {result}; "
                    "use --pipeline=npu, which accepts any operations",
                )


def _plain_value(item: Features) -> bool:
    return not item.contractions and not item.windows


OPERATORS: dict[str, tuple[str, Callable[[Features], bool]]] = {
    "eltwise": ("chain of elementwise operations", lambda f: _plain_value(f) and not f.reductions),
    "reduce": ("reduction", lambda f: _plain_value(f) and bool(f.reductions)),
    "softmax": ("softmax", lambda f: _plain_value(f) and {"maximum", "sum"} <= f.reductions and "exponential" in f.functions),
    "layernorm": ("layer norm", lambda f: _plain_value(f) and f.reductions == {"sum"} and "root" in f.functions),
    "rmsnorm": ("RMS norm", lambda f: _plain_value(f) and f.reductions == {"sum"} and "root" in f.functions),
    "conv2d": ("convolution", lambda f: f.windows and f.contractions > 0),
    "pool": ("pooling", lambda f: f.windows and not f.contractions),
    "gemv": ("product of a matrix and a vector", lambda f: f.contractions == 1 and f.vectors == 1 and not f.windows),
    "transpose": ("transposition or other movement of data", lambda f: _plain_value(f) and not f.reductions and not f.computes),
}
"""For each operator its name in messages, and the test whether a function computes it."""
