"""ObjectFifos and their links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.attributes import dense, dims, dims_of_each, fifo_type, pads
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.building.values import Memory, value_of
from allo_air.dialects import aie as _aie
from allo_air.mlir import ir


class object_fifo:
    """An objectFifo from a producer's tile to the tiles of its consumers."""

    def __init__(
        self, name: str, producerTile: Any, consumerTiles: object, depth: Any, datatype: Any, dimensionsToStream: object = None,
        dimensionsFromStreamPerConsumer: Any = None, initValues: Any = None, via_DMA: bool | None = None,
        plio: bool | None = None, padDimensions: object = None, disable_synchronization: bool | None = None, *,
        loc: Any = None, ip: Any = None, **keywords: object,
    ):  # fmt: skip
        self.datatype = mlir_type(datatype, f"object_fifo '{name}'")
        tiles = list(consumerTiles) if isinstance(consumerTiles, list | tuple) else [consumerTiles]
        depths = list(depth) if isinstance(depth, list | tuple) else [depth]
        numbers = [ir.IntegerAttr.get(ir.IntegerType.get_signless(32), int(d)) for d in depths]
        listed = isinstance(depth, list | tuple) or initValues is not None
        fields: dict[str, Any] = {
            "elemNumber": ir.ArrayAttr.get(numbers if len(numbers) > 1 else numbers * (1 + len(tiles)))
            if listed
            else numbers[0],
            "elemType": fifo_type(self.datatype, name),
            "dimensionsToStream": dims(dimensionsToStream, f"object_fifo '{name}'"),
            "dimensionsFromStreamPerConsumer": dims_of_each(
                dimensionsFromStreamPerConsumer, len(tiles), f"object_fifo '{name}'"
            ),
        }
        if (consumed := keywords.pop("consumer_datatype", None)) is not None:
            fields["consumerElemType"] = fifo_type(consumed, name)
        if initValues is not None:
            fields["initValues"] = ir.ArrayAttr.get([dense(v, self.datatype, "objectfifo") for v in initValues])
        flags = {"via_DMA": via_DMA, "plio": plio, "disable_synchronization": disable_synchronization, **keywords}
        flags["padDimensions"] = pads(padDimensions, name)
        fields |= {n: v for n, v in flags.items() if v is not None}
        self.op = _aie.ObjectFifoOp(
            producerTile=value_of(producerTile),
            consumerTiles=[value_of(t) for t in tiles],
            sym_name=name,
            loc=loc,
            ip=ip,
            **fields,
        )
        self.name, self.depths = name, depths

    @property
    def operation(self) -> Any:
        """The operation."""
        return self.op.operation

    @property
    def sym_name(self) -> Any:
        """Its symbol, an attribute."""
        return self.op.attributes["sym_name"]

    def acquire(self, port: object, num_elem: int) -> Any:
        """Acquires the next objects of an end; returns a buffer, or a list of buffers."""
        return acquired(self.name, port, int(num_elem), self._type(port))

    def _type(self, port: Any) -> Any:
        smaller = self.op.consumerElemType
        return smaller if smaller is not None and int(port) == 1 else self.datatype

    def release(self, port: object, num_elem: int) -> Any:
        """Releases objects."""
        return _aie.ObjectFifoReleaseOp(objFifo_name=self.name, port=_port(port), size=int(num_elem))

    def set_via_shared_mem(self, port: Any) -> None:
        """Places the buffers on the tile of one end, whose memory the other end accesses."""
        self._set("via_shared_mem", int(port))

    def set_repeat_count(self, num: int) -> None:
        """Sends each object the given number of times."""
        self._set("repeat_count", num)

    set_memtile_repeat = set_repeat_count

    def set_iter_count(self, num: int) -> None:
        """Makes the DMA send the given number of objects, and then stop."""
        if not 1 <= num <= 256:
            raise IronValueError(f"object_fifo '{self.name}': set_iter_count({num}); expected 1 to 256")
        self._set("iter_count", num)

    def allocate(self, tile: object) -> Any:
        """Places the buffers on a tile."""
        return _aie.ObjectFifoAllocateOp(delegate=value_of(tile), objFifo_name=self.name)

    def _set(self, name: str, number: int) -> None:
        self.op.attributes[name] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), int(number))


def acquired(name: str, port: object, number: int, datatype: object) -> Any:
    """Acquires `number` objects of the objectFifo `name`."""
    view = ir.Type.parse(f"!aie.objectfifosubview<{datatype}>")
    acquire = _aie.ObjectFifoAcquireOp(subview=view, objFifo_name=name, port=_port(port), size=number).subview
    memories = [
        Memory(_aie.ObjectFifoSubviewAccessOp(subview=acquire, index=i, output=datatype).operation.result)
        for i in range(number)
    ]
    return memories[0] if number == 1 else memories


def object_fifo_link(
    fifoIns: object,
    fifoOuts: object,
    srcOffsets: Sequence[int] = (),
    dstOffsets: Sequence[int] = (),
    *,
    loc: object = None,
    ip: object = None,
) -> Any:
    """Forwards, joins or distributes objectFifos on a memtile."""

    def symbols(queues: object) -> Any:
        several = queues if isinstance(queues, list | tuple) else [queues]
        return ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(symbol_of(f)) for f in several])

    return _aie.ObjectFifoLinkOp(
        fifoIns=symbols(fifoIns), fifoOuts=symbols(fifoOuts), src_offsets=[int(n) for n in srcOffsets],
        dst_offsets=[int(n) for n in dstOffsets], loc=loc, ip=ip,
    )  # fmt: skip


def symbol_of(holder: Any) -> str:
    """The symbol of `holder`, which is text, an attribute, an objectFifo, an operation or a handle."""
    if isinstance(holder, str):
        return holder
    if isinstance(holder, ir.StringAttr | ir.FlatSymbolRefAttr):
        return str(holder.value)
    if (name := getattr(holder, "sym_name", None)) is not None:
        return symbol_of(name)
    return str(holder.name)


def _port(port: Any) -> Any:
    return port if isinstance(port, str) else int(port)
