"""Vector transfers: which elements they access, and which transfers overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.indices import IndexValues

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

TRANSFERS = ("vector.transfer_read", "vector.transfer_write")


@dataclass(frozen=True)
class Transfer:
    """A vector.transfer_read or transfer_write on a memref."""

    op: Any

    @property
    def is_read(self) -> bool:
        return bool(self.op.name == "vector.transfer_read")

    @property
    def base(self) -> Any:
        return self.op.operands[0 if self.is_read else 1]

    @property
    def indices(self) -> list[Any]:
        first = 1 if self.is_read else 2
        return list(self.op.operands)[first : first + self.base.type.rank]

    @property
    def kind(self) -> Any:
        return self.op.results[0].type if self.is_read else self.op.operands[0].type

    @property
    def is_masked(self) -> bool:
        return bool(list(self.op.attributes["operandSegmentSizes"])[-1])

    @property
    def is_inside(self) -> bool:
        return all(b.value for b in self.op.attributes["in_bounds"])

    @property
    def map(self) -> ir.AffineMap:
        return self.op.attributes["permutation_map"].value

    @property
    def is_plain(self) -> bool:
        """Whether the vector's dimensions are the innermost of the memref, in order."""
        rank, count = self.base.type.rank, self.kind.rank
        results = [ir.AffineDimExpr.get(d) for d in range(rank - count, rank)]
        return rank >= count and self.map == ir.AffineMap.get(rank, 0, results)


def transfer(op: AnyOp) -> Transfer | None:
    """`op` as a Transfer on a memref; None if it is not a transfer."""
    if op.name not in TRANSFERS:
        return None
    result = Transfer(op)
    return result if isinstance(result.base.type, ir.MemRefType) else None


def same_place(a: Transfer, b: Transfer, values: IndexValues) -> bool:
    """Whether both access the same elements of the same memref, in the same order."""
    if a.base != b.base or a.kind != b.kind or a.map != b.map or a.is_masked or b.is_masked:
        return False
    if not all(values.value(i) == values.value(j) for i, j in zip(a.indices, b.indices, strict=True)):
        return False
    return (a.is_inside and b.is_inside) or (a.is_read and b.is_read and _equal_rest(a, b))


def _equal_rest(a: Transfer, b: Transfer) -> bool:
    """Whether two reads that may be out of bounds use the same padding."""
    padding = [list(t.op.operands)[1 + t.base.type.rank] for t in (a, b)]
    return bool(padding[0] == padding[1]) and a.op.attributes["in_bounds"] == b.op.attributes["in_bounds"]


def may_meet(a: Transfer, b: Transfer, values: IndexValues) -> bool:
    """Whether both may access the same element; buffers with different roots do not overlap."""
    if root_of(a.base) != root_of(b.base):
        return False
    if a.base != b.base or not (a.is_plain and b.is_plain):
        return True
    rank = a.base.type.rank
    for d, (i, j) in enumerate(zip(a.indices, b.indices, strict=True)):
        distance = values.value(j) + values.value(i).scaled(-1)
        if not distance.is_constant:
            continue
        low, high = (_extent(t, d, rank) for t in (a, b))
        if distance.constant >= low or -distance.constant >= high:
            return False
    return True


def _extent(item: Transfer, d: int, rank: int) -> int:
    """The number of elements of dimension `d` that a plain transfer covers."""
    dim = d - (rank - item.kind.rank)
    return int(item.kind.shape[dim]) if dim >= 0 else 1
