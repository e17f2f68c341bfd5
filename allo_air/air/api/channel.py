"""`channel`: streams between L3, L2 and L1; a single channel, an array, or a broadcast."""

from __future__ import annotations

from collections.abc import Mapping

from allo_air.air.api.errors import NotImplementedError, RuntimeError, TypeError, ValueError
from allo_air.air.api.index import Index
from allo_air.air.api.packed import PackedShape
from allo_air.air.api.pattern import End, Pattern, end_of, packing
from allo_air.air.api.symbol import plain
from allo_air.air.api.tensor import Tensor
from allo_air.air.api.token import Token, check_dependency
from allo_air.air.api.trace import Trace, tracing
from allo_air.air.api.values import index_values
from allo_air.air.dialects._values import with_literals
from allo_air.dialects import air as _air
from allo_air.errors import counted
from allo_air.mlir import ir

__all__ = ["Channel", "channel"]

_MISSING = ("channel_type", "dest", "packet_ids", "buffer_resources", "pad_before", "pad_after")


class Channel:
    """A bundle of `size` channels; with `broadcast_shape` each put goes to several gets."""

    def __init__(self, name: str, size: tuple[int, ...] | None, broadcast_shape: tuple[int, ...] | None):
        self.name, self.size, self.broadcast_shape = name, size, broadcast_shape

    def put(
        self, obj: object, indices: object = None, dependency: object = None, pack: object = None, **keywords: object
    ) -> Token:
        """Sends `obj`, a tensor, a buffer or a region of one; `pack` is the packed shape that gives the element order of a
        region."""
        return self._move("put", obj, indices, dependency, pack, keywords)

    def get(
        self, obj: object, indices: object = None, dependency: object = None, pack: object = None, **keywords: object
    ) -> Token:
        """Receives the next piece of the stream into `obj`."""
        return self._move("get", obj, indices, dependency, pack, keywords)

    def _move(
        self, kind: str, obj: object, indices: object, dependency: object, pack: object, keywords: Mapping[str, object]
    ) -> Token:
        who = f"channel '{self.name}', {kind}"
        _refuse(keywords, who)
        trace = tracing(who)
        check_dependency(dependency, who)
        end = end_of(obj, who)
        if isinstance(end.holder, Tensor) and trace.nearest("segment") is None:
            raise RuntimeError(f"{who}: {end.holder.label} is in L3, and is outside of a segment, where the shims' DMAs belong")
        places = self._places(indices, self.size if kind == "put" else self.broadcast_shape or self.size, who)
        pattern = _pattern(end, pack, who)
        self._declare(trace)
        side = "src" if kind == "put" else "dst"
        with trace.emit():
            lists = {f"{side}_{n}": index_values(trace, getattr(pattern, n)) for n in ("offsets", "sizes", "strides")}
            fields = {"chan_name": self.name, "indices": index_values(trace, places), "deps": [], "token": False}
            make = _air.ChannelPutOp if kind == "put" else _air.ChannelGetOp
            result = make(**fields, **{side: trace.frame.value(end.holder, end.holder.label)}, **lists)
            with_literals(result, (pattern.offsets, pattern.sizes, pattern.strides))
        if kind == "get" and isinstance(end.holder, Tensor):
            trace.outputs[end.holder] = None
        return Token()

    def _places(self, indices: object, bounds: tuple[int, ...] | None, who: str) -> list[Index | int]:
        if bounds is None:
            if indices is not None:
                raise ValueError(f"{who}: indices {indices!r} for a channel without a size; declare it with size=")
            return []
        if indices is None:
            if any(n != 1 for n in bounds):
                raise ValueError(f"{who}: indices are missing; the channel has the size {list(bounds)}")
            return [0] * len(bounds)
        if not isinstance(indices, list | tuple):
            raise TypeError(f"{who}: indices are {indices!r}, expected a list")
        if len(indices) != len(bounds):
            raise ValueError(
                f"{who}: {counted(len(indices), 'index')} for a channel of size {list(bounds)}; give {len(bounds)}"
            )
        places = [plain(i) for i in indices]
        for place, bound in zip(places, bounds, strict=True):
            if not isinstance(place, int | Index):
                raise TypeError(f"{who}: an index is {place!r}, expected an integer or a coordinate")
            if isinstance(place, int) and not 0 <= place < bound:
                raise ValueError(f"{who}: index {place} is outside of the size {list(bounds)}")
        return places

    def _declare(self, trace: Trace) -> None:
        """The symbol, after the last channel of the module."""
        if (declared := trace.channels.get(self.name)) is self:
            return
        if declared is not None:
            raise ValueError(f"channel '{self.name}' is declared twice; give each channel a name of its own")
        trace.check_free(self.name, f"channel '{self.name}'")
        behind = trace.last_channel
        with trace.at_top():
            op = _air.ChannelOp(sym_name=self.name, size=list(self.size or ()))
            if self.broadcast_shape is not None:
                i64 = ir.IntegerType.get_signless(64)
                shape = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in self.broadcast_shape])
                op.operation.attributes["broadcast_shape"] = shape
        if behind is not None:
            op.operation.move_after(behind.operation)
        trace.channels[self.name], trace.last_channel = self, op


