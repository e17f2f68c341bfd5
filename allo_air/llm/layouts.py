"""Converts 4-bit matrices from the formats of AWQ, GPTQ, compressed-tensors and Q4_0 to numbers, scales and zero points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError, counted
from allo_air.llm.quantized import check_group, joined

if TYPE_CHECKING:
    from torch import Tensor

_AWQ_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
"""The column of each nibble in a word of AWQ, the lowest nibble first."""
_ENDINGS = {
    "qweight",
    "qzeros",
    "scales",
    "g_idx",
    "weight_packed",
    "weight_scale",
    "weight_scale_inv",
    "weight_zero_point",
    "weight_g_idx",
    "weight_shape",
}


@dataclass(frozen=True)
class Groups:
    """A matrix of numbers from 0 to 15 [rows, groups, group], with scales and zero points [rows, groups] in f32."""

    numbers: Any
    scales: Any
    zeros: Any
    order: Any = None
    """For each column of numbers, the column of the multiplied row, if groups are not of adjacent columns."""

    @property
    def group(self) -> int:
        """Number of columns that share a scale."""
        return int(self.numbers.shape[2])

    def dense(self) -> Any:
        """The weights as f32."""
        wide = ((self.numbers.float() - self.zeros[..., None]) * self.scales[..., None]).flatten(1)
        if self.order is None:
            return wide
        result = torch.empty_like(wide)
        result[:, self.order] = wide
        return result

    def in_rows(self, rows: Tensor | None) -> Groups:
        """The matrix with its rows in another order; the same if `rows` is None."""
        if rows is None:
            return self
        return Groups(self.numbers[rows], self.scales[rows], self.zeros[rows], self.order)

    def packed(self, group: int, name: str) -> tuple[Any, ...]:
        """The numbers, packed by `quantized.joined`, their scales and their zero points, for groups of `group` elements.

        Scales are rounded to bf16. If the groups of the checkpoint are longer, their scales and zero points are repeated.
        """
        rows, _, own = self.numbers.shape
        check_group(own, group, name)
        scales, zeros = (t.repeat_interleave(own // group, 1).bfloat16() for t in (self.scales, self.zeros))
        return joined(self.numbers.reshape(rows, -1, group)), scales, zeros


def concatenate_rows(parts: list[Groups], name: str) -> Groups:
    """Matrices with equal numbers of columns, concatenated along rows."""
    first = parts[0]
    for part in parts[1:]:
        same = part.order is first.order or (
            part.order is not None and first.order is not None and torch.equal(part.order, first.order)
        )
        if not same:
            raise ArgumentError(f"{name}: its matrices have columns in different orders (g_idx), which one product cannot have")
        if part.group != first.group:
            raise ArgumentError(f"{name}: its matrices have groups of {first.group} and of {part.group}")
    numbers, scales, zeros = (torch.cat([getattr(p, n) for p in parts]) for n in ("numbers", "scales", "zeros"))
    return Groups(numbers, scales, zeros, first.order)


def is_part(name: str) -> bool:
    """Whether a tensor with this name belongs to a 4-bit matrix."""
    return name.rpartition(".")[2] in _ENDINGS


def groups_of(tensors: Mapping[str, Tensor], rows: int, columns: int, name: str, *, zeros_less_one: bool = True) -> Groups:
    """The matrix [rows, columns] in the tensors of a module. AWQ's and GPTQ's words are distinguished by their shapes.

    GPTQ stores zero points minus one, except in checkpoints of version 2 (`zeros_less_one=False`).
    """
    words = tensors.get("qweight", tensors.get("weight_packed"))
    shapes = {"qweight": ((columns // 8, rows), (columns, rows // 8)), "weight_packed": ((rows, columns // 8),)}
    kind = "qweight" if "qweight" in tensors else "weight_packed"
    if words is None or words.dtype != torch.int32 or tuple(words.shape) not in shapes[kind]:
        text = "missing" if words is None else _text_of(words)
        allowed = " or ".join(str(list(s)) for s in shapes[kind])
        raise ArgumentError(f"{name}: '{kind}' is {text}; four bits for [{rows}, {columns}] are {allowed} of int32")
    if kind == "weight_packed":
        return _compressed(tensors, rows, columns, name)
    if "qzeros" not in tensors or "scales" not in tensors:
        raise ArgumentError(f"{name} has 'qweight', but no 'qzeros' and 'scales'")
    groups = _count(tensors["scales"].shape, 0)
    if not _have_shapes(tensors, columns, groups, {"scales": (groups, rows), "qzeros": (groups, rows // 8)}):
        sizes = [_text_of(tensors[n]) for n in ("scales", "qzeros")]
        raise ArgumentError(f"{name}: 'scales' and 'qzeros' are {sizes[0]} and {sizes[1]} for [{rows}, {columns}]")
    scales = tensors["scales"].float()
    if tuple(words.shape) == (columns, rows // 8):
        numbers, zeros = (_nibbles(tensors[n], _AWQ_ORDER).flatten(1) for n in ("qweight", "qzeros"))
        return _in_groups(numbers.T, scales.T, zeros.T.float())
    numbers = _nibbles(words).transpose(1, 2).flatten(0, 1).T
    zeros = _nibbles(tensors["qzeros"]).flatten(1).T.float() + int(zeros_less_one)
    order = _order(tensors.get("g_idx"), columns, groups, name)
    return _in_groups(numbers if order is None else numbers[:, order], scales.T, zeros, order)


def q4_0(blocks: Tensor) -> Groups:
    """The matrix in Q4_0's blocks [rows, blocks, 18] of bytes: a scale in f16, then 32 numbers minus 8."""
    if blocks.dtype != torch.uint8 or blocks.ndim != 3 or blocks.shape[2] != 18:
        raise ArgumentError(f"blocks of Q4_0 are [rows, blocks, 18] of uint8, not {list(blocks.shape)} of {blocks.dtype}")
    scales = blocks[..., :2].contiguous().view(torch.float16)[..., 0].float()
    halves = blocks[..., 2:]
    return Groups(torch.cat((halves & 15, halves >> 4), 2), scales, torch.full_like(scales, 8))


