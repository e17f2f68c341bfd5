"""The AIR dialect: launches, segments and herds, DMA copies, channels, asynchronous execution and its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allo_air.dialects._fields import ANY, INDEX, MEMREF, TOKEN, UNIVERSE, attr, operand, region, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._kinds import ANY_ATTR, I32S, I64, INTS, STRING, SYM_NAME, SYMBOL
from allo_air.dialects._op import Op
from allo_air.mlir import ir

if TYPE_CHECKING:
    from typing_extensions import Self

    from allo_air.asm.state import State

AIR = Dialect("air", types={"async.token": 0, "universe": 0}, attributes={"symmetric_heap": 0})

CHANNEL_TYPES = ("dma_stream", "dma_packet", "cascade", "mmio", "gpu_symmetric_heap")
"""Channel types as this project prints them; the spelling with `npu_` before the first four is read as the same."""

L3, L2, L1 = 0, 1, 2
"""Memory spaces of memrefs: external memory, memtile, core."""


def literal_lists(assembly: str) -> dict[str, str]:
    """The two states of an operation that accesses buffers: since July 2026 constants in the lists are literals."""
    return {"2026-03": assembly, "2026-08": assembly.replace("access(", "literal_access(")}


class AsyncOp(Op):
    """An operation that waits for `deps`; with `token` it returns at once, and the token represents its completion."""

    deps = operand(TOKEN, "variadic")
    token = result(TOKEN, "optional")


class HierarchyOp(AsyncOp):
    """A grid of instances of `body`, whose block arguments are the ids, the sizes and the captured values.

    In memory the body ends in the dialect's own terminator; the custom form leaves it out.
    """

    sizes = operand(INDEX, "variadic")
    args = operand(ANY, "variadic", slots=64)
    sym_name = attr(SYM_NAME, optional=True)
    body = region()
    terminator: ClassVar[str]
    traits = ("isolated",)

    @property
    def block(self) -> Any:
        """The body's only block."""
        return self.regions[0].blocks[0]

    @property
    def ids(self) -> list[Any]:
        """The block arguments with the ids of the instance."""
        return list(self.block.arguments)[: len(self.sizes)]

    @property
    def size_args(self) -> list[ir.BlockArgument]:
        """The block arguments that hold the grid's sizes."""
        rank = len(self.sizes)
        return list(self.block.arguments)[rank : 2 * rank]

    @property
    def body_args(self) -> list[Any]:
        """The block arguments that represent `args` in the body."""
        return list(self.block.arguments)[2 * len(self.sizes) :]

    @classmethod
    def build(
        cls,
        sizes: list[ir.Value],
        args: list[ir.Value],
        *,
        deps: list[ir.Value] | None = None,
        token: bool = False,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
        **fields: str | dict[str, ir.Attribute] | None,
    ) -> Self:
        """Builds the operation with its block (ids, sizes, args as arguments) and terminator; fill it before the terminator."""
        op = cls(deps=deps or [], sizes=sizes, args=args, token=token, loc=loc, ip=ip, **fields)
        index = ir.IndexType.get()
        types = [index] * (2 * len(sizes)) + [a.type for a in args]
        where = op.location
        block = op.regions[0].blocks.append(*types, arg_locs=[where] * len(types))
        ir.Operation.create(cls.terminator, ip=ir.InsertionPoint(block), loc=where)
        return op


class RankOp(HierarchyOp, name="air.rank"):
    """One instance for each device of a multi-device universe."""

    universe = operand(UNIVERSE, "optional")
    leading = ("deps", "universe")
    assembly = "hierarchy()"
    terminator = "air.rank_terminator"


class LaunchOp(HierarchyOp, name="air.launch"):
    """A grid of independent invocations of the hardware, dispatched by the host."""

    assembly = "hierarchy()"
    terminator = "air.launch_terminator"


class SegmentOp(HierarchyOp, name="air.segment"):
    """A contiguous part of the array: herds and L2 buffers that exist at the same time."""

    assembly = "hierarchy(unroll)"
    terminator = "air.segment_terminator"


class HerdOp(HierarchyOp, name="air.herd"):
    """A grid of cores that run the same body with different ids."""

    link_with = attr(STRING, optional=True)
    assembly = "hierarchy(tile)"
    terminator = "air.herd_terminator"


class RankTerminatorOp(Op, name="air.rank_terminator"):
    """Ends an `air.rank` body."""

    traits = ("terminator",)
    parents = ("air.rank",)
    assembly = "attr-dict"


class LaunchTerminatorOp(Op, name="air.launch_terminator"):
    """Ends an `air.launch` body."""

    traits = ("terminator",)
    parents = ("air.launch",)
    assembly = "attr-dict"


class SegmentTerminatorOp(Op, name="air.segment_terminator"):
    """Ends an `air.segment` body."""

    traits = ("terminator",)
    parents = ("air.segment",)
    assembly = "attr-dict"


class HerdTerminatorOp(Op, name="air.herd_terminator"):
    """Ends an `air.herd` body."""

    traits = ("terminator",)
    parents = ("air.herd",)
    assembly = "attr-dict"


