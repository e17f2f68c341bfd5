"""`ObjectFifo`: typed FIFOs of buffers between workers, memtiles and the host."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from allo_air.aie.building.arrays import ArrayType, array_type, mlir_type
from allo_air.aie.building.errors import IronRuntimeError, IronValueError, user_place
from allo_air.aie.building.scope import located, require
from allo_air.aie.dialects._aie_fifos import acquired, object_fifo
from allo_air.aie.iron.device import Tile
from allo_air.aie.iron.fifo_options import depth_of, dims_of, pad_word, refuse
from allo_air.aie.iron.links import Link, stored
from allo_air.aie.iron.tasks import Task, transfer
from allo_air.dialects import aie as _aie
from allo_air.errors import counted

__all__ = ["ObjectFifo", "ObjectFifoHandle", "ObjectFifoLink"]

ObjectFifoLink = Link

_NUMBERS = count()


class ObjectFifo:
    """A FIFO of objects of type `obj_type`, with `depth` buffers at each end."""

    def __init__(
        self,
        obj_type: Any,
        depth: int | None = 2,
        name: str | None = None,
        dims_to_stream: object = None,
        dims_from_stream_per_cons: object = None,
        via_DMA: bool = False,
        pad_dimensions: object = None,
        disable_synchronization: bool = False,
        repeat_count: int | None = None,
        init_values: Sequence[object] | None = None,
        pad_value: int = 0,
        plio: bool = False,
        consumer_obj_type: object = None,
        aie_stream: Any = None,
        delegate_tile: Tile | None = None,
        **keywords: Any,
    ):
        depth = keywords.pop("default_depth", depth)  # its name in 2025
        self.type = array_type(obj_type, "ObjectFifo")
        self.obj_type = obj_type
        self.name = name or f"of{next(_NUMBERS)}"
        self.depth = depth_of(depth, self.name)
        self.dims_to_stream, self.dims_from_stream = dims_of(dims_to_stream), dims_of(dims_from_stream_per_cons)
        self.pads = dims_of(pad_dimensions)
        self.repeat_count, self.plio = repeat_count, plio
        self.pad_value, self.init_values = pad_value, init_values
        self.iter_count: int | None = None
        self.consumed = None if consumer_obj_type is None else array_type(consumer_obj_type, "ObjectFifo")
        self.stream, self.delegate = aie_stream, delegate_tile
        self.op: Any = None  # in the module that is built
        self.via_dma, self.unsynchronized = via_DMA, disable_synchronization
        self.producer: ObjectFifoHandle | None = None
        self.consumers: list[ObjectFifoHandle] = []
        self.link: Link | None = None  # links to FIFOs that this one feeds
        self.place = user_place()
        refuse(keywords, "ObjectFifo")

    def set_iter_count(self, count: int) -> None:
        """Makes the DMAs of memtiles and cores send the given number of objects, and then stop."""
        if not 1 <= count <= 256:
            raise IronValueError(f"ObjectFifo '{self.name}': set_iter_count({count}); expected 1 to 256")
        self.iter_count = count

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an object."""
        return self.type.shape

    @property
    def dtype(self) -> Any:
        """The numpy dtype of its elements."""
        return self.type.dtype

    def prod(self, depth: int | None = None, channel: int | None = None, tile: Tile | None = None) -> ObjectFifoHandle:
        """The producer's handle, the same object for every call."""
        if self.producer is None:
            self.producer = ObjectFifoHandle(self, True, depth_of(depth, self.name) if depth else self.depth, (), tile)
            self.producer.channel = channel
        elif tile is not None and self.producer.tile not in (None, tile):
            raise IronValueError(f"ObjectFifo '{self.name}': the producer is pinned to {self.producer.tile} already")
        return self.producer

    def cons(
        self, depth: int | None = None, dims_from_stream: object = None, channel: int | None = None, tile: Tile | None = None
    ) -> ObjectFifoHandle:
        """A new consumer's handle."""
        dims = dims_of(dims_from_stream) or self.dims_from_stream
        cons = ObjectFifoHandle(self, False, depth_of(depth, self.name) if depth else self.depth, dims, tile)
        cons.channel = channel
        self.consumers.append(cons)
        return cons

    def bind_initial(self) -> None:
        """Sets the producer's tile of a FIFO with initial values and no producer: the tile that it is pinned to."""
        producer = self.producer
        if self.init_values is not None and producer is not None and producer.end is None and producer.tile is not None:
            producer.bind(producer.tile, "the tile of its initial values")

    def build(self) -> None:
        """Builds the operation."""
        if self.producer is None or self.producer.end is None:
            raise IronValueError(
                f"ObjectFifo '{self.name}' has no producer; give its prod() to a worker, or fill it in the sequence"
            )
        ends = [c for c in self.consumers if c.end is not None]
        if not ends:
            raise IronValueError(
                f"ObjectFifo '{self.name}' has no consumer; give its cons() to a worker, or drain it in the sequence"
            )
        depths = [self.producer.depth, *(c.depth for c in ends)]
        if self.init_values is not None and len(self.init_values) != depths[0]:
            raise IronValueError(
                f"ObjectFifo '{self.name}': init_values has {counted(len(self.init_values), 'array')} for "
                f"{counted(depths[0], 'buffer')}"
            )
        channels = [-1 if c.channel is None else c.channel for c in ends]
        rest = {
            "repeat_count": self.repeat_count or None, "iter_count": self.iter_count, "prod_dma_channel": self.producer.channel,
            "padValue": pad_word(self.pad_value, self.dtype) if self.pads and self.pad_value else None,
            "cons_dma_channels": channels if any(n >= 0 for n in channels) else None,
            "consumer_datatype": None if self.consumed is None else mlir_type(self.consumed, "ObjectFifo"),
        }  # fmt: skip
        if self.stream is not None:
            rest["aie_stream"], rest["aie_stream_port"] = (int(n) for n in self.stream)
        number = depths[0] if len(set(depths)) == 1 else depths
        sides = stored(self.dims_to_stream, self.type), [stored(c.dims, self.type) for c in ends]
        self.op = object_fifo(
            self.name, self.producer.end.op, [c.end.op for c in ends if c.end is not None], number, self.type, *sides,
            self.init_values, self.via_dma or None, self.plio or None, self.pads or None, self.unsynchronized or None,
            loc=located(self.place), **rest,
        )  # fmt: skip
        if self.delegate is not None:
            self.op.allocate(self.delegate.op)


