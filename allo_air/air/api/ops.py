"""`air.ops`: transfers, elementwise functions and products."""

from __future__ import annotations

from allo_air.air.api.announced import announced
from allo_air.air.api.dot import dot
from allo_air.air.api.errors import TypeError
from allo_air.air.api.expression import Expression, Operation, operand, tiles
from allo_air.air.api.reduction import reduce
from allo_air.air.api.transfer import load, store

__all__ = [
    "GELU_BETA", "GELU_SQRT_2_OVER_PI", "atomic_add", "copy", "dequant", "dot", "exp", "gelu", "load", "maximum", "minimum",
    "reduce", "relu", "sigmoid", "silu", "stack", "store", "tanh",
]  # fmt: skip

GELU_SQRT_2_OVER_PI = 0.7978845608
GELU_BETA = 0.044715

copy = announced("ops.copy", "use air.ops.load and air.ops.store")
stack = announced("ops.stack")
dequant = announced("ops.dequant")
atomic_add = announced("ops.atomic_add")


def maximum(a: object, b: object) -> Expression:
    """The elementwise maximum."""
    return _pair("maximum", a, b)


def minimum(a: object, b: object) -> Expression:
    """The elementwise minimum."""
    return _pair("minimum", a, b)


def relu(x: object) -> Expression:
    """maximum(x, 0)."""
    return Operation("maximum", (_tile("relu", x), 0))


def tanh(x: object) -> Expression:
    """The hyperbolic tangent."""
    return Operation("tanh", (_tile("tanh", x),))


def exp(x: object) -> Expression:
    """e to the power of each element."""
    return Operation("exp", (_tile("exp", x),))


def sigmoid(x: object) -> Expression:
    """0.5 (tanh(0.5 x) + 1)."""
    return 0.5 * (tanh(0.5 * _tile("sigmoid", x)) + 1.0)


def silu(x: object) -> Expression:
    """x sigmoid(x)."""
    tile = _tile("silu", x)
    return tile * sigmoid(tile)


def gelu(x: object) -> Expression:
    """0.5 x (tanh(sqrt(2 / pi) (x + 0.044715 x x x)) + 1)."""
    tile = _tile("gelu", x)
    inner = GELU_SQRT_2_OVER_PI * (tile + GELU_BETA * tile * tile * tile)
    return 0.5 * tile * (tanh(inner) + 1.0)


def _pair(name: str, a: object, b: object) -> Expression:
    pair = Operation(name, (operand(a, name), operand(b, name)))
    if not any(True for _ in tiles(pair)):
        raise TypeError(f"{name} takes at least one tile, got two scalars; use Python's {name[:3]}()")
    return pair


def _tile(name: str, x: object) -> Expression:
    tile = operand(x, name)
    if not isinstance(tile, Expression):
        raise TypeError(f"{name} takes a tile or an elementwise expression, got {type(x).__name__}")
    return tile
