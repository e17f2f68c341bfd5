"""`load`, `store`: copies between L3, L2 and L1."""

from __future__ import annotations

from allo_air.air.api.errors import NotImplementedError, RuntimeError, TypeError, ValueError
from allo_air.air.api.pattern import End, Pattern, end_of, packing
from allo_air.air.api.tensor import Tensor
from allo_air.air.api.token import Token, check_dependency
from allo_air.air.api.trace import Trace, tracing
from allo_air.air.api.values import index_values
from allo_air.air.dialects._values import with_literals
from allo_air.dialects import air as _air

__all__ = ["load", "store"]

_LOADS = (("L3", "L2"), ("L3", "L1"), ("L2", "L1"))
_STORES = (("L1", "L2"), ("L1", "L3"), ("L2", "L3"))


def load(dst: object, src: object, pad_before: object = None, pad_after: object = None, dependency: object = None) -> Token:
    """Copies `src`, a tensor, a buffer or a region of one, into all of the buffer `dst`, which is nearer to the cores."""
    trace = _checked("load", pad_before, pad_after, dependency)
    into, source = end_of(dst, "load"), end_of(src, "load")
    if isinstance(into.holder, Tensor):
        raise TypeError(f"load: the destination is {into.holder.label}, which is in L3; write to it with air.ops.store")
    if into.region is not None:
        raise TypeError(f"load: the destination is a region of {into.holder.label}; load fills a whole buffer")
    _check_levels("load", source, into, _LOADS)
    if into.holder.scope.kind == "shared":
        raise NotImplementedError(f"load: {into.holder.label} is shared by the cores; load into a buffer of herd.private()")
    if source.packed is not None:
        raise TypeError(
            f"load: the source, {source.holder.label}, is packed; only packed accumulators can be drained, by air.ops.store"
        )
    if into.packed is not None:
        _check_types("load", source, into)
        return _copy(trace, into, Pattern(), source, packing(into.packed, source, "load"))
    _check_shapes("load", source, into)
    return _copy(trace, into, Pattern(), source, source.pattern())


def store(src: object, dst: object, pad_before: object = None, pad_after: object = None, dependency: object = None) -> Token:
    """Copies `src`, a buffer or a region of one, to `dst`, a tensor, a buffer or a region, which is farther from the cores."""
    trace = _checked("store", pad_before, pad_after, dependency)
    source, into = end_of(src, "store"), end_of(dst, "store")
    if isinstance(source.holder, Tensor):
        raise TypeError(f"store: the source is {source.holder.label}, which is in L3; read from it with air.ops.load")
    _check_levels("store", source, into, _STORES)
    if source.packed is not None and source.region is None:
        raise TypeError(
            f"store: {source.holder.label} is packed and stored whole; name the rows and columns, as in acc[x, y, :, :], "
            "so that it is unpacked"
        )
    if into.packed is not None:
        raise TypeError(f"store: the destination, {into.holder.label}, is packed; it is packed by air.ops.load")
    _check_shapes("store", source, into)
    done = _copy(trace, into, into.pattern(), source, source.pattern())
    if isinstance(into.holder, Tensor):
        trace.outputs[into.holder] = None
    return done


def _checked(who: str, pad_before: object, pad_after: object, dependency: object) -> Trace:
    trace = tracing(who)
    for name, value in (("pad_before", pad_before), ("pad_after", pad_after)):
        if value is not None:
            raise NotImplementedError(f"{who}: {name} is not supported; transfers do not pad")
    check_dependency(dependency, who)
    return trace


def _check_levels(who: str, source: End, into: End, allowed: tuple[tuple[str, str], ...]) -> None:
    if (source.level, into.level) not in allowed:
        ways = ", ".join(f"{a} to {b}" for a, b in allowed)
        raise TypeError(
            f"{who}: from {source.level} to {into.level}, from {source.holder.label} to {into.holder.label}; {who} goes {ways}"
        )


def _check_types(who: str, source: End, into: End) -> None:
    if source.holder.dtype != into.holder.dtype:
        raise ValueError(
            f"{who}: {source.holder.label} is of {source.holder.dtype.name}, and {into.holder.label} is of "
            f"{into.holder.dtype.name}; types must be the same"
        )


def _check_shapes(who: str, source: End, into: End) -> None:
    """Checks that both shapes are equal except for leading ones, and that the element types are the same."""
    if _without_ones(source.shape) != _without_ones(into.shape):
        raise ValueError(
            f"{who}: {list(source.shape)} of {source.holder.label} into {list(into.shape)} of {into.holder.label}; shapes must "
            "be the same up to leading ones"
        )
    _check_types(who, source, into)


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    first = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return shape[first:]


def _copy(trace: Trace, into: End, to: Pattern, source: End, of: Pattern) -> Token:
    frame = trace.frame
    if frame.kind not in ("herd", "segment"):
        raise RuntimeError("load and store are outside of the body of a herd or segment")
    with trace.emit():
        ends = {"dst": frame.value(into.holder, into.holder.label), "src": frame.value(source.holder, source.holder.label)}
        lists = {
            f"{end}_{name}": index_values(trace, getattr(pattern, name))
            for end, pattern in (("dst", to), ("src", of))
            for name in ("offsets", "sizes", "strides")
        }
        op = _air.DmaMemcpyNdOp(deps=[], token=False, **ends, **lists)
        with_literals(op, [getattr(pattern, name) for pattern in (to, of) for name in ("offsets", "sizes", "strides")])
    return Token()
