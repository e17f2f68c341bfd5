"""`NpuTensor`: arrays of the host that designs are called with, on numpy."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import BlockFloat
from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.dtypes import element_of
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import ArrayLike, DTypeLike


class NpuTensor:
    """An array of `shape_or_data`; `numpy()` is its memory, which designs read and write."""

    def __init__(self, shape_or_data: Any, dtype: Any = None, device: str = "npu", **keywords: object):
        refuse(keywords, "NpuTensor")
        import numpy as np

        if device not in ("npu", "cpu"):
            raise IronValueError(f"tensor: device is {device!r}, expected 'npu' or 'cpu'")
        is_shape = isinstance(shape_or_data, int) or (
            isinstance(shape_or_data, tuple) and all(isinstance(n, int | np.integer) for n in shape_or_data)
        )
        kind = _checked(dtype)
        if is_shape:
            self._data = np.zeros(shape_or_data, kind or np.uint32)
        else:
            self._data = _array(shape_or_data, kind)
        self.device = device

    @classmethod
    def of(cls, array: np.ndarray, device: str = "npu") -> NpuTensor:
        """A tensor whose memory is `array`."""
        npu_tensor = cls.__new__(cls)
        npu_tensor._data, npu_tensor.device = array, device
        return npu_tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return tuple(self._data.shape)

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self._data.dtype

    @property
    def data(self) -> Any:
        """The memory."""
        return self._data

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self._data.nbytes)

    def numel(self) -> int:
        """The number of elements."""
        return int(self._data.size)

    def numpy(self) -> Any:
        """The memory as a numpy array."""
        return self._data

    def to(self, device: str) -> NpuTensor:
        """The tensor itself, since host and simulator share the memory."""
        if device not in ("npu", "cpu"):
            raise IronValueError(f"tensor: device is {device!r}, expected 'npu' or 'cpu'")
        self.device = device
        return self

    def fill_(self, value: object) -> NpuTensor:
        """Sets all elements."""
        self._data[...] = value
        return self

    def subview(self, offset_bytes: int = 0, shape: Sequence[int] | None = None, dtype: DTypeLike | None = None) -> NpuTensor:
        """A tensor of `shape` on this memory, from `offset_bytes` on."""
        import numpy as np

        kind = np.dtype(dtype or self.dtype)
        sizes = tuple(shape) if shape is not None else ((self.nbytes - offset_bytes) // kind.itemsize,)
        count = int(np.prod(sizes))
        if offset_bytes < 0 or offset_bytes + count * kind.itemsize > self.nbytes:
            raise IronValueError(
                f"subview: {counted(count, 'element')} from byte {offset_bytes} on are outside of "
                f"{counted(self.nbytes, 'byte')}"
            )
        flat = self._data.reshape(-1).view(np.uint8)[offset_bytes : offset_bytes + count * kind.itemsize]
        return NpuTensor.of(flat.view(kind).reshape(sizes), self.device)

    def mutate(self) -> Any:
        """The memory as an array to change in place, also as `with tensor.mutate() as array:`."""
        return _opened(self._data)

    def overwrite(self, data: object = None) -> Any:
        """Copies `data` into the memory; without `data`, like `mutate`."""
        if data is None:
            return _opened(self._data)
        self._data[...] = data.numpy() if isinstance(data, NpuTensor) else data
        return self

    def torch_view(self) -> Any:
        """A PyTorch tensor on the same memory."""
        import torch

        if self.dtype.name == "bfloat16":
            import numpy as np

            return torch.from_numpy(self._data.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(self._data)

    def to_torch(self) -> Any:
        """A PyTorch tensor with a copy of the elements."""
        return self.torch_view().clone()

    @classmethod
    def from_torch(cls, torch_tensor: torch.Tensor, device: str = "npu") -> NpuTensor:
        """A tensor with the elements of a PyTorch tensor."""
        import torch

        if torch_tensor.dtype == torch.bfloat16:
            import ml_dtypes

            words = torch_tensor.detach().contiguous().view(torch.int16).cpu().numpy()
            return cls.of(words.view(ml_dtypes.bfloat16).copy(), device)
        return cls.of(torch_tensor.detach().contiguous().cpu().numpy().copy(), device)

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: int | slice | tuple[int | slice, ...]) -> Any:
        return self._data[index]

    def __setitem__(self, index: int | slice | tuple[int | slice, ...], value: ArrayLike) -> None:
        self._data[index] = value

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> Any:
        return self._data if dtype is None else self._data.astype(dtype)

    def __repr__(self) -> str:
        return f"tensor({self._data!r}, device={self.device!r})"


class CPUOnlyTensor(NpuTensor):
    """A tensor in host memory, as all tensors are here."""


Tensor = XRTTensor = NpuTensor
"""Names before August 2026."""
_CLASS: ContextVar[type[NpuTensor]] = ContextVar("allo_air_iron_tensor", default=NpuTensor)


def set_tensor_class(kind: type[NpuTensor]) -> None:
    """Makes `tensor`, `zeros` and similar functions create tensors of this class."""
    if not isinstance(kind, type) or not issubclass(kind, NpuTensor):
        raise IronTypeError(f"set_tensor_class takes a class of tensors, NpuTensor or one of its own, got {kind!r}")
    _CLASS.set(kind)


def tensor(data: object, dtype: object = None, device: str = "npu", **keywords: object) -> NpuTensor:
    """A tensor of a shape, or with the elements of `data`."""
    refuse(keywords, "tensor")
    return _CLASS.get()(data, dtype, device)


def zeros(
    *shape: object, dtype: object = None, device: str = "npu", out: NpuTensor | None = None, **keywords: object
) -> NpuTensor:
    """Zeros."""
    refuse(keywords, "zeros")
    return _into(out, _filled_by("zeros", shape, _dtype(dtype, out), device))


def ones(
    *shape: object, dtype: object = None, device: str = "npu", out: NpuTensor | None = None, **keywords: object
) -> NpuTensor:
    """Ones."""
    refuse(keywords, "ones")
    return _into(out, _filled_by("ones", shape, _dtype(dtype, out), device))


def full(
    shape: object,
    fill_value: object,
    dtype: object = None,
    device: str = "npu",
    out: NpuTensor | None = None,
    **keywords: object,
) -> NpuTensor:
    """A tensor filled with one number."""
    refuse(keywords, "full")
    return _into(out, _filled_by("zeros", (shape,), _dtype(dtype, out), device).fill_(fill_value))


def arange(
    start: float,
    stop: Any = None,
    step: float = 1,
    dtype: DTypeLike | None = None,
    device: str = "npu",
    out: NpuTensor | None = None,
    **keywords: object,
) -> NpuTensor:
    """start, start + step, ..."""
    import numpy as np

    if "end" in keywords:
        if stop is not None:
            raise IronTypeError("arange has its end twice: as its second argument, and as 'end'")
        stop = keywords.pop("end")
    refuse(keywords, "arange")
    low, high = (0, start) if stop is None else (start, stop)
    return _into(out, _CLASS.get().of(np.arange(low, high, step).astype(_dtype(dtype, out) or np.uint32), device))


def randint(
    low: int,
    high: int,
    size: int | tuple[int, ...],
    dtype: DTypeLike | None = None,
    device: str = "npu",
    out: NpuTensor | None = None,
    **keywords: object,
) -> NpuTensor:
    """Random integers from low to high - 1."""
    import numpy as np

    refuse(keywords, "randint")
    return _into(out, _CLASS.get().of(np.random.randint(low, high, size=size).astype(_dtype(dtype, out) or np.uint32), device))


def rand(
    *shape: object, dtype: object = None, device: str = "npu", out: NpuTensor | None = None, **keywords: object
) -> NpuTensor:
    """Random numbers in [0, 1)."""
    import numpy as np

    refuse(keywords, "rand")
    return _into(out, _CLASS.get().of(np.random.rand(*_sizes(shape)).astype(_dtype(dtype, out) or np.float32), device))


def zeros_like(
    other: NpuTensor, dtype: DTypeLike | None = None, device: str = "npu", out: NpuTensor | None = None, **keywords: object
) -> NpuTensor:
    """Zeros of the shape and type of `other`."""
    refuse(keywords, "zeros_like")
    return _into(out, _filled_by("zeros", (tuple(other.shape),), _dtype(dtype, out) or other.dtype, device))


def _dtype(dtype: object, out: NpuTensor | None) -> Any:
    """The element type of a new tensor: `dtype`, or that of `out`."""
    return out.dtype if dtype is None and out is not None else _checked(dtype)


def _checked(dtype: Any) -> Any:
    """`dtype` as a numpy dtype; IronTypeError for an unsupported element type."""
    if dtype is not None and not (isinstance(dtype, type) and issubclass(dtype, BlockFloat)):
        try:
            element_of(dtype)
        except AlloAirError as error:
            raise IronTypeError(f"a tensor's elements: {error}") from None
    return dtype


def _array(data: Any, dtype: Any) -> np.ndarray:
    """The elements of `data`, with its own type, or as uint32 if it has none; IronValueError if they do not fit uint32."""
    import numpy as np

    if dtype is not None:
        return np.array(data, dtype, order="C")
    array = np.array(data, order="C")
    if hasattr(data, "dtype"):
        _checked(array.dtype)
        return array
    words = array.astype(np.uint32) if array.dtype.kind in "biuf" else None
    if words is None or not np.array_equal(words, array):
        raise IronValueError(
            f"a tensor without dtype= has elements of uint32, which does not hold all of {data!r}; give dtype="
        )
    return words


def _into(out: NpuTensor | None, tensor: NpuTensor) -> NpuTensor:
    """`tensor`, or `out` with the elements of `tensor`."""
    if out is None:
        return tensor
    if out.shape != tensor.shape or out.dtype != tensor.dtype:
        raise IronValueError(
            f"out= is {out.dtype} of {out.shape}, and the tensor is {tensor.dtype} of {tensor.shape};"
            " give the shape and the dtype of out"
        )
    return out.overwrite(tensor)


def _opened(array: np.ndarray) -> Any:
    """`array` as an array that is also a context manager."""
    import numpy as np

    class Opened(np.ndarray):
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_exception: object) -> None:
            pass

    return array.view(Opened)


def ceildiv(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(a // -b)


def _sizes(shape: Sequence[Any]) -> tuple[int, ...]:
    value = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    if not all(hasattr(n, "__index__") for n in value):
        raise IronTypeError(f"a tensor's shape is {value!r}, expected integers")
    return tuple(int(n) for n in value)


def _filled_by(name: str, shape: Sequence[object], dtype: object, device: str) -> NpuTensor:
    import numpy as np

    sizes = _sizes(shape)
    if isinstance(dtype, type) and issubclass(dtype, BlockFloat):
        sizes, dtype = (*sizes[:-1], sizes[-1] * dtype.size), np.uint8
    return _CLASS.get().of(getattr(np, name)(sizes, dtype or np.uint32), device)
