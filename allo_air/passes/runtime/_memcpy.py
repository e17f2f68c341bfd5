"""From the external-memory side of an AIR transfer to `airrt.dma_memcpy_nd`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from allo_air.access.dims import aligned, is_contiguous, volume
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects.airrt import DmaMemcpyNdOp
from allo_air.errors import counted
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.affine_loops import affine_for, body_of, constant
from allo_air.passes.runtime._barriers import MARKS
from allo_air.passes.runtime._hazards import HostSide, host_side

RANK = 4
_DYNAMIC = -(2**63)


class Channels:
    """The module's channels: their sizes, and the id of the first operation on the device's side of each."""

    def __init__(self, module: AnyOp) -> None:
        self.sizes: dict[str, list[int]] = {}
        for op in walk_named(module, "air.channel"):
            self.sizes[sym_name_of(op)] = list(op.opview.size)
        self.ids: dict[str, dict[tuple[int | None, ...], int]] = {}
        for op in walk_named(module, "air.channel.put", "air.channel.get"):
            if host_side(op) is None and "id" in op.attributes:
                indices = tuple(number_of(i) for i in op.opview.indices)
                self.ids.setdefault(op.opview.chan_name, {}).setdefault(indices, op.attributes["id"].value)

    def id_of(self, op: AnyOp, indices: tuple[int | None, ...]) -> int:
        """The id of a host transfer in the device's metadata: the id of its other end."""
        own = op.attributes["id"].value if "id" in op.attributes else 0
        if op.name == "air.dma_memcpy_nd":
            return int(own)
        own_ids = self.ids.get(op.opview.chan_name, {})
        if len(own_ids) == 1:
            return next(iter(own_ids.values()))
        return own_ids.get(
            indices, next((number for id_indices, number in own_ids.items() if _may_be(id_indices, indices)), int(own))
        )

    def metadata_of(self, op: AnyOp, indices: tuple[int | None, ...]) -> str | None:
        """The shim DMA allocation that air-to-aie recorded on a host transfer; None if there is none."""
        if "metadata" in op.attributes:
            return str(op.attributes["metadata"].value)
        entry = self._entry(op, indices)
        return None if entry is None else str(entry["base"].value)

    def header_of(self, op: AnyOp, indices: tuple[int | None, ...]) -> ir.Attribute | None:
        """The packet header that air-to-aie recorded on a host transfer."""
        if "packet" in op.attributes:
            return op.attributes["packet"]
        entry = self._entry(op, indices)
        return entry["packet"] if entry is not None and "packet" in entry else None

    def _entry(self, op: AnyOp, indices: tuple[int | None, ...]) -> Any:
        """The entry of air-to-aie's metadata at a host transfer for its channel of a bundle."""
        if "metadataArray" not in op.attributes:
            return None
        array = list(op.attributes["metadataArray"])
        if len(array) == 1:
            return array[0]
        if op.name == "air.dma_memcpy_nd":
            raise error_at(
                op,
                f"is made by {counted(len(array), 'core')}, each over a shim channel of its own; run "
                f"air-dma-to-channel before air-to-aie,"
                " so that the host's program says which",
            )
        if None in indices:
            raise error_at(op, "picks its channel by an index that is not constant; its loops need constant bounds")
        flat = 0
        for index, size in zip(indices, self.sizes[op.opview.chan_name], strict=False):  # without indices, the first channel
            flat = flat * size + (index or 0)
        named = {entry["index"].value: entry for entry in array if "index" in entry}
        result = named.get(flat)
        if result is None:
            raise error_at(op, f"uses channel {flat} of @{op.opview.chan_name}, and metadataArray has {sorted(named)}")
        return result


def _may_be(first: tuple[int | None, ...], second: tuple[int | None, ...]) -> bool:
    """Whether both can be the indices of one channel; None is an unknown index, such as a core's id."""
    return len(first) == len(second) and all(a is None or b is None or a == b for a, b in zip(first, second, strict=True))


