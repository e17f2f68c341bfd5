"""Legality of vector loads and stores (docs/sources.md#vector-kernels)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod
from typing import Any

from allo_air.access.dims import is_contiguous
from allo_air.core.constants import constant_of
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import bit_width
from allo_air.passes.kernel._indices import divisor, values
from allo_air.passes.kernel._op_signature import Legality, lowered_to_scalars, not_lowered

ALIGNMENT = 32
"""A plain load of a vector of at least this many bytes must be aligned to it."""

ACCESSES = ("vector.transfer_read", "vector.transfer_write", "vector.load", "vector.store")


@dataclass(frozen=True)
class Access:
    """A vector access: `dims` are the memref's dimensions that the vector's dimensions follow, None for a broadcast."""

    op: Any
    memref: Any
    indices: list[Any]
    shape: list[int]
    dims: list[int | None]
    transfer: bool

    @property
    def writes(self) -> bool:
        """Whether the vector is stored."""
        return self.op.name in ("vector.transfer_write", "vector.store")

    @cached_property
    def bytes(self) -> int:
        return prod(self.shape) * max(bit_width(str(self.memref.type.element_type)), 8) // 8

    @cached_property
    def strides(self) -> list[int] | None:
        """The stride of each dimension in elements; None if unknown."""
        result, _ = self.memref.type.get_strides_and_offset()
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        return None if any(s == dynamic for s in result) else list(result)


def legality_of(op: ir.Operation, divisors: dict[ir.Value, int]) -> Iterator[Legality]:
    """Yields each defect of the tool chain's lowering of a vector access.

    `divisors` caches divisors of indices, which unrolled code uses many times.
    """
    access = access_of(op)
    if access is None:
        yield not_lowered(
            "read rows, and transpose in registers", "reads or writes by a permutation, which mlir-aie's lowering refuses"
        )
        return
    if access.transfer and list(op.attributes["operandSegmentSizes"])[-1]:
        yield lowered_to_scalars("has a mask, for which there is no AIE form", "pad the buffer")
    if None in access.dims:
        yield not_lowered(
            "load the element (memref.load) and broadcast it", "broadcasts while it reads, which mlir-aie refuses"
        )
        return
    contiguous = _contiguous(access)
    if contiguous is not None:
        yield contiguous
        return
    if access.transfer:
        yield from _bounds(access)
    if (alignment := _alignment(access, divisors)) is not None:
        yield alignment


def access_of(op: ir.Operation) -> Access | None:
    """The access of a vector load or store; None if it permutes dimensions."""
    writes = op.name in ("vector.transfer_write", "vector.store")
    number = 1 if writes else 0
    memref = op.operands[number]
    rank = memref.type.rank
    kind = op.operands[0].type if writes else op.results[0].type
    shape = list(kind.shape)
    indices = list(op.operands)[number + 1 : number + 1 + rank]
    if not op.name.startswith("vector.transfer"):
        return Access(op, memref, indices, shape, list(range(rank - len(shape), rank)), False)
    results = op.attributes["permutation_map"].value.results
    dims = [e.position if isinstance(e, ir.AffineDimExpr) else None for e in results]
    dims_present = [d for d in dims if d is not None]
    if dims_present != sorted(dims_present) or (None not in dims and dims_present != list(range(rank - len(shape), rank))):
        return None
    return Access(op, memref, indices, shape, dims, True)


def _contiguous(access: Access) -> Legality | None:
    """The finding that the elements of a vector are not contiguous, but will be accessed as if they were."""
    strides = access.strides
    if strides is None:
        return Legality("depends", "assumes that a memref of unknown strides is contiguous", "use a buffer without a layout")
    dims = [(size, strides[dim]) for size, dim in zip(access.shape, access.dims, strict=True) if dim is not None]
    if is_contiguous(dims):
        return None
    of = "x".join(str(n) for n in access.memref.type.shape)
    tile = "x".join(map(str, access.shape))
    message = f"moves {counted(prod(access.shape), 'element')} one after another, but a {tile} tile of {of} is not contiguous"
    if len(dims) == 1:
        [(size, stride)] = dims
        message = f"drops the view's stride of {stride}: it moves {counted(size, 'element')} one after another"
    return Legality("wrong", message, "pack the buffer so that its innermost dimensions are the tile")


def _bounds(access: Access) -> Iterator[Legality]:
    flags = [bool(a.value) for a in access.op.attributes["in_bounds"]]
    for dim, size, flag in zip(access.dims, access.shape, flags, strict=True):
        assert dim is not None
        extent = access.memref.type.shape[dim]
        index_range = values(access.indices[dim])
        if flag or (index_range is not None and (not index_range or max(index_range[0], index_range[-1]) + size <= extent)):
            continue
        message = "is assumed to be in bounds: elements outside are not padded"
        yield Legality(
            "wrong" if index_range is not None else "depends", message, "pad the buffer, or use scalars for the rest"
        )
        return


def _alignment(access: Access, divisors: dict[ir.Value, int]) -> Legality | None:
    """The finding that a vector at a non-constant index will be assumed to be aligned."""
    strides, bytes_ = access.strides, access.bytes
    size = max(bit_width(str(access.memref.type.element_type)), 8) // 8
    needed = min(bytes_, ALIGNMENT)
    if strides is None or bytes_ & (bytes_ - 1):
        return None
    for index in access.indices:
        if index not in divisors:
            divisors[index] = divisor(index)
    offset = gcd(*(divisors[index] * stride * size for index, stride in zip(access.indices, strides, strict=True)))
    if offset % needed == 0:
        return None
    numbers = [constant_of(index) for index in access.indices]
    if access.transfer and None not in numbers:
        return not_lowered("read 512 bits, or at a multiple of 32 bytes") if bytes_ == ALIGNMENT else None
    certain = all(values(index) is not None for index in access.indices)
    return Legality(
        "wrong" if certain else "depends",
        f"is assumed to be aligned to {counted(needed, 'byte')}, but its address is only known to be a multiple of "
        f"{counted(offset, 'byte')}",
        "move by whole vectors, or load an aligned vector and shift (vector.shuffle)",
    )