def _compressed(tensors: Mapping[str, Tensor], rows: int, columns: int, name: str) -> Groups:
    if "weight_scale" not in tensors:
        raise ArgumentError(f"{name} has 'weight_packed', but no 'weight_scale'")
    groups = _count(tensors["weight_scale"].shape, 1)
    expected_shapes = {"weight_scale": (rows, groups), "weight_zero_point": (-(-rows // 8), groups)}
    parts = {n: shape for n, shape in expected_shapes.items() if n in tensors}
    if not _have_shapes(tensors, columns, groups, parts):
        text = ", ".join(f"'{n}' is {_text_of(tensors[n])}" for n in parts)
        raise ArgumentError(f"{name}: {text}, which does not fit [{rows}, {columns}]")
    scales = tensors["weight_scale"].float()
    zeros = torch.full_like(scales, 8)
    if "weight_zero_point" in tensors:
        zeros = _nibbles(tensors["weight_zero_point"]).transpose(1, 2).flatten(0, 1)[:rows].float()
    numbers = _nibbles(tensors["weight_packed"]).flatten(1)
    order = _order(tensors.get("weight_g_idx"), columns, scales.shape[1], name)
    return _in_groups(numbers if order is None else numbers[:, order], scales, zeros, order)


def _count(shape: tuple[int, ...], dimension: int) -> int:
    return shape[dimension] if len(shape) == 2 else 0


def _have_shapes(tensors: Mapping[str, Tensor], columns: int, groups: int, shapes: Mapping[str, tuple[int, int]]) -> bool:
    """Whether tensors have these shapes, columns form whole groups, and zero points form whole words."""
    words = all(tensors[n].dtype == torch.int32 for n in shapes if "zero" in n)
    return words and groups > 0 and columns % groups == 0 and all(tuple(tensors[n].shape) == s for n, s in shapes.items())


def _text_of(tensor: Tensor) -> str:
    return f"{list(tensor.shape)} of {str(tensor.dtype).removeprefix('torch.')}"


def _nibbles(words: Tensor, order: tuple[int, ...] = tuple(range(8))) -> Any:
    """The eight numbers of each word, as a last dimension. `order` gives the position of each nibble."""
    parts = [(words >> 4 * order.index(n) & 15).to(torch.uint8) for n in range(8)]
    return torch.stack(parts, -1)


def _in_groups(numbers: Tensor, scales: Tensor, zeros: Tensor, order: object = None) -> Groups:
    rows, groups = scales.shape
    return Groups(numbers.reshape(rows, groups, -1).contiguous(), scales.contiguous(), zeros.contiguous(), order)


def _order(groups_of_columns: Tensor | None, columns: int, groups: int, name: str) -> Any:
    """The columns, group by group; None if they are already in this order."""
    if groups_of_columns is None or not bool((groups_of_columns >= 0).any()):
        return None
    own, size = groups_of_columns.long(), columns // groups
    if own.shape != (columns,) or not torch.equal(own.sort()[0], torch.arange(columns) // size):
        raise ArgumentError(
            f"{name}: 'g_idx' does not give each of {counted(groups, 'group')} {size} of {counted(columns, 'column')}"
        )
    order = own.argsort(stable=True)
    return None if torch.equal(order, torch.arange(columns)) else order
