"""`ObjectFifo`: typed queues of buffers between workers, memtiles and the host."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from allo_air.aie.iron.arrays import ArrayType, array_type
from allo_air.aie.iron.device import MEMORY, Tile, own
from allo_air.aie.iron.errors import IronMissing, IronRuntimeError, IronTypeError, IronValueError, user_place
from allo_air.aie.iron.tasks import Task, transfer
from allo_air.aie.iron.values import Memory
from allo_air.aie.iron.writing import Writer, writer

__all__ = ["ObjectFifo", "ObjectFifoHandle"]

_NUMBERS = count()
_MISSING = ("plio", "delegate_tile", "aie_stream", "consumer_obj_type", "init_values")


class ObjectFifo:
    """A queue of objects of `obj_type`, of which each end holds `depth` buffers."""

    def __init__(
        self,
        obj_type: Any,
        depth: int = 2,
        name: str | None = None,
        dims_to_stream: Any = None,
        dims_from_stream_per_cons: Any = None,
        via_DMA: bool = False,
        pad_dimensions: Any = None,
        disable_synchronization: bool = False,
        repeat_count: int | None = None,
        **others: Any,
    ):
        self.type = array_type(obj_type, "ObjectFifo")
        self.obj_type = obj_type
        self.name = name or f"of{next(_NUMBERS)}"
        self.depth = _depth(depth, self.name)
        self.dims_to_stream, self.dims_from_stream = _dims(dims_to_stream), _dims(dims_from_stream_per_cons)
        self.pads = _dims(pad_dimensions)
        self.repeat_count = repeat_count
        self.via_dma, self.unsynchronized = via_DMA, disable_synchronization
        self.producer: ObjectFifoHandle | None = None
        self.consumers: list[ObjectFifoHandle] = []
        self.link: Link | None = None  # into which this one flows
        self.place = user_place()
        _refuse(others, "ObjectFifo")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an object."""
        return self.type.shape

    @property
    def dtype(self) -> Any:
        """The numpy dtype of its elements."""
        return self.type.dtype

    def prod(self, depth: int | None = None, channel: int | None = None, tile: Tile | None = None) -> ObjectFifoHandle:
        """The producer's handle: always the same."""
        if channel is not None:
            raise IronMissing("ObjectFifo.prod: channel is not there yet")
        if self.producer is None:
            self.producer = ObjectFifoHandle(self, True, _depth(depth, self.name) if depth else self.depth, (), tile)
        elif tile is not None and self.producer.tile not in (None, tile):
            raise IronValueError(f"ObjectFifo '{self.name}': the producer is pinned to {self.producer.tile} already")
        return self.producer

    def cons(
        self, depth: int | None = None, dims_from_stream: Any = None, channel: int | None = None, tile: Tile | None = None
    ) -> ObjectFifoHandle:
        """A new consumer's handle."""
        if channel is not None:
            raise IronMissing("ObjectFifo.cons: channel is not there yet")
        dims = _dims(dims_from_stream) or self.dims_from_stream
        made = ObjectFifoHandle(self, False, _depth(depth, self.name) if depth else self.depth, dims, tile)
        self.consumers.append(made)
        return made

    def written(self, names: dict[int, str]) -> str:
        """The operation, `names` being those of tiles by the tile's identity."""
        if self.producer is None or self.producer.end is None:
            raise IronValueError(
                f"ObjectFifo '{self.name}' has no producer; give its prod() to a worker, or fill it in the sequence"
            )
        ends = [c for c in self.consumers if c.end is not None]
        if not ends:
            raise IronValueError(
                f"ObjectFifo '{self.name}' has no consumer; give its cons() to a worker, or drain it in the sequence"
            )
        sinks = ", ".join(names[id(c.end)] + _shown("dimensionsFromStream", c.dims) for c in ends)
        depths = [self.producer.depth, *(c.depth for c in ends)]
        number = f"{depths[0]} : i32" if len(set(depths)) == 1 else str(depths)
        source = names[id(self.producer.end)] + _shown("dimensionsToStream", self.dims_to_stream)
        if self.pads:
            pads = ", ".join(f"<const_pad_before = {a}, const_pad_after = {b}>" for a, b in self.pads)
            source += f" padDimensions [{pads}]"
        flags = [f"repeat_count = {self.repeat_count} : i32"] if self.repeat_count else []
        flags += ["via_DMA = true"] if self.via_dma else []
        flags += ["disable_synchronization = true"] if self.unsynchronized else []
        attributes = f" {{{', '.join(flags)}}}" if flags else ""
        return f"aie.objectfifo @{self.name}({source}, {{{sinks}}}, {number}){attributes} : !aie.objectfifo<{self.type.memref}>"


