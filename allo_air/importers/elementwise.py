"""Decompositions of functions of elements: reciprocals, error functions, logarithms of gamma, powers and so on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def elementwise(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of functions that are applied to each element."""
    aten = torch.ops.aten

    def reciprocal(x: Tensor) -> Any:
        # torch-mlir's own decomposition fails at run time for zeros
        x = x if x.is_floating_point() else x.float()
        return aten.div.Tensor(aten.full.default([], 1.0, dtype=x.dtype, device=x.device), x)

    def gelu(x: Tensor, approximate: str = "none") -> Any:
        if approximate != "tanh":
            return NotImplemented
        # torch-mlir rounds sqrt(2 / pi) to four digits; PyTorch computes narrow floats in f32
        wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
        slope = torch.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide * wide * wide))
        return (0.5 * wide * (1 + slope)).to(x.dtype)

    def in_float(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Any]:
        def computed(x: Tensor) -> Any:
            kind = x.dtype if x.is_floating_point() else torch.get_default_dtype()
            return function(x if kind == torch.float64 else x.float()).to(kind)

        return computed

    def isfinite(x: Tensor) -> Any:
        return (x - x) == 0 if x.is_floating_point() else torch.ones_like(x, dtype=torch.bool)

    def signbit(x: Tensor) -> Any:
        return torch.where(x == 0, reciprocal(x) < 0, x < 0) if x.is_floating_point() else x < 0

    def copysign(x: Tensor, other: Tensor) -> Any:
        x = x if x.is_floating_point() else x.float()
        return torch.where(signbit(other), -x.abs(), x.abs())

    def hypot(x: Tensor, y: Tensor) -> Any:
        large, small = torch.maximum(x.abs(), y.abs()), torch.minimum(x.abs(), y.abs())
        ratio = torch.where(large == 0, 0.0, small / large)
        result = large * torch.sqrt(1 + ratio * ratio)
        return torch.where(torch.isinf(large), large, result)

    def angle(x: Tensor) -> Any:
        if x.is_complex():
            return NotImplemented
        x = x if x.is_floating_point() else x.float()
        return torch.where(torch.isnan(x), x, torch.where(x < 0, torch.full_like(x, math.pi), torch.zeros_like(x)))

    def without_nans(pick: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
        def picked(x: Tensor, other: Tensor) -> Any:
            if not x.is_floating_point() and not other.is_floating_point():
                return pick(x, other)
            return torch.where(torch.isnan(other), x, torch.where(torch.isnan(x), other, pick(x, other)))

        return picked

    def erfinv(x: Tensor) -> Any:
        """Halley's method from Winitzki's guess, on erf, and from 1/2 on erfc, so that results near 1 are accurate."""
        size, is_small = x.abs(), x.abs() < 0.5
        log = torch.log((1 - size) * (1 + size))
        half = 2 / (math.pi * _WINITZKI) + log / 2
        result = torch.sqrt(torch.sqrt(half * half - log / _WINITZKI) - half)
        result = torch.where(is_small, size * (math.sqrt(math.pi) / 2), result)
        for _ in range(3):
            error = torch.where(is_small, size - torch.erf(result), erfc(result) - (1 - size))
            step = error * (math.sqrt(math.pi) / 2) * torch.exp(result * result)
            result = result + step / (1 + result * step)
        result = torch.where(size == 1, float("inf"), result)
        return torch.where(x < 0, -result, result)

    def erfc(x: Tensor) -> Any:
        # from x = 1/2 on, computed from exp(-x^2), so that small results are accurate
        t = 1 / (1 + 0.5 * x.abs())
        tail = torch.zeros_like(t)
        for number in reversed(_ERFC):
            tail = tail * t + number
        tail = t * tail * torch.exp(-x * x)
        return torch.where(x.abs() < 0.5, 1 - torch.erf(x), torch.where(x < 0, 2 - tail, tail))

    def remainder(x: Tensor, other: Tensor) -> Any:
        if x.is_floating_point():
            return aten.fmod.Tensor(x, aten.full.default([], other, dtype=x.dtype, device=x.device))
        if not isinstance(other, int):
            return NotImplemented
        return x - torch.div(x, other, rounding_mode="trunc") * other

    def power(x: Tensor, exponent: float) -> Any:
        if x.is_floating_point() or not isinstance(exponent, int) or exponent < 0:
            return NotImplemented
        return _power(torch, x, exponent)

    def lgamma(x: Tensor) -> Any:
        """The logarithm of |gamma(x)|: Stirling's series from _SERIES_FROM on, a recurrence below, and reflection."""
        is_negative, y = x < 0.5, torch.where(x < 0.5, 1 - x, x)
        product = torch.ones_like(y)
        for _ in range(_SERIES_FROM):
            product = product * torch.where(y < _SERIES_FROM, y, 1.0)
            y = torch.where(y < _SERIES_FROM, y + 1, y)
        square, series = 1 / (y * y), torch.zeros_like(y)
        for number in reversed(_STIRLING):
            series = series * square + number
        result = (y - 0.5) * torch.log(y) - y + 0.5 * math.log(2 * math.pi) + series / y - torch.log(product)
        result = torch.where(torch.isinf(y), float("inf"), result)
        sine = torch.sin(math.pi * (x - torch.floor(x))).abs()
        return torch.where(is_negative, math.log(math.pi) - torch.log(sine) - result, result)

    def digamma(x: Tensor) -> Any:
        """The derivative of lgamma, in the same steps."""
        is_negative, y = x < 0.5, torch.where(x < 0.5, 1 - x, x)
        total = torch.zeros_like(y)
        for _ in range(_SERIES_FROM):
            total = total + torch.where(y < _SERIES_FROM, 1 / y, 0.0)
            y = torch.where(y < _SERIES_FROM, y + 1, y)
        square, series = 1 / (y * y), torch.zeros_like(y)
        for place, number in reversed(list(enumerate(_STIRLING))):
            series = series * square + number * (2 * place + 1)
        result = torch.log(y) - 0.5 / y - series * square - total
        angle = math.pi * (x - torch.floor(x))
        reflected = result - math.pi * torch.cos(angle) / torch.sin(angle)
        at_poles = torch.where(x == 0, torch.where(signbit(x), float("inf"), -float("inf")), float("nan"))
        return torch.where(is_negative, torch.where(x == torch.floor(x), at_poles, reflected), result)

    def rrelu(x: Tensor, noise: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
        return NotImplemented if training else (torch.where(x >= 0, x, x * ((lower + upper) / 2)), noise)

    def tensor_powers(x: Tensor, exponent: Tensor) -> Any:
        kind = torch.promote_types(x.dtype, exponent.dtype)
        if kind.is_floating_point or kind == torch.bool:
            return NotImplemented
        x, exponent = x.to(kind), exponent.to(kind)
        result = torch.ones_like(x * exponent)
        base, remaining = x, torch.where(exponent < 0, 0, exponent)
        for _ in range(torch.iinfo(kind).bits - 1):
            result, base, remaining = torch.where((remaining & 1) == 1, result * base, result), base * base, remaining >> 1
        of_ones = torch.where(x == 1, 1, torch.where(x == -1, 1 - 2 * (exponent & 1), 0))
        return torch.where(exponent < 0, of_ones, result)

    return {
        aten.reciprocal.default: reciprocal,
        aten.isfinite.default: isfinite,
        aten.signbit.default: signbit,
        aten.copysign.Tensor: copysign,
        aten.hypot.default: hypot,
        aten.angle.default: angle,
        aten.fmax.default: without_nans(torch.maximum),
        aten.fmin.default: without_nans(torch.minimum),
        aten.erfinv.default: in_float(erfinv),
        aten.erfc.default: erfc,
        aten.gelu.default: gelu,
        aten.lgamma.default: in_float(lgamma),
        aten.digamma.default: in_float(digamma),
        aten.fmod.Scalar: remainder,
        aten.pow.Tensor_Scalar: power,
        aten.pow.Tensor_Tensor: tensor_powers,
        aten.rrelu_with_noise_functional.default: rrelu,
    }


_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
"""Coefficients of Stirling's series of log(gamma(x)) in odd powers of 1 / x: B(2n) / (2n (2n - 1))."""

_SERIES_FROM = 7
"""From here on, the series' error is below 1e-13. Smaller arguments are increased by ones."""

_WINITZKI = 0.147

_ERFC = (
    *(0.2820947833, 0.2820958885, 0.2468012494, 0.1766407922, 0.08259943675),
    *(-0.007772736466, -0.01632896041, -0.1896702219, 0.2075498772, -0.06408275686),
)
"""Coefficients: exp(x^2) erfc(x) / t as a polynomial in t = 1 / (1 + x / 2), for x from 1/2 on. The relative error is 1.4e-8.
Found by a reweighted least-squares fit.
"""


def _power(torch: ModuleType, x: Tensor, exponent: int) -> Any:
    """A tensor of integers to an integer power, by repeated squaring."""
    result = torch.ones_like(x)
    while exponent:
        if exponent & 1:
            result = result * x
        x, exponent = x * x, exponent >> 1
    return result
