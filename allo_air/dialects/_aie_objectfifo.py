"""AIE's objectFifo family: typed FIFOs of buffers between tiles, before they become buffers, locks and DMA programs."""

from __future__ import annotations

from allo_air.dialects._enums import BD_DIMS, BD_DIMS_LIST, PORT
from allo_air.dialects._fields import ANY, INDEX, MEMREF, SUBVIEW, attr, operand, result
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I32, I32S, INTS, SYM_NAME, SYMBOL, TYPE
from allo_air.dialects._op import Op


class ObjectFifoOp(Op, name="aie.objectfifo"):
    """A FIFO of `elemNumber` objects from `producerTile` to each of `consumerTiles`.

    With `consumerElemType`, consumers get smaller objects. `prod_dma_channel` and `cons_dma_channels` (-1: any) pin channels,
    `padValue` is the word that padding consists of, and `aie_stream` names the end (0 producer, 1 consumers) that is a core's
    stream port instead of buffers.
    """

    producerTile = operand(INDEX)
    consumerTiles = operand(INDEX, "variadic")
    sym_name = attr(SYM_NAME)
    elemNumber = attr(ANY_ATTR)
    elemType = attr(TYPE)
    dimensionsToStream = attr(BD_DIMS)
    dimensionsFromStreamPerConsumer = attr(BD_DIMS_LIST)
    via_DMA = attr(BOOL, default=False)
    plio = attr(BOOL, default=False)
    padDimensions = attr(ANY_ATTR, optional=True)
    disable_synchronization = attr(BOOL, default=False)
    via_shared_mem = attr(I32, optional=True)
    memtile_repeat_count = attr(I32, optional=True)
    repeat_count = attr(I32, optional=True)
    iter_count = attr(I32, optional=True)
    bd_chain_iter_count = attr(I32, optional=True)
    initValues = attr(ANY_ATTR, optional=True)
    consumerElemType = attr(TYPE, optional=True)
    padValue = attr(I32, optional=True)
    prod_dma_channel = attr(I32, optional=True)
    cons_dma_channels = attr(I32S, optional=True)
    aie_stream = attr(I32, optional=True)
    aie_stream_port = attr(I32, optional=True)
    parents = ("aie.device",)
    assembly = "objectfifo()"

    @property
    def iterations(self) -> int | None:
        """The number of times that a memtile's BD chain runs, or None if it runs forever. `bd_chain_iter_count` is
        another name of it.
        """
        return self.bd_chain_iter_count if self.iter_count is None else self.iter_count


class ObjectFifoLinkOp(Op, name="aie.objectfifo.link"):
    """Forwards, joins or splits objectFifos on a memtile."""

    fifoIns = attr(ANY_ATTR)
    fifoOuts = attr(ANY_ATTR)
    src_offsets = attr(INTS)
    dst_offsets = attr(INTS)
    parents = ("aie.device",)
    assembly = "objectfifo_link()"


class ObjectFifoAllocateOp(Op, name="aie.objectfifo.allocate"):
    """Places an objectFifo's buffers on tile `delegate`."""

    delegate = operand(INDEX)
    objFifo_name = attr(SYMBOL)
    parents = ("aie.device",)
    assembly = "$objFifo_name `(` $delegate `)` attr-dict"


class ObjectFifoRearmBindingOp(Op, name="aie.objectfifo_rearm_binding"):
    """The steps of a runtime sequence to run an objectFifo again: channels to reset, locks to set, and BDs to queue.

    `channels` are the tiles of the channels; attributes have their directions and numbers. `lock_inits` are the counts of
    `locks`. `head_bd_ids` and `repeat_counts`, one for each channel, are filled when BDs get their numbers.
    """

    channels = operand(INDEX, "variadic")
    locks = operand(INDEX, "variadic")
    sym_name = attr(SYM_NAME)
    channel_dirs = attr(I32S)
    channel_indices = attr(I32S)
    lock_inits = attr(I32S)
    head_bd_ids = attr(I32S, optional=True)
    repeat_counts = attr(I32S, optional=True)
    parents = ("aie.device",)
    assembly = (
        "$sym_name `channels` `(` ($channels^ `:` type($channels))? `)` `locks` `(` ($locks^ `:` type($locks))? `)` attr-dict"
    )


class ObjectFifoRegisterExternalBuffersOp(Op, name="aie.objectfifo.register_external_buffers"):
    """Gives external buffers to the shim side of an objectFifo."""

    tile = operand(INDEX)
    externalBuffers = operand(MEMREF, "variadic")
    objFifo_name = attr(SYMBOL)
    parents = ("aie.device",)
    assembly = "$objFifo_name `(` $tile `,` `{` $externalBuffers `}` `)` attr-dict `:` `(` type($externalBuffers) `)`"


class ObjectFifoRegisterProcessOp(Op, name="aie.objectfifo.register_process"):
    """A function that runs with a static pattern of acquires and releases."""

    acquirePattern = operand(ANY)
    releasePattern = operand(ANY)
    length = operand(INDEX)
    objFifo_name = attr(SYMBOL)
    port = attr(PORT)
    callee = attr(SYMBOL)
    parents = ("aie.device",)
    assembly = (
        "$objFifo_name `(` $port `,` $acquirePattern `:` type($acquirePattern) `,` $releasePattern `:` type($releasePattern)"
        " `,` $callee `,` $length `)` attr-dict"
    )


class ObjectFifoAcquireOp(Op, name="aie.objectfifo.acquire"):
    """Acquires `size` objects at an end of a FIFO."""

    subview = result(SUBVIEW)
    objFifo_name = attr(SYMBOL)
    port = attr(PORT)
    size = attr(I32)
    assembly = "$objFifo_name `(` $port `,` $size `)` attr-dict `:` type($subview)"


class ObjectFifoReleaseOp(Op, name="aie.objectfifo.release"):
    """Releases `size` objects at an end of a FIFO."""

    objFifo_name = attr(SYMBOL)
    port = attr(PORT)
    size = attr(I32)
    assembly = "$objFifo_name `(` $port `,` $size `)` attr-dict"


class ObjectFifoSubviewAccessOp(Op, name="aie.objectfifo.subview.access"):
    """The buffer of one acquired object."""

    subview = operand(SUBVIEW)
    index = attr(I32)
    output = result(MEMREF)
    assembly = "$subview `[` $index `]` attr-dict `:` type($subview) `->` type($output)"