class DmaMemcpyNdOp(AsyncOp, name="air.dma_memcpy_nd"):
    """Copies from `src` to `dst`, each accessed by its offsets, sizes and strides (in elements; empty: the whole buffer)."""

    dst = operand(MEMREF)
    dst_offsets = operand(INDEX, "variadic")
    dst_sizes = operand(INDEX, "variadic")
    dst_strides = operand(INDEX, "variadic")
    src = operand(MEMREF)
    src_offsets = operand(INDEX, "variadic")
    src_sizes = operand(INDEX, "variadic")
    src_strides = operand(INDEX, "variadic")
    pad_before = attr(I32S, optional=True)
    pad_after = attr(I32S, optional=True)
    src_rank = attr(I64, optional=True)
    dst_rank = attr(I64, optional=True)
    assembly = literal_lists(
        "async `(` access($dst, $dst_offsets, $dst_sizes, $dst_strides) `,`"
        " access($src, $src_offsets, $src_sizes, $src_strides) `)` attr-dict `:` `(` type($dst) `,` type($src) `)`"
    )


class ChannelOp(Op, name="air.channel"):
    """A bundle of `size` FIFO channels; with a `broadcast_shape`, several gets receive one put."""

    sym_name = attr(SYM_NAME)
    size = attr(INTS, default=list[int]())
    channel_type = attr(STRING, default="dma_stream")
    assembly = {"2026-03": "$sym_name $size attr-dict", "2026-08": "$sym_name $size channel_dict()"}


class ChannelPutOp(AsyncOp, name="air.channel.put"):
    """Sends the elements of `src` that its access pattern selects into one channel of the bundle.

    `dest` chooses the destination at run time, by the packet header that the kernel writes.
    """

    indices = operand(INDEX, "variadic")
    src = operand(MEMREF)
    src_offsets = operand(INDEX, "variadic")
    src_sizes = operand(INDEX, "variadic")
    src_strides = operand(INDEX, "variadic")
    dest = operand(INDEX, "optional")
    chan_name = attr(SYMBOL)
    pad_before = attr(I32S, optional=True)
    pad_after = attr(I32S, optional=True)
    assembly = literal_lists(
        "async $chan_name list($indices) `(` access($src, $src_offsets, $src_sizes, $src_strides) `)`"
        " (`dest(` $dest^ `)`)? attr-dict `:` `(` type($src) `)`"
    )


class ChannelGetOp(AsyncOp, name="air.channel.get"):
    """Receives from one channel of the bundle into the elements of `dst` that its access pattern selects."""

    indices = operand(INDEX, "variadic")
    dst = operand(MEMREF)
    dst_offsets = operand(INDEX, "variadic")
    dst_sizes = operand(INDEX, "variadic")
    dst_strides = operand(INDEX, "variadic")
    chan_name = attr(SYMBOL)
    pad_before = attr(I32S, optional=True)
    pad_after = attr(I32S, optional=True)
    assembly = literal_lists(
        "async $chan_name list($indices) `(` access($dst, $dst_offsets, $dst_sizes, $dst_strides) `)`"
        " attr-dict `:` `(` type($dst) `)`"
    )


class ExecuteOp(Op, name="air.execute"):
    """Runs `body` after `deps`. `token` represents its completion, `values` are the yielded values. Not isolated from above."""

    deps = operand(TOKEN, "variadic")
    token = result(TOKEN)
    values = result(ANY, "variadic")
    body = region()
    terminator = "air.execute_terminator"
    assembly = "deps (`->` `(` type($values)^ `)`)? $body attr-dict"

    @staticmethod
    def result_names(_: State) -> list[str]:
        return ["async_token", "results"]


class ExecuteTerminatorOp(Op, name="air.execute_terminator"):
    """Ends an `air.execute` body and yields its values."""

    values = operand(ANY, "variadic")
    traits = ("terminator",)
    parents = ("air.execute",)
    assembly = "attr-dict ($values^ `:` type($values))?"


class WaitAllOp(AsyncOp, name="air.wait_all"):
    """Waits for all of `deps`, or, asynchronous, joins them into one token."""

    assembly = "async attr-dict"


class CustomOp(AsyncOp, name="air.custom"):
    """An opaque step with a latency of its own, for performance models."""

    args = operand(ANY, "variadic")
    symbol = attr(SYMBOL, optional=True)
    assembly = "($symbol^)? async (`operands` `(` $args^ `)` `:` type($args))? attr-dict-with-keyword"


class UniverseAllocOp(Op, name="air.universe.alloc"):
    """A universe of `capacity` devices."""

    capacity = operand(INDEX)
    universe = result(UNIVERSE)
    traits = ("pure",)
    assembly = "`(` $capacity `)` attr-dict with_type()"


class TranslateOp(Op, name="air.translate"):
    """The address of `memref` as device `to` of a symmetric heap sees it."""

    memref = operand(MEMREF)
    source = operand(INDEX)
    target = operand(INDEX)
    heap_bases = operand(MEMREF)
    translated = result(MEMREF)
    traits = ("pure",)
    assembly = "$memref `,` $source `,` $target `,` $heap_bases attr-dict `:` type($memref, $translated) `,` type($heap_bases)"


class IfOp(Op, name="air.affine_if"):
    """`affine.if` inside a hierarchy; the text shows `affine.if`.

    Hierarchies are affine scopes, which the bindings cannot declare for a Python-defined operation, so the real `affine.if`
    on herd ids would not verify in memory.
    """

    args = operand(INDEX, "variadic")
    values = result(ANY, "variadic")
    condition = attr(ANY_ATTR)
    dims = attr(I64, default=0)
    then_region = region()
    else_region = region()
    terminator = "air.affine_yield"
    assembly = "affine_if()"


class YieldOp(Op, name="air.affine_yield"):
    """Ends a branch of `air.affine_if`; the text shows `affine.yield`."""

    values = operand(ANY, "variadic")
    traits = ("terminator",)
    parents = ("air.affine_if",)
    assembly = "affine_yield()"
