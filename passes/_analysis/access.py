"""Access patterns: the order in which a transfer walks the elements of a buffer.

An access list `%m[o0, o1] [n0, n1] [s0, s1]` visits, outermost dimension first and innermost fastest, the elements at

    address = sum(offset_i * stride_i) + sum(index_i * stride_i),    0 <= index_i < size_i

counted in elements from the first element of `%m`: where `%m` is a view, from the element that its layout's offset points at.
Strides are steps in memory, not in the view's own index space. Empty lists visit all of `%m` in the row-major order of its
shape. Fewer offsets than sizes belong to the innermost dimensions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.access.dims import addresses, aligned, merged
from allo_air.access.linear import ONE, ZERO, Linear
from allo_air.mlir import ir
from allo_air.passes._analysis.linear import of_int, of_value


@dataclass(frozen=True)
class Dim:
    """One loop of a pattern: `size` steps of `stride`, from `offset` such steps on; None is unknown.

    A `hidden` dimension has one step and is not a dimension of the view that the pattern describes: a rank-reduced one.
    """

    offset: Linear
    size: Linear | None
    stride: Linear | None
    hidden: bool = False

    @property
    def is_unit(self) -> bool:
        return self.size is not None and self.size.is_(1)

    @property
    def is_known(self) -> bool:
        return self.size is not None and self.stride is not None


@dataclass(frozen=True)
class AccessPattern:
    """A walk over memref `base`; `start` holds further (offset, stride) products that move its first element."""

    base: Any
    dims: tuple[Dim, ...]
    start: tuple[tuple[Linear, Linear | None], ...] = ()

    @property
    def view_dims(self) -> tuple[Dim, ...]:
        """The dimensions of the view that the pattern describes, outermost first."""
        return tuple(d for d in self.dims if not d.hidden)

    @property
    def offsets(self) -> tuple[Linear, ...]:
        return tuple(d.offset for d in self.dims)

    @property
    def sizes(self) -> tuple[Linear | None, ...]:
        return tuple(d.size for d in self.dims)

    @property
    def strides(self) -> tuple[Linear | None, ...]:
        return tuple(d.stride for d in self.dims)

    def with_lists(self, lists: Lists) -> AccessPattern:
        """The walk of `lists`, written on the view that this pattern describes, over this pattern's base."""
        start = tuple((d.offset, d.stride) for d in self.dims if not d.offset.is_(0))
        return AccessPattern(self.base, tuple(map(Dim, lists.offsets, lists.sizes, lists.strides)), self.start + start)

    def settled(self) -> AccessPattern | None:
        """The same walk with an empty `start`, as three lists can say it; None where a part is unknown or negative."""
        dims = list(self.dims)
        for offset, stride in self.start:
            if offset.is_(0):
                continue
            if stride is None:
                return None
            _place(dims, offset, stride)
        dims = [_plain(d) for d in dims if not (d.hidden and d.offset.is_(0))]
        if not all(d.is_known and _natural(d) for d in dims):
            return None
        return AccessPattern(self.base, tuple(dims))

    def runs(self) -> tuple[tuple[Linear, Linear], ...] | None:
        """(size, stride) of the loops that matter: unit dimensions left out, contiguous neighbours merged; None if unknown."""
        known = [(d.size, d.stride) for d in self.dims if d.size is not None and d.stride is not None]
        return merged(known) if len(known) == len(self.dims) else None

    def is_contiguous(self) -> bool:
        """Whether each visited element lies directly after the one visited before."""
        runs = self.runs()
        return runs is not None and (not runs or (len(runs) == 1 and runs[0][1].is_(1)))

    def covers_base(self) -> bool:
        """Whether this visits all of `base` in its own order, so that empty lists say the same."""
        if self.start or not all(d.offset.is_(0) for d in self.dims):
            return False
        mine, whole = self.runs(), whole_of(self.base).runs()
        return mine is not None and mine == whole

    def addresses(self, values: Mapping[Any, int] | None = None) -> Any:
        """Element addresses in visiting order, a numpy int64 array of shape (product of sizes,), for SSA values `values`."""
        known = values or {}
        parts = [(_sure(d.offset), _sure(d.stride)) for d in self.dims if not d.offset.is_(0)]
        parts += [(o, _sure(s)) for o, s in self.start]
        start = sum(o.evaluate(known) * s.evaluate(known) for o, s in parts)
        dims = [(_sure(d.size).evaluate(known), _sure(d.stride).evaluate(known)) for d in self.dims if not d.is_unit]
        return addresses(dims, start)


