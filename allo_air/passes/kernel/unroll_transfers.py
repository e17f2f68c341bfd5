"""unroll-transfers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from allo_air.access.dims import is_contiguous
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1
from allo_air.mlir import AnyOp, arith, ir, memref, vector
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.kernel._memory import ACCESSES, Access, access_of


@dataclass(frozen=True)
class UnrollTransfers(Pass):
    """Splits transfers of L1 tiles that are not contiguous into rows, or into elements.

    mlir-aie's tool chain transfers a vector as if its elements were contiguous in memory. A transfer of a tile becomes
    transfers of its largest contiguous parts. A transfer with more than `most` parts, a masked one, or one that may be out of
    bounds stays.

    Before:

        %v = vector.transfer_read %m[%i, %j], %pad {in_bounds = [true, true]} : memref<32x64xbf16, 2>, vector<2x8xbf16>

    After:

        %0 = vector.transfer_read %m[%i, %j], %pad {in_bounds = [true]} : memref<32x64xbf16, 2>, vector<8xbf16>
        %1 = vector.insert %0, %zero [0] : vector<8xbf16> into vector<2x8xbf16>
        %k = arith.addi %i, %c1 : index
        %2 = vector.transfer_read %m[%k, %j], %pad {in_bounds = [true]} : memref<32x64xbf16, 2>, vector<8xbf16>
        %v = vector.insert %2, %1 [1] : vector<8xbf16> into vector<2x8xbf16>
    """

    name = "unroll-transfers"

    most: int = 256
    """Largest number of parts of a transfer."""

    def run(self, op: AnyOp, /) -> None:
        for item in walk_named(op, *ACCESSES):
            access = access_of(item)
            lead = 0 if access is None else _rows(access)
            if access is None or not lead or prod(access.shape[:lead]) > self.most:
                continue
            with item.location, ir.InsertionPoint(item):
                (_write if access.writes else _read)(access, lead)
            item.erase()


def _rows(access: Access) -> int:
    """The number of leading vector dimensions to unroll; 0 if the transfer stays unchanged."""
    strides = access.strides
    if None in access.dims or strides is None or not is_in(access.memref.type, L1):
        return 0
    if access.transfer and (list(access.op.attributes["operandSegmentSizes"])[-1] or not all(_flags(access))):
        return 0
    dims = [(size, strides[dim]) for size, dim in zip(access.shape, access.dims, strict=True) if dim is not None]
    return next(n for n in range(len(dims) + 1) if is_contiguous(dims[n:]))


def _flags(access: Access) -> list[bool]:
    return [bool(a.value) for a in access.op.attributes["in_bounds"]]


def _read(access: Access, lead: int) -> None:
    kind = access.op.results[0].type
    vector_value = arith.ConstantOp(kind, ir.DenseElementsAttr.get_splat(kind, _zero(kind.element_type))).result

    def piece(indices: list[ir.Value], indices_in_vector: list[int]) -> None:
        nonlocal vector_value
        vector_value = vector.InsertOp(_subview_of(access, indices, lead), vector_value, [], indices_in_vector).result

    _for_each_part(access, lead, piece)
    access.op.results[0].replace_all_uses_with(vector_value)


def _subview_of(access: Access, indices: list[ir.Value], lead: int) -> ir.Value:
    kind = access.op.results[0].type
    if lead == len(kind.shape):
        return memref.LoadOp(access.memref, indices).result
    part = ir.VectorType.get(kind.shape[lead:], kind.element_type)
    padding = arith.ConstantOp(kind.element_type, _zero(kind.element_type)).result
    return vector.TransferReadOp(part, access.memref, indices, _map(access, lead), padding, _in_bounds(part)).result


def _write(access: Access, lead: int) -> None:
    value = access.op.operands[0]
    whole = lead == len(value.type.shape)

    def piece(indices: list[ir.Value], indices_in_vector: list[int]) -> None:
        part = vector.ExtractOp(value, [], indices_in_vector).result
        if whole:
            memref.StoreOp(part, access.memref, indices)
        else:
            vector.TransferWriteOp(None, part, access.memref, indices, _map(access, lead), _in_bounds(part.type))

    _for_each_part(access, lead, piece)


def _for_each_part(access: Access, lead: int, piece: Callable[[list[ir.Value], list[int]], None]) -> None:
    """Calls `piece` with the memory indices and the vector indices of each part."""
    for numbers in product(*(range(size) for size in access.shape[:lead])):
        indices = list(access.indices)
        for dim, number in zip(access.dims, numbers, strict=False):
            if number and dim is not None:
                step = arith.ConstantOp(ir.IndexType.get(), number).result
                indices[dim] = arith.AddIOp(indices[dim], step).result
        piece(indices, list(numbers))


def _map(access: Access, lead: int) -> Any:
    return ir.AffineMapAttr.get(ir.AffineMap.get_minor_identity(access.memref.type.rank, len(access.shape) - lead))


def _in_bounds(kind: ir.VectorType) -> list[bool]:
    return [True] * len(kind.shape)


def _zero(kind: ir.Type) -> ir.Attribute:
    return ir.FloatAttr.get(kind, 0.0) if isinstance(kind, ir.FloatType) else ir.IntegerAttr.get(kind, 0)
