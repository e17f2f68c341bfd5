"""Decomposes convolutions of PyTorch that torch-mlir does not lower: those of volumes in groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def convolutions(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of 3-D convolutions in groups: a sum of 2-D convolutions, one for each slice of the filter in depth."""
    aten = torch.ops.aten

    def conv3d(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Sequence[int] = (1,),
        padding: Sequence[int] = (0,),
        dilation: Sequence[int] = (1,),
        groups: int = 1,
    ) -> Any:
        if weight.dim() != 5 or groups == 1:
            return NotImplemented
        if x.dim() == 4:  # without a batch dimension
            return conv3d(x[None], weight, bias, stride, padding, dilation, groups)[0]
        deep, *strides = _three(stride)
        before, *pads = _three(padding)
        depth_dilation, *dilations = _three(dilation)
        x = torch.nn.functional.pad(x, (0, 0, 0, 0, before, before))
        count, kernel = x.shape[0], weight.shape[2]
        depth = (x.shape[2] - depth_dilation * (kernel - 1) - 1) // deep + 1
        images = []
        for n in range(kernel):
            part = (
                x[:, :, n * depth_dilation : n * depth_dilation + (depth - 1) * deep + 1 : deep].transpose(1, 2).flatten(0, 1)
            )
            images.append(torch.nn.functional.conv2d(part, weight[:, :, n], None, strides, pads, dilations, groups))
        result = sum(images[1:], images[0]).unflatten(0, (count, depth)).transpose(1, 2)
        return result if bias is None else result + bias[:, None, None, None]

    def convolution(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int],
        transposed: bool,
        output_padding: Sequence[int],
        groups: int,
    ) -> Any:
        return NotImplemented if transposed else conv3d(x, weight, bias, stride, padding, dilation, groups)

    return {aten.conv3d.default: conv3d, aten.convolution.default: convolution}


def _three(sizes: Sequence[int]) -> list[int]:
    return list(sizes) if len(sizes) == 3 else list(sizes) * 3