@dataclass(frozen=True)
class Lists:
    """The explicit lists of an access, outermost first, one entry each for every dimension."""

    offsets: tuple[Linear, ...]
    sizes: tuple[Linear, ...]
    strides: tuple[Linear, ...]

    @classmethod
    def of(cls, offsets: Sequence[Any], sizes: Sequence[Any], strides: Sequence[Any]) -> Lists | None:
        """The lists of SSA values; None where their lengths make no pattern."""
        if len(sizes) != len(strides) or len(offsets) > len(sizes):
            return None
        given = aligned(list(map(of_value, offsets)), len(sizes), ZERO)
        return cls(tuple(given), tuple(map(of_value, sizes)), tuple(map(of_value, strides)))


def whole_of(memref: Any) -> AccessPattern:
    """The walk over all of `memref` in row-major order of its shape; what its type leaves open is unknown."""
    if not isinstance(memref.type, ir.MemRefType):
        return AccessPattern(memref, (Dim(ZERO, None, None),))
    strides, _ = layout(memref.type)
    dims = [Dim(ZERO, of_int(n), s) for n, s in zip(memref.type.shape, strides, strict=True)]
    return AccessPattern(memref, tuple(dims))


def layout(memref_type: Any) -> tuple[list[Linear | None], Linear | None]:
    """Strides and offset of a ranked memref type, in elements; None for what it leaves open."""
    try:
        strides, offset = memref_type.get_strides_and_offset()
    except RuntimeError:  # a layout map that is no strided one
        return [None] * memref_type.rank, None
    return [of_int(s) for s in strides], of_int(offset)


def _place(dims: list[Dim], offset: Linear, stride: Linear) -> None:
    """Adds `offset * stride` to the walk's first element: on a dimension of that stride, else divided, else on its own."""
    same = [i for i, d in enumerate(dims) if d.stride == stride]
    best = next((i for i in reversed(same) if not dims[i].is_unit), same[-1] if same else None)
    if best is not None:
        dims[best] = replace(dims[best], offset=dims[best].offset + offset)
        return
    amount = offset.constant * stride.constant
    fits = [i for i, d in enumerate(dims) if offset.is_constant and stride.is_constant and _divides(d.stride, amount)]
    if not fits:
        dims.insert(0, Dim(offset, ONE, stride))
        return
    i = max(fits, key=lambda i: _sure(dims[i].stride).constant)
    step = _sure(dims[i].stride).constant
    dims[i] = replace(dims[i], offset=dims[i].offset + Linear(amount // step))


def _divides(stride: Linear | None, amount: int) -> bool:
    return stride is not None and stride.is_constant and stride.constant > 0 and amount % stride.constant == 0


def _plain(dim: Dim) -> Dim:
    """Gives a single step whose stride is unknown and does not matter the stride 1."""
    shown = replace(dim, hidden=False)
    return replace(shown, stride=ONE) if dim.stride is None and dim.is_unit and dim.offset.is_(0) else shown


def _natural(dim: Dim) -> bool:
    return all(part is None or part.terms or part.constant >= 0 for part in (dim.offset, dim.size, dim.stride))


def _sure(part: Linear | None) -> Linear:
    assert part is not None, "a pattern with unknown parts has no addresses"
    return part