class Link:
    """Objects of `ins` go on as those of `outs` on a memtile, at offsets in elements where there are several of either."""

    def __init__(self, ins: Sequence[ObjectFifo], outs: Sequence[ObjectFifo], offsets: Sequence[int], tile: Tile | None):
        self.ins, self.outs, self.offsets = list(ins), list(outs), list(offsets)
        self.tile = own(tile, MEMORY)
        self.place = user_place()

    def written(self) -> str:
        """The operation."""
        sides = [", ".join(f"@{f.name}" for f in side) for side in (self.ins, self.outs)]
        offsets = ", ".join(map(str, self.offsets))
        places = f"[{offsets}] []" if len(self.ins) > 1 else f"[] [{offsets}]"
        return f"aie.objectfifo.link [{sides[0]}] -> [{sides[1]}]({places})"


class ObjectFifoHandle:
    """One end of a queue; `end` is its tile once it is known."""

    def __init__(self, of: ObjectFifo, is_prod: bool, depth: int, dims: tuple[tuple[int, int], ...], tile: Tile | None):
        self.of, self.is_prod, self.depth, self.dims, self.tile = of, is_prod, depth, dims, tile
        self.end: Tile | None = None

    @property
    def name(self) -> str:
        """The queue's name."""
        return self.of.name

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an object."""
        return self.of.shape

    @property
    def dtype(self) -> Any:
        """The numpy dtype of its elements."""
        return self.of.dtype

    @property
    def obj_type(self) -> Any:
        """The type of an object."""
        return self.of.obj_type

    @property
    def port(self) -> str:
        """Produce or Consume."""
        return "Produce" if self.is_prod else "Consume"

    def bind(self, tile: Tile, who: str) -> None:
        """Says which tile the end is on."""
        if self.end not in (None, tile):
            raise IronValueError(
                f"ObjectFifo '{self.name}': its {self.port.lower()}r is used in two places; {who} is the second"
            )
        self.end = tile

    def acquire(self, num_elem: int) -> Any:
        """The next `num_elem` objects: a buffer, or a list of them."""
        out = writer("ObjectFifo.acquire", "core")
        number = self._number(num_elem, "acquire")
        view = f"!aie.objectfifosubview<{self.of.type.memref}>"
        taken = out.op(f"aie.objectfifo.acquire @{self.name}({self.port}, {number}) : {view}", out.fresh())
        buffers = [self._access(out, taken, view, i) for i in range(number)]
        return buffers[0] if number == 1 else buffers

    def _access(self, out: Writer, taken: str, view: str, index: int) -> Memory:
        text = f"aie.objectfifo.subview.access {taken}[{index}] : {view} -> {self.of.type.memref}"
        return Memory(out.op(text, out.fresh()), self.of.type)

    def release(self, num_elem: int) -> None:
        """Gives back the oldest `num_elem` objects."""
        out = writer("ObjectFifo.release", "core")
        out.op(f"aie.objectfifo.release @{self.name}({self.port}, {self._number(num_elem, 'release')})")

    def _number(self, given: Any, what: str) -> int:
        number = int(given)
        if not 1 <= number <= self.depth:
            raise IronValueError(f"ObjectFifo '{self.name}': {what}({number}) of {self.depth} objects")
        return number

    def fill(self, source: Any, tap: Any = None, **options: Any) -> Task:
        """In the sequence: sends `source`, or what `tap` says of it, from the host."""
        if not self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': fill takes the producer's handle, prod()")
        return transfer(self, source, tap, **options)

    def drain(self, dest: Any, tap: Any = None, **options: Any) -> Task:
        """In the sequence: brings objects to `dest`, or to what `tap` says of it."""
        if self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': drain takes a consumer's handle, cons()")
        return transfer(self, dest, tap, **options)

    def forward(
        self, tile: Tile | None = None, obj_type: Any = None, depth: int | None = None, name: str | None = None,
        dims_to_stream: Any = None, dims_from_stream: Any = None, repeat_count: int | None = None, **others: Any,
    ) -> ObjectFifo:  # fmt: skip
        """A queue into which a memtile sends what this consumer gets."""
        tile = others.pop("placement", None) or tile  # its name before July 2026
        _refuse(others, "forward")
        self._check_consumes("forward")
        made = ObjectFifo(
            obj_type or self.of.type, depth or self.of.depth, name or f"{self.name}_fwd", dims_to_stream,
            repeat_count=repeat_count,
        )  # fmt: skip
        self.dims = _dims(dims_from_stream) or self.dims
        self._linked(Link([self.of], [made], [0], tile))
        return made

    def split(
        self, offsets: Sequence[int], tile: Tile | None = None, depths: Any = None, obj_types: Any = None, names: Any = None,
        dims_to_stream: Any = None, repeat_counts: Any = None, **others: Any,
    ) -> list[ObjectFifo]:  # fmt: skip
        """Queues into which a memtile sends parts of each object, which begin at `offsets`."""
        tile = others.pop("placement", None) or tile  # its name before July 2026
        _refuse(others, "split")
        self._check_consumes("split")
        made = self._parts("split", offsets, depths, obj_types, names, dims_to_stream, repeat_counts)
        self._linked(Link([self.of], made, offsets, tile))
        return made

    def join(
        self, offsets: Sequence[int], tile: Tile | None = None, depths: Any = None, obj_types: Any = None, names: Any = None,
        dims_to_stream: Any = None, dims_from_stream: Any = None, **others: Any,
    ) -> list[ObjectFifo]:  # fmt: skip
        """Queues of which a memtile puts this one's objects together, at `offsets`."""
        tile = others.pop("placement", None) or tile  # its name before July 2026
        _refuse(others, "join")
        if not self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': join takes the producer's handle, prod()")
        made = self._parts("join", offsets, depths, obj_types, names, dims_to_stream, None)
        link = Link(made, [self.of], offsets, tile)
        self.bind(link.tile, "join")
        every = [_dims(d) for d in dims_from_stream or [None] * len(made)]
        for part, dims in zip(made, every, strict=True):
            part.cons(dims_from_stream=dims or None).bind(link.tile, "join")
            part.link = link
        return made

    def _check_consumes(self, what: str) -> None:
        if self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': {what} takes a consumer's handle, cons()")

    def _linked(self, link: Link) -> None:
        self.bind(link.tile, "the link")
        for out in link.outs:
            out.prod().bind(link.tile, "the link")
        self.of.link = link

    def _parts(self, what: str, offsets: Sequence[int], *lists: Any) -> list[ObjectFifo]:
        every = [given if given is not None else [None] * len(offsets) for given in lists]
        for given, of in zip(every, ("depths", "obj_types", "names", "dims_to_stream", "repeat_counts"), strict=True):
            if len(given) != len(offsets):
                raise IronValueError(f"{what}: {of} has {len(given)} entries for {len(offsets)} offsets; give one for each")
        ends = [*offsets[1:], self.of.type.size]
        made = []
        for i, (depth, kind, name, dims, repeat) in enumerate(zip(*every, strict=True)):
            size = ends[i] - offsets[i]
            typed = kind or ArrayType((size,), self.of.type.element)
            label = name or f"{self.name}_{what}{i}"
            made.append(ObjectFifo(typed, depth or self.of.depth, label, dims, repeat_count=repeat))
        return made


def _depth(given: Any, name: str) -> int:
    depth = int(given)
    if depth < 1:
        raise IronValueError(f"ObjectFifo '{name}': depth is {depth}, wanted at least 1")
    return depth


def _dims(given: Any) -> tuple[tuple[int, int], ...]:
    if given is None:
        return ()
    if not all(len(tuple(pair)) == 2 for pair in given):
        raise IronTypeError(f"dimensions are {given!r}, wanted pairs (size, stride)")
    return tuple((int(a), int(b)) for a, b in given)


def _shown(keyword: str, dims: Sequence[tuple[int, int]]) -> str:
    if not dims:
        return ""
    return f" {keyword} [{', '.join(f'<size = {a}, stride = {b}>' for a, b in dims)}]"


def _refuse(others: dict[str, Any], who: str) -> None:
    for name, value in others.items():
        if name not in (*_MISSING, "pad_dimensions", "pad_value", "dims_from_stream", "repeat_counts"):
            raise IronTypeError(f"{who} has no argument '{name}'")
        if value:
            raise IronMissing(f"{who}: {name} is not there yet")
