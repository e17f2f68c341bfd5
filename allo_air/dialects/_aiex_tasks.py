"""AIEX operations for DMA tasks, tokens and multicast, before they are lowered to register writes."""

from __future__ import annotations

from allo_air.dialects._enums import BUNDLE, DMA_DIR, LOCK_ACTION, PACKET
from allo_air.dialects._fields import ANY, INDEX, MEMREF, attr, operand, region, result
from allo_air.dialects._fields import I32 as VALUE
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I8, I32, SYMBOL
from allo_air.dialects._op import Op

_VALUES = (
    "(`repeat` $repeat_count_operand^ `:` type($repeat_count_operand))? (`bd_id` $bd_id_operand^ `:` type($bd_id_operand))?"
)


class DMAConfigureTaskOp(Op, name="aiex.dma_configure_task"):
    """A chain of BDs for a channel of `tile`."""

    tile = operand(INDEX)
    repeat_count_operand = operand(VALUE, "optional")
    bd_id_operand = operand(VALUE, "optional")
    direction = attr(DMA_DIR)
    channel = attr(I32)
    issue_token = attr(BOOL, optional=True)
    repeat_count = attr(I32, optional=True)
    bd_id = attr(I32, optional=True)
    packet = attr(PACKET, optional=True)
    body = region()
    task = result(INDEX)
    assembly = "`(` $tile `,` $direction `,` $channel (`,` $packet^)? `)` " + _VALUES + " $body attr-dict"


class DMAConfigureTaskForOp(Op, name="aiex.dma_configure_task_for"):
    """A chain of BDs for the channel of a shim DMA allocation."""

    repeat_count_operand = operand(VALUE, "optional")
    bd_id_operand = operand(VALUE, "optional")
    alloc = attr(SYMBOL)
    issue_token = attr(BOOL, optional=True)
    repeat_count = attr(I32, optional=True)
    bd_id = attr(I32, optional=True)
    body = region()
    task = result(INDEX)
    assembly = "$alloc " + _VALUES + " $body attr-dict"


class DMAStartTaskOp(Op, name="aiex.dma_start_task"):
    """Queues a task."""

    task = operand(INDEX)
    assembly = "`(` $task `)` attr-dict"


class DMAAwaitTaskOp(Op, name="aiex.dma_await_task"):
    """Waits for a task and frees its BDs."""

    task = operand(INDEX)
    assembly = "`(` $task `)` attr-dict"


class DMAFreeTaskOp(Op, name="aiex.dma_free_task"):
    """Frees a task's BDs."""

    task = operand(INDEX)
    assembly = "`(` $task `)` attr-dict"


class DMAStartBdChainOp(Op, name="aiex.dma_start_bd_chain"):
    """Starts a chain of `aie.bd_chain` on a channel of `tile`."""

    args = operand(ANY, "variadic")
    tile = operand(INDEX)
    symbol = attr(SYMBOL)
    direction = attr(DMA_DIR)
    channel = attr(I32)
    issue_token = attr(BOOL, optional=True)
    repeat_count = attr(I32, optional=True)
    task = result(INDEX)
    assembly = "$symbol `(` ($args^)? `)` `:` `(` (type($args)^)? `)` `on` `(` $tile `,` $direction `,` $channel `)` attr-dict"


class DMAStartBdChainForOp(Op, name="aiex.dma_start_bd_chain_for"):
    """Starts a chain of `aie.bd_chain` on the channel of a shim DMA allocation."""

    args = operand(ANY, "variadic")
    symbol = attr(SYMBOL)
    alloc = attr(SYMBOL)
    issue_token = attr(BOOL, optional=True)
    repeat_count = attr(I32, optional=True)
    task = result(INDEX)
    assembly = "$symbol `(` ($args^)? `)` `:` `(` (type($args)^)? `)` `for` $alloc attr-dict"


class ConfigureOp(Op, name="aiex.configure"):
    """Configures a device and runs its sequences."""

    symbol = attr(SYMBOL)
    expand_mode = attr(ANY_ATTR, optional=True)
    body = region()
    traits = ("no_terminator",)
    assembly = "$symbol $body attr-dict"


class RunOp(Op, name="aiex.run"):
    """Runs a runtime sequence of the configured device."""

    args = operand(ANY, "variadic")
    runtime_sequence_symbol = attr(SYMBOL)
    assembly = "$runtime_sequence_symbol `(` ($args^)? `)` `:` `(` (type($args)^)? `)` attr-dict"


class SetLockOp(Op, name="aiex.set_lock"):
    """Sets a lock's value from the runtime sequence, to a constant or a run-time value."""

    lock = operand(INDEX)
    value_operand = operand(VALUE, "optional")
    value = attr(I32, optional=True)
    assembly = "`(` $lock lock_value() `)` attr-dict"


class TokenOp(Op, name="aiex.token"):
    """A logical token."""

    value = attr(I32)
    assembly = "`(` $value `)` attr-dict"


class UseTokenOp(Op, name="aiex.useToken"):
    """Acquires or releases a logical token."""

    tokenName = attr(SYMBOL)
    value = attr(I32)
    action = attr(LOCK_ACTION)
    assembly = "$tokenName `(` $action `,` $value `)` attr-dict"


class MemcpyOp(Op, name="aiex.memcpy"):
    """A copy between the buffers of two tiles, guarded by a logical token."""

    srcTile = operand(INDEX)
    srcBuf = operand(MEMREF)
    dstTile = operand(INDEX)
    dstBuf = operand(MEMREF)
    tokenName = attr(SYMBOL)
    acqValue = attr(I32)
    relValue = attr(I32)
    srcOffset = attr(I32)
    srcLen = attr(I32)
    dstOffset = attr(I32)
    dstLen = attr(I32)
    assembly = (
        "$tokenName `(` $acqValue `,` $relValue `)` `(` $srcTile `:` `<` $srcBuf `,` $srcOffset `,` $srcLen `>` `,`"
        " $dstTile `:` `<` $dstBuf `,` $dstOffset `,` $dstLen `>` `)` attr-dict `:` `(` type($srcBuf) `,` type($dstBuf) `)`"
    )


class _PortsOp(Op):
    tile = operand(INDEX)
    bundle = attr(BUNDLE)
    channel = attr(I32)


class MulticastOp(_PortsOp, name="aiex.multicast"):
    """A circuit-switched stream from one port to several."""

    ports = region()
    terminator = "aie.end"
    assembly = "`(` $tile `,` $bundle `:` $channel `)` $ports attr-dict"


class MultiDestOp(_PortsOp, name="aiex.multi_dest"):
    """A destination of a multicast."""

    parents = ("aiex.multicast",)
    assembly = "`<` $tile `,` $bundle `:` $channel `>` attr-dict"


class BroadcastPacketOp(_PortsOp, name="aiex.broadcast_packet"):
    """Packet streams from one port, each id to several."""

    ports = region()
    terminator = "aie.end"
    assembly = "`(` $tile `,` $bundle `:` $channel `)` $ports attr-dict"


class BPIDOp(Op, name="aiex.bp_id"):
    """The destinations of one packet id."""

    ID = attr(I8)
    ports = region()
    terminator = "aie.end"
    parents = ("aiex.broadcast_packet",)
    assembly = "`(` $ID `)` $ports attr-dict"


class BPDestOp(_PortsOp, name="aiex.bp_dest"):
    """A destination of a packet id."""

    parents = ("aiex.bp_id",)
    assembly = "`<` $tile `,` $bundle `:` $channel `>` attr-dict"
