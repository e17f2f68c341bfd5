"""4-bit and 8-bit weights: how they are rounded, and their layout in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError
from allo_air.llm.form import GROUP

if TYPE_CHECKING:
    from torch import Tensor


def packed(weight: Tensor, kind: str, group: int, name: str) -> tuple[Any, ...]:
    """`weight` [rows, columns] packed as the tensors of a product: dense (w), int8 (q, scale), int4 (q, scale, zero).

    int8 has a scale for each row. int4 has a scale and a zero point in bf16 for each `group` of columns. A byte holds number n
    of a group, unsigned, in its lower half, and number n + group / 2 minus 8 in its upper half.
    """
    if kind == "dense":
        return (weight,)
    wide = weight.float()
    if kind == "int8":
        scale = (wide.abs().amax(1) / 127).clamp_min(1e-12)
        return (wide / scale[:, None]).round().clamp(-127, 127).to(torch.int8), scale.to(weight.dtype)
    rows, columns = wide.shape
    check_group(columns, group, name)
    wide = wide.reshape(rows, -1, group)
    least, most = wide.amin(2).clamp_max(0), wide.amax(2).clamp_min(0)
    scale = ((most - least) / 15).clamp_min(1e-12).bfloat16().float()
    zero = (-least / scale).round().clamp(0, 15)
    numbers = ((wide / scale[..., None]).round() + zero[..., None]).clamp(0, 15).to(torch.int16)
    return joined(numbers), scale.bfloat16(), zero.bfloat16()


def joined(numbers: Tensor) -> Any:
    """Numbers from 0 to 15 [rows, groups, group], packed two in a byte."""
    low, high = numbers.to(torch.int16).chunk(2, 2)
    return ((high - 8) * 16 + low).to(torch.int8)


def taken_apart(bytes_: Tensor) -> Any:
    """The inverse of `joined`: numbers from 0 to 15 [rows, groups, group]."""
    wide = bytes_.to(torch.int16)
    return torch.cat((wide & 15, (wide & -16) // 16 + 8), 2)


def dense(tensors: tuple[Tensor, ...]) -> Any:
    """The weights of packed `tensors`, as float32."""
    if len(tensors) == 1:
        return tensors[0].float()
    if len(tensors) == 2:
        return tensors[0].float() * tensors[1].float()[:, None]
    bytes_, scale, zero = tensors
    numbers = taken_apart(bytes_).float()
    return ((numbers - zero.float()[..., None]) * scale.float()[..., None]).reshape(len(bytes_), -1)


def arbitrary_like(rows: int, columns: int, kind: str, group: int, dtype: torch.dtype, name: str) -> tuple[Any, ...]:
    """Tensors with the shapes of `packed` and arbitrary elements."""
    if kind == "dense":
        return (torch.empty(rows, columns, dtype=dtype),)
    if kind == "int8":
        return torch.empty(rows, columns, dtype=torch.int8), torch.empty(rows, dtype=dtype)
    check_group(columns, group, name)
    groups = columns // group
    scales = [torch.empty(rows, groups, dtype=torch.bfloat16) for _ in range(2)]
    return torch.empty(rows, groups, group // 2, dtype=torch.int8), *scales


def check_group(columns: int, group: int, name: str) -> None:
    """Raises ArgumentError if `columns` weights are not whole groups."""
    if group < 2 or group % 2 or columns % group:
        sizes = [size for size in range(2, columns + 1, 2) if not columns % size]
        whole = [size for size in sizes if not size % 16] or sizes
        allowed = f"expected group={', '.join(map(str, whole))}" if whole else "an odd number has none: take weights='int8'"
        default = ", the default of group=" if group == GROUP else ""
        raise ArgumentError(f"{name}: rows of {columns} weights are not divisible into groups of {group}{default}; {allowed}")