def channel(name: str, size: object = None, broadcast_shape: object = None, **keywords: object) -> Channel:
    """A channel named `name`; `size` makes it an array, `broadcast_shape` is the number of gets for each put."""
    who = f"channel {name!r}"
    _refuse(keywords, who)
    if not isinstance(name, str) or not name:
        raise TypeError(f"channel: the name is {name!r}, expected a string")
    sizes, wide = _sizes(size, f"{who}: size"), _sizes(broadcast_shape, f"{who}: broadcast_shape")
    if wide is not None:
        if sizes is None:
            raise ValueError(f"{who}: broadcast_shape needs a size: size= tells how many puts there are")
        if len(wide) != len(sizes) or any(w % s for w, s in zip(wide, sizes, strict=True)):
            raise ValueError(f"{who}: broadcast_shape {list(wide)} is not a whole multiple of the size {list(sizes)}")
    return Channel(name, sizes, wide)


def _sizes(size_or_sizes: object, what: str) -> tuple[int, ...] | None:
    if size_or_sizes is None:
        return None
    if not isinstance(size_or_sizes, list | tuple):
        raise TypeError(f"{what} is {size_or_sizes!r}, expected a list of integers")
    sizes = tuple(plain(n) for n in size_or_sizes)
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in sizes):
        raise TypeError(f"{what} is {size_or_sizes!r}, expected a list of integers")
    if not sizes or any(n < 1 for n in sizes):
        raise ValueError(f"{what} is {list(sizes)}, expected at least 1 along each dimension")
    return sizes


def _refuse(keywords: Mapping[str, object], who: str) -> None:
    for name in keywords:
        if name in _MISSING:
            raise NotImplementedError(f"{who}: {name} is not supported yet; use air.dialects.air for it")
        raise TypeError(f"{who}: there is no keyword '{name}'")


def _pattern(end: End, pack: object, who: str) -> Pattern:
    if pack is None:
        if end.packed is not None and end.region is not None and end.packed.role != "C":
            raise NotImplementedError(
                f"{who}: a region of {end.holder.label}, a packed {end.packed.role}, is not supported; name all of it"
            )
        return end.pattern()
    if not isinstance(pack, PackedShape):
        raise TypeError(f"{who}: pack is {pack!r}, expected a packed shape: micro_tile(...).a(...) or .b(...)")
    if end.packed is not None:
        raise TypeError(f"{who}: {end.holder.label} is packed already; pack= walks a flat region in packed order")
    if end.region is None:
        raise TypeError(f"{who}: pack= takes a region, such as {end.holder.name or 'A'}[:, :], got all of {end.holder.label}")
    return packing(pack, end, who)
