"""Interprets the body of a herd or segment with compile-time values; subclasses handle the remaining operations."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.access.dims import start_of
from allo_air.core.control_flow import Walker
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects.air import ChannelGetOp, ChannelPutOp
from allo_air.dialects.air_values import is_token
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.to_aie._walks import Walk

TRANSFERS = (ChannelPutOp.OPERATION_NAME, ChannelGetOp.OPERATION_NAME)
CONDITIONS = ("air.affine_if", "affine.if", "scf.if", "scf.index_switch")
MAX_UNROLLED = 4096


class Interpreter(Walker):
    """Walks blocks in order: folds numbers, decides conditions, inlines `air.execute`, drops tokens. Program order is one of
    the orders that the tokens allow; the locks, which are derived from the accesses, decide which operations overlap at run
    time. A loop is unrolled if a transfer in it depends on the iteration.
    """

    CONTROL = {**dict.fromkeys(("scf.for", "scf.parallel"), "loop"), **dict.fromkeys(CONDITIONS, "branch")}
    where = "a tile's program"

    def __init__(self, numbers: dict[ir.Value, int]):
        super().__init__(numbers)
        self._unrolled = 0
        self._varying: dict[Any, bool] = {}

    # Hooks for subclasses.

    def transfer(self, op: ir.Operation) -> None:
        """A put or get."""
        raise NotImplementedError

    def keep(self, loop: Loop) -> None:
        """A loop that is not unrolled: `scf.for`, or `scf.parallel`, whose iterations run one after another."""
        raise NotImplementedError

    def other(self, op: ir.Operation) -> None:
        """Any other operation."""
        raise NotImplementedError

    def undecided(self, op: ir.Operation, why: str) -> None:
        message = "on a value that is not known at compile time"
        raise error_at(op, f"decides in {self.where} {message}; decide which value is sent, and send it either way")

    # The walk.

    def operation(self, op: ir.Operation) -> None:
        name = op.name
        if name in TRANSFERS:
            if name == ChannelPutOp.OPERATION_NAME and op.opview.dest is not None:
                raise error_at(
                    op, "chooses its destination at run time; run air-annotate-packet-ids, which writes the packet's header"
                )
            self.transfer(op.opview)
        elif name == "air.execute":
            self.assign(list(op.results)[1:], self.run(op.regions[0].blocks[0]))
        elif name == "air.dma_memcpy_nd":
            raise error_at(op, "is not in channel form; run air-dma-to-channel before air-to-aie")
        elif name != "air.wait_all":
            self.other(op)

    def loop(self, op: ir.Operation) -> None:
        loop = Loop(op)
        if op not in self._varying:
            self._varying[op] = varying(op)
        if not self._varying[op]:
            self.keep(loop)
            return
        dims = loop.dims(self.number)
        if dims is None:
            raise error_at(op, "holds a transfer that differs by iteration, so it is unrolled, but its bounds are not constant")
        total = prod(dim.trips for dim in dims)
        self._unrolled += total
        if self._unrolled > MAX_UNROLLED:
            raise error_at(
                op,
                f"holds a transfer that differs by iteration, and has "
                f"{counted(total, 'iteration')} to unroll; at most {MAX_UNROLLED} are "
                "unrolled: fold the loop into the access list (air-specialize-channel-wrap-and-stride)",
            )
        (self.rounds if op.name == "scf.for" else self.parallel)(loop, dims)

    def walk_of(self, op: ir.OpView, memref: ir.Value, buffer_type: ir.MemRefType) -> Walk:
        """The access pattern of a put or get in its buffer, of type `buffer_type`; `memref` is the buffer or a view of it."""
        kind = memref.type
        try:
            strides, start = kind.get_strides_and_offset()
        except RuntimeError:
            raise error_at(op, f"moves through the view {kind}, whose layout is not strided") from None
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        if start == dynamic or dynamic in strides or not kind.has_static_shape or not buffer_type.has_static_shape:
            raise error_at(op, f"moves through {kind}; a tile's DMA needs a static shape and layout (run canonicalize)")
        lists = self._lists(op)
        if lists[1]:
            offsets, sizes, strides = lists
            start += start_of(offsets, strides)
        else:
            sizes = list(kind.shape)
        element = buffer_type.element_type
        bits = element_bits(buffer_type, index=0)
        if not bits or bits % 8:
            raise error_at(op, f"moves elements of type {element}; a DMA moves integers and floats of whole bytes")
        return Walk(start, tuple(zip(sizes, strides, strict=True)), prod(buffer_type.shape), bits, _pads(op, len(sizes)))

    def _lists(self, op: AnyOp) -> list[list[int]]:
        side = "src" if isinstance(op, ChannelPutOp) else "dst"
        lists = []
        for name in ("offsets", "sizes", "strides"):
            numbers = [self.number(v) for v in getattr(op, f"{side}_{name}")]
            if any(n is None for n in numbers):
                text = f"has {name} that are not constant; the BDs of {self.where} are fixed when the device is configured"
                raise error_at(op, text + (_ONE_SIZE if name == "sizes" else ""))
            lists.append([n for n in numbers if n is not None])
        if len(lists[1]) != len(lists[2]) or len(lists[0]) > len(lists[1]):
            raise error_at(
                op,
                f"has {counted(len(lists[0]), 'offset')}, {counted(len(lists[1]), 'size')} and "
                f"{counted(len(lists[2]), 'stride')}",
            )
        return lists


_ONE_SIZE = (
    "; where the last block is smaller, give all blocks one size, and the launch air.actual_sizes: "
    "air-split-launch-for-padding pads those that overhang"
)


def _pads(op: AnyOp, rank: int) -> tuple[tuple[int, int], ...]:
    """The zeros before and after each of `rank` dimensions; empty without padding."""
    attributes = [
        list(op.operation.attributes[n]) if n in op.operation.attributes else [0] * rank for n in ("pad_before", "pad_after")
    ]
    if not any(map(any, attributes)):
        return ()
    if any(len(p) != rank for p in attributes):
        raise error_at(op, f"pads {len(attributes[0])} and {counted(len(attributes[1]), 'dimension')} of {rank} that it moves")
    return tuple(zip(*attributes, strict=True))


def varying(loop: Any) -> bool:
    """Whether the transfers in `loop`, or their access patterns, depend on the iteration or on loop-carried values."""
    if not walk_named(loop, *TRANSFERS):
        return False
    derived = {a for a in loop.regions[0].blocks[0].arguments if not is_token(a)}
    for op in walk_pre_order(loop)[1:]:
        if not any(v in derived for v in op.operands):
            continue
        if op.name in TRANSFERS or (op.name in CONDITIONS and walk_named(op, *TRANSFERS)):
            return True
        results = [*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)]
        if op.name == "air.execute_terminator":
            results += op.parent.operation.results
        derived.update(v for v in results if not is_token(v))
    return False
