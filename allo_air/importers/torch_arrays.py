"""Converts between PyTorch tensors and numpy arrays without copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.dtypes import numpy_dtype

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

_BITS = {"bfloat16": ("int16", "bf16")}
"""For torch types without a numpy type: the type in which they are passed, and MLIR's name."""


def array_of(tensor: Tensor) -> Any:
    """A tensor as a numpy array. They share memory if the tensor is contiguous and on the host."""
    tensor = tensor.detach().cpu().contiguous()
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in _BITS:
        return tensor.numpy()
    import torch

    bits, element = _BITS[name]
    return tensor.view(getattr(torch, bits)).numpy().view(numpy_dtype(element))


def tensor_of(array: np.ndarray) -> Any:
    """A numpy array as a tensor that shares its memory."""
    import numpy as np
    import torch

    array = np.asarray(array, order="C")
    for name, (bits, element) in _BITS.items():
        if array.dtype == numpy_dtype(element):
            return torch.from_numpy(array.view(bits)).view(getattr(torch, name))
    return torch.from_numpy(array)
