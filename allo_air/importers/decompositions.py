"""Decomposes operations of PyTorch that torch-mlir does not lower, or lowers incorrectly, into others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.importers.convolutions import convolutions
from allo_air.importers.experts import experts
from allo_air.importers.linear_algebra import linear_algebra
from allo_air.importers.orders import orders
from allo_air.importers.placing import placing
from allo_air.importers.pooling import pooling
from allo_air.importers.resizing import resizing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from torch import Tensor


def decompositions(torch: ModuleType, table: dict[object, Callable[..., object]]) -> dict[Any, Callable[..., Any]]:
    """`table`, the decompositions of torch.export, extended by ours."""
    return {
        **table,
        **convolutions(torch),
        **experts(torch),
        **linear_algebra(torch),
        **placing(torch),
        **pooling(torch),
        **resizing(torch),
        **_bytes(torch),
        **_numbers(torch),
        **orders(torch),
        **_bits(torch),
        **_distances(torch),
        **_bags(torch),
        **_steps(torch),
    }


def _bytes(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of arithmetic on integers. torch-mlir crashes on signed bytes: numbers become tensors, and quotients are
    computed in i32. It computes floors of quotients in f64, which is inexact for large integers.
    """
    aten = torch.ops.aten

    def product(x: Tensor, other: Tensor) -> Any:
        if not isinstance(x, torch.Tensor) or x.dtype != torch.int8 or not isinstance(other, int):
            return NotImplemented
        return aten.mul.Tensor(x, aten.full.default([], other, dtype=x.dtype, device=x.device))

    def floor(x: Tensor, other: Any) -> Any:
        quotient = torch.div(x, other, rounding_mode="trunc")
        rest = x - quotient * other
        differs = (rest < 0) != (other < 0)
        is_rounded_up = (rest < 0) if isinstance(other, int) and other > 0 else (rest != 0) & differs
        return quotient - is_rounded_up.to(quotient.dtype)

    def in_i32(op: Callable[..., Tensor]) -> Callable[..., Any]:
        def decomposed(x: Tensor, other: Tensor, **kwargs: object) -> Any:
            kinds = [v.dtype if isinstance(v, torch.Tensor) else type(v) for v in (x, other)]
            if (
                torch.int8 not in kinds
                or any(k not in (torch.int8, int) for k in kinds)
                or kwargs.get("rounding_mode", "") is None
            ):
                is_floor = op is aten.floor_divide.default or kwargs.get("rounding_mode") == "floor"
                is_of_integers = isinstance(x, torch.Tensor) and all(k in (torch.int32, torch.int64, int) for k in kinds)
                return floor(x, other) if is_floor and is_of_integers else NotImplemented
            x, other = (v.to(torch.int32) if isinstance(v, torch.Tensor) else v for v in (x, other))
            return op(x, other, **kwargs).to(torch.int8)

        return decomposed

    quotients = (aten.floor_divide.default, aten.div.Tensor_mode, aten.div.Scalar_mode, aten.remainder.Scalar)
    more = (aten.remainder.Tensor, aten.fmod.Tensor)
    return {aten.mul.Tensor: product, aten.mul.Scalar: product} | {op: in_i32(op) for op in (*quotients, *more)}