class ObjectFifoHandle:
    """One end of a FIFO; `end` is its tile once it is known."""

    def __init__(self, of: ObjectFifo, is_prod: bool, depth: int, dims: tuple[tuple[int, int], ...], tile: Tile | None):
        self.of, self.is_prod, self.depth, self.dims, self.tile = of, is_prod, depth, dims, tile
        self.end: Tile | None = None
        self.channel: int | None = None  # the DMA channel, if the program pins it

    def set_iter_count(self, count: int) -> None:
        """Same as `ObjectFifo.set_iter_count` of its FIFO."""
        self.of.set_iter_count(count)

    @property
    def name(self) -> str:
        """The FIFO's name."""
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
        """Which end it is: Produce or Consume."""
        return "Produce" if self.is_prod else "Consume"

    def bind(self, tile: Tile, who: str) -> None:
        """Sets the tile of this end."""
        if self.end not in (None, tile):
            raise IronValueError(
                f"ObjectFifo '{self.name}': its {self.port.lower()}r is used in two places; {who} is the second"
            )
        self.end = tile

    def acquire(self, num_elem: int = 1) -> Any:
        """Acquires the next `num_elem` objects; returns a buffer, or a list of buffers."""
        require("ObjectFifo.acquire", "core")
        kind = self.of.type if self.is_prod or self.of.consumed is None else self.of.consumed
        return acquired(self.name, int(not self.is_prod), self._number(num_elem, "acquire"), mlir_type(kind, self.name))

    def release(self, num_elem: int = 1) -> None:
        """Releases the oldest `num_elem` objects."""
        require("ObjectFifo.release", "core")
        _aie.ObjectFifoReleaseOp(objFifo_name=self.name, port=self.port, size=self._number(num_elem, "release"))

    def _number(self, index: int, what: str) -> int:
        number = int(index)
        if not 1 <= number <= self.depth:
            raise IronValueError(f"ObjectFifo '{self.name}': {what}({number}) of {counted(self.depth, 'object')}")
        return number

    def fill(self, source: object, tap: object = None, **options: object) -> Task:
        """In the sequence: sends `source`, or the elements of it that `tap` selects, from the host."""
        if not self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': fill takes the producer's handle, prod()")
        return transfer(self, source, tap, **options)

    def drain(self, dest: object, tap: object = None, **options: object) -> Task:
        """In the sequence: writes objects to `dest`, or to the elements of it that `tap` selects."""
        if self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': drain takes a consumer's handle, cons()")
        return transfer(self, dest, tap, **options)

    def forward(
        self, tile: Tile | None = None, obj_type: object = None, depth: int | None = None, name: str | None = None,
        dims_to_stream: object = None, dims_from_stream: object = None, repeat_count: int | None = None, **keywords: Any,
    ) -> ObjectFifo:  # fmt: skip
        """A FIFO that forwards the objects of this consumer through a memtile."""
        tile = keywords.pop("placement", None) or tile  # its name before July 2026
        pads = keywords.pop("pad_dimensions", None), keywords.pop("pad_value", 0), keywords.pop("plio", False)
        refuse(keywords, "forward")
        self._check_consumes("forward")
        result = ObjectFifo(
            obj_type or self.of.type, depth or self.of.depth, name or f"{self.name}_fwd", dims_to_stream,
            repeat_count=repeat_count, pad_dimensions=pads[0], pad_value=pads[1], plio=pads[2],
        )  # fmt: skip
        self.dims = dims_of(dims_from_stream) or self.dims
        self._linked(Link([self.of], [result], [0], tile))
        return result

    def split(
        self, offsets: Sequence[int], tile: Tile | None = None, depths: Any = None, obj_types: Any = None,
        names: list[str] | None = None,
        dims_to_stream: Any = None, repeat_counts: Any = None, **keywords: Any,
    ) -> list[ObjectFifo]:  # fmt: skip
        """FIFOs that get the parts of each object at `offsets` through a memtile."""
        tile = keywords.pop("placement", None) or tile  # its name before July 2026
        lists = [keywords.pop("pad_dimensions", None), keywords.pop("dims_from_stream", None)]
        pad_value, plio = keywords.pop("pad_value", 0), keywords.pop("plio", False)
        refuse(keywords, "split")
        self._check_consumes("split")
        object_fifos = self._parts("split", offsets, depths, obj_types, names, dims_to_stream, repeat_counts, lists[0])
        self.dims = dims_of(lists[1]) or self.dims
        for part in object_fifos:
            part.pad_value, part.plio = pad_value or 0, bool(plio)
        self._linked(Link([self.of], object_fifos, offsets, tile))
        return object_fifos

    def join(
        self, offsets: Sequence[int], tile: Tile | None = None, depths: Any = None, obj_types: Any = None, names: Any = None,
        dims_to_stream: Any = None, dims_from_stream: Sequence[object] | None = None, **keywords: Any,
    ) -> list[ObjectFifo]:  # fmt: skip
        """FIFOs whose objects a memtile joins to this one's objects, at `offsets`."""
        tile = keywords.pop("placement", None) or tile  # its name before July 2026
        refuse({n: v for n, v in keywords.items() if n != "repeat_counts"}, "join")
        if not self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': join takes the producer's handle, prod()")
        object_fifos = self._parts(
            "join", offsets, depths, obj_types, names, dims_to_stream, keywords.pop("repeat_counts", None), None
        )
        link = Link(object_fifos, [self.of], offsets, tile)
        self.bind(link.tile, "join")
        all_dims = [dims_of(d) for d in dims_from_stream or [None] * len(object_fifos)]
        for part, dims in zip(object_fifos, all_dims, strict=True):
            part.cons(dims_from_stream=dims or None).bind(link.tile, "join")
            part.link = link
        return object_fifos

    def _check_consumes(self, what: str) -> None:
        if self.is_prod:
            raise IronRuntimeError(f"ObjectFifo '{self.name}': {what} takes a consumer's handle, cons()")

    def _linked(self, link: Link) -> None:
        self.bind(link.tile, "the link")
        for out in link.outs:
            out.prod().bind(link.tile, "the link")
        self.of.link = link

    def _parts(self, what: str, offsets: Sequence[int], *lists: list[str] | None) -> list[ObjectFifo]:
        filled_lists = [list_ if list_ is not None else [None] * len(offsets) for list_ in lists]
        for value, of in zip(
            filled_lists, ("depths", "obj_types", "names", "dims_to_stream", "repeat_counts", "pad_dimensions"), strict=True
        ):
            if len(value) != len(offsets):
                raise IronValueError(
                    f"{what}: {of} has {counted(len(value), 'entry')} for {counted(len(offsets), 'offset')}; give one for each"
                )
        ends = [*offsets[1:], self.of.type.size]
        parts = []
        for i, (depth, kind, name, dims, repeat, pad) in enumerate(zip(*filled_lists, strict=True)):
            size = ends[i] - offsets[i]
            typed = kind or ArrayType((size,), self.of.type.element, self.of.type.block)
            label = name or f"{self.name}_{what}{i}"
            parts.append(ObjectFifo(typed, depth or self.of.depth, label, dims, repeat_count=repeat, pad_dimensions=pad))
        return parts
