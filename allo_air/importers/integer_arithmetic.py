"""Decompositions of arithmetic and bit operations on integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def quotients(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of products and quotients of integers. torch-mlir crashes on signed bytes: numbers become tensors, and
    quotients are computed in i32. It computes floors of quotients in f64, which is inexact for large integers.
    """
    aten = torch.ops.aten

    def product(x: Tensor, other: Tensor) -> Any:
        if not isinstance(x, torch.Tensor) or x.dtype != torch.int8 or not isinstance(other, int):
            return NotImplemented
        return aten.mul.Tensor(x, aten.full.default([], other, dtype=x.dtype, device=x.device))

    def floor(x: Tensor, other: Any) -> Any:
        quotient = torch.div(x, other, rounding_mode="trunc")
        remainder = x - quotient * other
        differs = (remainder < 0) != (other < 0)
        is_rounded_up = (remainder < 0) if isinstance(other, int) and other > 0 else (remainder != 0) & differs
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

    divisions = (aten.floor_divide.default, aten.div.Tensor_mode, aten.div.Scalar_mode)
    remainders = (aten.remainder.Scalar, aten.remainder.Tensor, aten.fmod.Tensor)
    return {aten.mul.Tensor: product, aten.mul.Scalar: product} | {op: in_i32(op) for op in (*divisions, *remainders)}


def bit_operations(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
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