class MemcpyBuilder:
    """Builds `airrt.dma_memcpy_nd` in one function, its constants at the front; `mapped` gives new values for old."""

    def __init__(self, function_block: ir.Block, channels: Channels, mapped: Callable[[ir.Value], ir.Value]) -> None:
        self.front, self.channels, self.mapped = function_block, channels, mapped
        self.constants: dict[tuple[int, str], Any] = {}

    def constant(self, value: int, type_: str = "i64") -> Any:
        """A constant at the front of the function, one for each number."""
        key = (value, type_)
        if key not in self.constants:
            result = ir.Type.parse(type_)
            ip, loc = ir.InsertionPoint.at_block_begin(self.front), ir.Location.unknown()
            self.constants[key] = arith.constant(result, value, ip=ip, loc=loc)
        return self.constants[key]

    def as_i64(self, value: ir.Value) -> ir.OpResult:
        """An index as i64."""
        constant = number_of(value)
        if constant is not None:
            return self.constant(constant)
        return arith.index_cast(ir.IntegerType.get_signless(64), value)

    def build(self, op: AnyOp, side: HostSide, place: tuple[ir.Value, ...] = ()) -> Any:
        """Builds the transfer and returns its event; None if it is in loops of its own. `place` is the core of a core's DMA."""
        _check_padding(op)
        indices = tuple(number_of(self.mapped(i)) for i in op.opview.indices) if op.name != "air.dma_memcpy_nd" else ()
        attributes: dict[str, ir.Attribute] = {n: op.attributes[n] for n in MARKS if n in op.attributes}
        if op.name != "air.dma_memcpy_nd":
            attributes["chan_name"] = ir.FlatSymbolRefAttr.get(op.opview.chan_name)
        metadata = self.channels.metadata_of(op, indices)
        if metadata is not None:
            attributes["metadata"] = ir.FlatSymbolRefAttr.get(metadata)
        header = self.channels.header_of(op, indices)
        if header is not None:
            attributes["packet"] = header
        number = self.channels.id_of(op, indices)
        x, y = self.head(number, place)
        offsets, sizes, strides = self.lists(op, side)
        extra = len(sizes) - RANK

        def transfer(offsets: list[ir.Value]) -> Any:
            four = [*offsets[-RANK:], *sizes[-RANK:], *strides[-RANK:]]
            names = [f"{kind}{i}" for kind in ("offset", "length", "stride") for i in (3, 2, 1, 0)]
            return DmaMemcpyNdOp(
                id=self.constant(number, "i32"),
                x=x,
                y=y,
                memref=self.mapped(side.memref),
                **dict(zip(names, four, strict=True)),
                event=True,
                attributes=attributes,
            ).event

        return transfer(offsets) if extra <= 0 else self.looped(op, extra, offsets, sizes, strides, transfer)

    def head(self, number: int, place: tuple[ir.Value, ...]) -> tuple[Any, Any]:
        """Column and row of transfer `number`."""
        x, y = (*[self.as_i64(p) for p in place], self.constant(0), self.constant(0))[:2]
        return x, y

    def looped(
        self,
        op: AnyOp,
        extra: int,
        offsets: list[Any],
        sizes: list[Any],
        strides: list[Any],
        transfer: Callable[[list[ir.Value]], object],
    ) -> None:
        """Builds loops over the outermost `extra` dimensions, whose part of the address is added to the innermost offset."""
        if number_of(strides[-1]) != 1:
            raise error_at(
                op,
                f"has {counted(len(sizes), 'dimension')} and innermost stride {number_of(strides[-1])}; "
                f"expected at most 4, or 1",
            )
        position = offsets[-1]
        with ExitStack() as points:
            for axis in range(extra):
                size = number_of(sizes[axis])
                if size is None:
                    raise error_at(
                        op,
                        f"has {counted(len(sizes), 'dimension')}, and outer ones of a size that is not "
                        f"constant; expected at most 4",
                    )
                loop = affine_for(constant(0), constant(size), 1)
                points.enter_context(ir.InsertionPoint.at_block_terminator(body_of(loop)))
                steps = self.add(offsets[axis], self.as_i64(body_of(loop).arguments[0]))
                product = arith.MulIOp(steps, strides[axis]).result
                position = self.add(position, product)
            transfer([*offsets[:-1], position])

    def add(self, a: ir.OpResult, b: ir.Value) -> Any:
        return arith.AddIOp(a, b).result

    def lists(self, op: AnyOp, side: HostSide) -> tuple[list[Any], list[Any], list[Any]]:
        """Offsets, sizes and strides as i64, at least four of each. If there are more than four, dimensions are merged and
        unit dimensions dropped."""
        if not side.sizes:
            return self.whole(op, side)
        offsets, sizes, strides = ([self.as_i64(self.mapped(v)) for v in vs] for vs in (side.offsets, side.sizes, side.strides))
        rows = list(zip(aligned(offsets, len(sizes), self.constant(0)), sizes, strides, strict=True))
        for row in [r for r in rows[:-1] if number_of(r[1]) == 1 and number_of(r[0]) == 0]:
            if len(rows) > RANK:
                rows.remove(row)
        self.merge(rows)
        self.fold(rows)
        fill = (self.constant(0), self.constant(1), self.constant(0))
        rows = [fill] * (RANK - len(rows)) + rows
        return tuple([list(column) for column in zip(*rows, strict=True)])  # type: ignore[return-value]

    def merge(self, rows: list[tuple[Any, Any, Any]]) -> None:
        """Merges contiguous pairs of dimensions (offset, size, stride), innermost first, while there are more than four."""
        row = len(rows) - 2
        while row >= 0 and len(rows) > RANK:
            (offset, size, stride), (start, inner, step) = rows[row : row + 2]
            numbers = [number_of(v) for v in (size, stride, inner, step)]
            if None not in numbers and numbers[1] == numbers[2] * numbers[3]:  # type: ignore[operator]
                if number_of(offset) != 0:
                    start = self.add(arith.muli(offset, inner), start)
                rows[row : row + 2] = [(start, self.constant(numbers[0] * numbers[2]), step)]  # type: ignore[operator]
            row -= 1

    def fold(self, rows: list[tuple[Any, Any, Any]]) -> None:
        """Drops dimensions of size 1 while there are more than four; their offsets are added to the innermost one, in
        elements."""
        for row in [r for r in rows[:-1] if number_of(r[1]) == 1]:
            (offset, _, stride), (start, size, step) = row, rows[-1]
            if len(rows) > RANK and number_of(step) == 1:
                product = arith.MulIOp(offset, stride).result
                rows[-1] = (self.add(start, product), size, step)
                rows.remove(row)

    def whole(self, op: AnyOp, side: HostSide) -> tuple[list[ir.OpResult], list[ir.OpResult], list[ir.OpResult]]:
        """The access lists of a whole buffer."""
        offsets, sizes, steps = self.numbers_of_whole(op, side)
        return [self.constant(n) for n in offsets], [self.constant(n) for n in sizes], [self.constant(n) for n in steps]

    def numbers_of_whole(self, op: AnyOp, side: HostSide) -> tuple[list[int], list[int], list[int]]:
        """The access lists of a whole buffer, as numbers."""
        type_ = side.memref.type
        strides, _ = type_.get_strides_and_offset()
        dims = list(zip(type_.shape, strides, strict=True))
        if is_contiguous(dims):
            dims = [(volume(dims), 1)]
        if not type_.has_static_shape or _DYNAMIC in strides or len(dims) > RANK:
            raise error_at(op, f"moves all of a {type_}, whose extent is not known; give offsets, sizes and strides")
        sizes, steps = zip(*[(1, 0)] * (RANK - len(dims)), *dims, strict=True)
        return [0] * RANK, list(sizes), list(steps)


def _check_padding(op: AnyOp) -> None:
    for name in ("pad_before", "pad_after"):
        if name in op.attributes and any(op.attributes[name]):
            raise error_at(
                op, f"has {name} = {list(op.attributes[name])}; a shim DMA does not pad: pad in the memtile or on the host"
            )
