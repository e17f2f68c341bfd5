"""The offsets, sizes and strides of a data movement as an access pattern, whose numbers may depend on SSA values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from allo_air.access.dims import addresses, merged
from allo_air.access.linear import ONE, Linear, product

if TYPE_CHECKING:
    from allo_air.mlir import ir


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

    def around(self, inner: Dim) -> Dim | None:
        """The single dimension equal to this one around `inner`; None if this stride is not the extent of `inner`."""
        if self.stride is None or product(inner.size, inner.stride) != self.stride:
            return None
        moved = product(self.offset, inner.size)
        return None if moved is None else Dim(moved + inner.offset, product(self.size, inner.size), inner.stride)


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

    def with_lists(self, lists: Lists) -> AccessPattern:
        """The walk of `lists`, written on the view that this pattern describes, over this pattern's base."""
        start = tuple((d.offset, d.stride) for d in self.dims if not d.offset.is_(0))
        return AccessPattern(self.base, lists.dims, self.start + start)

    def resolved(self) -> AccessPattern | None:
        """The same walk with `start` folded into offsets; None if a part is unknown or negative."""
        dims = list(self.dims)
        for offset, stride in self.start:
            if offset.is_(0):
                continue
            if stride is None:
                return None
            _add_offset(dims, offset, stride)
        seen = [d for d in dims if not (d.hidden and d.offset.is_(0))] or dims[-1:]  # an empty list would mean the whole buffer
        dims = [_without_stride(d) for d in seen]
        if not all(d.is_known and _natural(d) for d in dims):
            return None
        return AccessPattern(self.base, tuple(dims))

    def covers(self, whole: AccessPattern) -> bool:
        """Whether this visits the same elements in the same order as `whole`, both from the first element of their base on."""
        parts = [*self.dims, *whole.dims]
        if self.start or not all(d.is_known and d.offset.is_(0) for d in parts):
            return False
        own_dims, whole_dims = ([(_sure(d.size), _sure(d.stride)) for d in p.dims] for p in (self, whole))
        return merged(own_dims) == merged(whole_dims)

    def addresses(self, values: Mapping[Any, int] | None = None) -> Any:
        """Element addresses in visiting order, a numpy int64 array of shape (product of sizes,), for SSA values `values`."""
        bindings = values or {}
        parts = [(_sure(d.offset), _sure(d.stride)) for d in self.dims if not d.offset.is_(0)]
        parts += [(o, _sure(s)) for o, s in self.start]
        start = sum(o.evaluate(bindings) * s.evaluate(bindings) for o, s in parts)
        dims = [(_sure(d.size).evaluate(bindings), _sure(d.stride).evaluate(bindings)) for d in self.dims if not d.is_unit]
        return addresses(dims, start)


@dataclass(frozen=True)
class Lists:
    """The explicit lists of an access, outermost first, with one entry for each dimension."""

    offsets: tuple[Linear, ...]
    sizes: tuple[Linear, ...]
    strides: tuple[Linear, ...]

    @property
    def dims(self) -> tuple[Dim, ...]:
        return tuple(map(Dim, self.offsets, self.sizes, self.strides))


def kept_dims(
    sizes: Sequence[int | ir.Attribute], shape: Sequence[int], agrees: Callable[[int, int], bool] = lambda dim, position: True
) -> list[int]:
    """The dimensions of a slice of `sizes` that its result of `shape` has; the others have size 1.

    A unit dimension is kept if the result's next dimension has size 1 and `agrees(dim, position)` is true for their numbers.
    """
    spare, result = len(sizes) - len(shape), list[int]()
    for dim, size in enumerate(sizes):
        position = len(result)
        if spare and size == 1 and not (position < len(shape) and shape[position] == 1 and agrees(dim, position)):
            spare -= 1
        else:
            result.append(dim)
    return result


def _add_offset(dims: list[Dim], offset: Linear, stride: Linear) -> None:
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


def _without_stride(dim: Dim) -> Dim:
    """Gives a single step whose stride is unknown and does not matter the stride 1."""
    shown = replace(dim, hidden=False)
    return replace(shown, stride=ONE) if dim.stride is None and dim.is_unit and dim.offset.is_(0) else shown


def _natural(dim: Dim) -> bool:
    return all(part is None or part.terms or part.constant >= 0 for part in (dim.offset, dim.size, dim.stride))


def _sure(part: Linear | None) -> Linear:
    assert part is not None, "a pattern with unknown parts has no addresses"
    return part