def _bits(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of bit operations with a number: numbers become tensors of the other operand's type."""
    aten = torch.ops.aten

    def of_tensors(op: Callable[..., Tensor], *, number_first: bool = False) -> Callable[..., Any]:
        def decomposed(x: Any, y: Any) -> Any:
            tensor, number = (y, x) if number_first else (x, y)
            kind = torch.result_type(tensor, number)
            full = aten.full.default([], number, dtype=kind, device=tensor.device)
            return op(full, tensor.to(kind)) if number_first else op(tensor.to(kind), full)

        return decomposed

    left, right = aten.bitwise_left_shift.Tensor, aten.bitwise_right_shift.Tensor
    results = {getattr(aten, n).Scalar: of_tensors(getattr(aten, n).Tensor) for n in ("bitwise_or", "bitwise_xor")}
    for names, op in ((("bitwise_left_shift", "__lshift__"), left), (("bitwise_right_shift", "__rshift__"), right)):
        for name in names:
            family = getattr(aten, name)
            overload = "Tensor_Scalar" if "Tensor_Scalar" in family.overloads() else "Scalar"
            results[getattr(family, overload)] = of_tensors(op)
            if "Scalar_Tensor" in family.overloads():
                results[family.Scalar_Tensor] = of_tensors(op, number_first=True)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        results[getattr(aten, name).Scalar_Tensor] = of_tensors(getattr(aten, name).Tensor, number_first=True)
    return results


def _numbers(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Functions of elements: logarithms, error functions, rounding and so on."""
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

    def erfc(x: Tensor) -> Any:
        # from x = 1/2 on, computed from exp(-x^2), so that small results are accurate
        t = 1 / (1 + 0.5 * x.abs())
        tail = torch.zeros_like(t)
        for number in reversed(_ERFC):
            tail = tail * t + number
        tail = t * tail * torch.exp(-x * x)
        return torch.where(x.abs() < 0.5, 1 - torch.erf(x), torch.where(x < 0, 2 - tail, tail))

    def rest(x: Tensor, other: Tensor) -> Any:
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
        part = math.pi * (x - torch.floor(x))
        reflected = result - math.pi * torch.cos(part) / torch.sin(part)
        whole = torch.where(x == 0, torch.where(signbit(x), float("inf"), -float("inf")), float("nan"))
        return torch.where(is_negative, torch.where(x == torch.floor(x), whole, reflected), result)

    def view(x: Tensor, size: Sequence[int]) -> Any:
        if x.numel():
            return NotImplemented
        # torch-mlir divides by the number of elements
        return aten.full.default([max(n, 0) for n in size], 0, dtype=x.dtype, device=x.device)

    def leaky(x: Tensor, noise: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
        return NotImplemented if training else (torch.where(x >= 0, x, x * ((lower + upper) / 2)), noise)

    def rolled(x: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> Any:
        return NotImplemented if dims else torch.roll(x.flatten(), shifts, 0).reshape(x.shape)

    def powers(x: Tensor, exponent: Tensor) -> Any:
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
        aten.erfc.default: erfc,
        aten.gelu.default: gelu,
        aten.lgamma.default: in_float(lgamma),
        aten.digamma.default: in_float(digamma),
        aten.fmod.Scalar: rest,
        aten.pow.Tensor_Scalar: power,
        aten.pow.Tensor_Tensor: powers,
        aten.roll.default: rolled,
        aten.view.default: view,
        aten.rrelu_with_noise_functional.default: leaky,
    }


_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
"""Coefficients of Stirling's series of log(gamma(x)) in odd powers of 1 / x: B(2n) / (2n (2n - 1))."""

_SERIES_FROM = 7
"""From here on, the series' error is below 1e-13. Smaller arguments are increased by ones."""

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


def _distances(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of norms of differences, and of matrices that are composed of parts."""
    aten = torch.ops.aten

    def norm(x: Any, order: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: object = None) -> Any:
        if order is not None and ((dim is None and x.dim() != 1) or (dim is not None and len(dim) != 1)):
            return NotImplemented  # a matrix norm
        return torch.linalg.vector_norm(x, 2 if order is None else order, dim, keepdim, dtype=dtype)

    def dist(x: Tensor, y: Tensor, p: float = 2) -> Any:
        return torch.linalg.vector_norm(x - y, p)

    def cdist(x: Tensor, y: Tensor, p: float, mode: object = None) -> Any:
        return torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)

    def pdist(x: Tensor, p: float = 2) -> Any:
        pairs = torch.triu_indices(x.shape[0], x.shape[0], 1)
        return torch.linalg.vector_norm(x.index_select(0, pairs[0]) - x.index_select(0, pairs[1]), p, -1)

    def block_diagonal(parts: Sequence[Tensor]) -> Any:
        parts = [t if t.dim() == 2 else t.reshape(1, -1) for t in parts]
        width, before, rows = sum(t.shape[1] for t in parts), 0, []
        for part in parts:
            rows.append(torch.nn.functional.pad(part, (before, width - before - part.shape[1])))
            before += part.shape[1]
        return torch.cat(rows)

    return {
        aten.linalg_norm.default: norm,
        aten.dist.default: dist,
        aten._cdist_forward.default: cdist,
        aten._pdist_forward.default: pdist,
        aten.block_diag.default: block_diagonal,
    }


def _bags(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of embedding bags: sums, means and maxima of rows."""
    aten = torch.ops.aten

    def bag(
        weight: Tensor,
        indices: Tensor,
        offsets: Tensor,
        scale_grad_by_freq: bool = False,
        mode: int = 0,
        sparse: bool = False,
        per_sample_weights: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = -1,
    ) -> Any:
        rows, places = weight[indices], torch.arange(indices.shape[0], dtype=offsets.dtype)
        ends = torch.cat([offsets[1:], torch.full((1,), indices.shape[0], dtype=offsets.dtype)])
        if include_last_offset:
            offsets, ends = offsets[:-1], offsets[1:]
        is_member = (places >= offsets[:, None]) & (places < ends[:, None])
        if padding_idx is not None and padding_idx >= 0:
            is_member = is_member & (indices != padding_idx)
        count = is_member.sum(1)
        if mode == _MAX:
            result = torch.where(is_member[..., None], rows, -float("inf")).amax(1)
            result = torch.where((count > 0)[:, None], result, 0.0).to(rows.dtype)
        else:
            shares = is_member.to(rows.dtype) * (1 if per_sample_weights is None else per_sample_weights)
            result = shares @ rows
            result = result / count.clamp(min=1)[:, None].to(rows.dtype) if mode == _MEAN else result
        return result, is_member.to(torch.int64).argmax(0), count, count

    return {aten.embedding_bag.padding_idx: bag, aten.embedding_bag.default: bag, aten._embedding_bag.default: bag}


def _steps(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of roundings to the steps of integers with a scale for each channel (training for quantization)."""
    aten = torch.ops.aten

    def rounded(x: Tensor, scale: Tensor, zero: Tensor, axis: int, least: int, most: int) -> Any:
        shape = [-1 if dim == axis % x.dim() else 1 for dim in range(x.dim())]
        scale, zero = scale.reshape(shape).float(), zero.reshape(shape).float()
        steps = torch.round(x.float() * (1 / scale)) + zero
        is_inside = (steps >= least) & (steps <= most)
        return ((torch.clamp(steps, least, most) - zero) * scale).to(x.dtype), is_inside

    return {
        aten.fake_quantize_per_channel_affine.default: lambda *args: rounded(*args)[0],
        aten.fake_quantize_per_channel_affine_cachemask.default: rounded,
    }


_MEAN, _MAX = 1, 2
"""Modes of an embedding bag; 0 is the sum."""
