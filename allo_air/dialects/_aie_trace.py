"""AIE's trace configuration: the traced events of a tile, start and stop, and the destination of the packets."""

from __future__ import annotations

from allo_air.dialects._enums import BUNDLE, COMBO_LOGIC, DMA_DIR, EDGE_TRIGGER, TRACE_EVENT, TRACE_MODE, TRACE_PACKET
from allo_air.dialects._fields import INDEX, attr, operand, region
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I32, STRING, SYM_NAME, SYMBOL, UI32
from allo_air.dialects._op import Op


class TraceOp(Op, name="aie.trace"):
    """The trace unit of `tile`; `buffer_size`, in bytes, is from March's syntax: `aie.trace.host_config` has it today."""

    tile = operand(INDEX)
    sym_name = attr(SYM_NAME)
    buffer_size = attr(I32, optional=True)
    body = region()
    terminator = "aie.end"
    parents = ("aie.device",)
    assembly = {
        "2026-03": "$sym_name `(` $tile `)` (`buffer_size` `=` $buffer_size^)? $body attr-dict",
        "2026-08": "$sym_name `(` $tile `)` $body attr-dict",
    }


class TraceModeOp(Op, name="aie.trace.mode"):
    """The mode of a trace."""

    mode = attr(TRACE_MODE)
    parents = ("aie.trace",)
    assembly = "$mode attr-dict"


class TracePacketOp(Op, name="aie.trace.packet"):
    """The packet id and type of a trace."""

    id = attr(I32, optional=True)
    type = attr(TRACE_PACKET)
    parents = ("aie.trace",)
    assembly = "(`id` `=` $id^)? `type` `=` $type attr-dict"


class TraceEventOp(Op, name="aie.trace.event"):
    """An event that is traced."""

    event = attr(TRACE_EVENT)
    label = attr(STRING, optional=True)
    parents = ("aie.trace",)
    assembly = "$event (`label` `=` $label^)? attr-dict"


class TracePortOp(Op, name="aie.trace.port"):
    """The stream port that a port event observes."""

    slot = attr(I32)
    port = attr(BUNDLE)
    channel = attr(I32)
    direction = attr(DMA_DIR)
    parents = ("aie.trace",)
    assembly = "`<` $slot `>` `port` `=` $port `channel` `=` $channel `direction` `=` $direction attr-dict"


class TraceComboEventOp(Op, name="aie.trace.combo_event"):
    """An event that combines two."""

    slot = attr(I32)
    eventA = attr(TRACE_EVENT)
    logic = attr(COMBO_LOGIC)
    eventB = attr(TRACE_EVENT)
    parents = ("aie.trace",)
    assembly = "`<` $slot `>` $eventA $logic $eventB attr-dict"


class TraceEdgeEventOp(Op, name="aie.trace.edge_event"):
    """An event raised by the edges of another."""

    slot = attr(I32)
    event = attr(TRACE_EVENT)
    trigger = attr(EDGE_TRIGGER)
    parents = ("aie.trace",)
    assembly = "`<` $slot `>` `event` `=` $event `trigger` `=` $trigger attr-dict"


class TraceStartOp(Op, name="aie.trace.start"):
    """The start of the trace: a broadcast or an event."""

    broadcast = attr(I32, optional=True)
    event = attr(TRACE_EVENT, optional=True)
    parents = ("aie.trace",)
    assembly = "(`broadcast` `=` $broadcast^)? (`event` `=` $event^)? attr-dict"


class TraceStopOp(Op, name="aie.trace.stop"):
    """The end of the trace: a broadcast or an event."""

    broadcast = attr(I32, optional=True)
    event = attr(TRACE_EVENT, optional=True)
    parents = ("aie.trace",)
    assembly = "(`broadcast` `=` $broadcast^)? (`event` `=` $event^)? attr-dict"


class TraceStartConfigOp(Op, name="aie.trace.start_config"):
    """Programs a trace from the runtime sequence."""

    trace_config = attr(SYMBOL)
    assembly = "$trace_config attr-dict"


class TraceHostConfigOp(Op, name="aie.trace.host_config"):
    """The host's trace buffer of `buffer_size` bytes, written by the shim tile of column `egress_shim_col`."""

    buffer_size = attr(I32, optional=True)
    routing = attr(ANY_ATTR, optional=True)
    egress_shim_col = attr(I32, optional=True)
    reuse_output_buffer = attr(BOOL, optional=True)
    parents = ("aie.runtime_sequence",)
    assembly = "attr-dict"


class TraceConfigOp(Op, name="aie.trace.config"):
    """The register writes for a trace of `tile`; `packet_type` selects the module that traces."""

    tile = operand(INDEX)
    sym_name = attr(SYM_NAME)
    packet_type = attr(TRACE_PACKET)
    body = region()
    terminator = "aie.end"
    parents = ("aie.device",)
    assembly = "$sym_name `(` $tile `)` `packet_type` `=` $packet_type $body attr-dict"


class TraceRegOp(Op, name="aie.trace.reg"):
    """The value of a register, of one of its fields, or of the bits in `mask`."""

    register = attr(STRING)
    field = attr(STRING, optional=True)
    value = attr(UI32)
    mask = attr(UI32, optional=True)
    comment = attr(STRING, optional=True)
    parents = ("aie.trace.config",)
    assembly = (
        "`register` `=` $register (`field` `=` $field^)? `value` `=` signless_value() (`mask` `=` $mask^ with_type())?"
        " (`comment` `=` $comment^)? attr-dict"
    )
