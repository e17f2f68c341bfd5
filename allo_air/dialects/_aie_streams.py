"""AIE operations of the streams: switchboxes, circuit and packet flows, cascade, events."""

from __future__ import annotations

from allo_air.dialects._aie_tiles import at_tile
from allo_air.dialects._enums import BUNDLE, CASCADE_DIR
from allo_air.dialects._fields import ANY, INDEX, attr, operand, region, result
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I8, I32
from allo_air.dialects._op import Op


class SwitchboxOp(Op, name="aie.switchbox"):
    """The stream switch of `tile`."""

    tile = operand(INDEX)
    connections = region()
    switchbox = result(INDEX)
    terminator = "aie.end"
    parents = ("aie.device", "builtin.module")
    assembly = "`(` $tile `)` $connections attr-dict"
    result_names = at_tile("switchbox")


class ShimMuxOp(Op, name="aie.shim_mux"):
    """The multiplexer between the shim's DMA and its switch."""

    tile = operand(INDEX)
    connections = region()
    shim_mux = result(INDEX)
    terminator = "aie.end"
    parents = ("aie.device", "builtin.module")
    assembly = "`(` $tile `)` $connections attr-dict"
    result_names = at_tile("shim_mux")


class ConnectOp(Op, name="aie.connect"):
    """A circuit-switched connection inside a switch."""

    source_bundle = attr(BUNDLE)
    source_channel = attr(I32)
    dest_bundle = attr(BUNDLE)
    dest_channel = attr(I32)
    parents = ("aie.switchbox", "aie.shim_mux")
    assembly = "`<` $source_bundle `:` $source_channel `,` $dest_bundle `:` $dest_channel `>` attr-dict"


class FlowOp(Op, name="aie.flow"):
    """A circuit-switched stream between two tiles' ports."""

    source = operand(INDEX)
    dest = operand(INDEX)
    source_bundle = attr(BUNDLE)
    source_channel = attr(I32)
    dest_bundle = attr(BUNDLE)
    dest_channel = attr(I32)
    parents = ("aie.device", "builtin.module")
    assembly = "`(` $source `,` $source_bundle `:` $source_channel `,` $dest `,` $dest_bundle `:` $dest_channel `)` attr-dict"


class WireOp(Op, name="aie.wire"):
    """A bundle of wires between two tiles or switches."""

    source = operand(INDEX)
    dest = operand(INDEX)
    source_bundle = attr(BUNDLE)
    dest_bundle = attr(BUNDLE)
    assembly = "`(` $source `:` $source_bundle `,` $dest `:` $dest_bundle `)` attr-dict"


class AMSelOp(Op, name="aie.amsel"):
    """An arbiter and one of its master selects."""

    arbiterID = attr(I8)
    msel = attr(I8)
    amsel = result(INDEX)
    parents = ("aie.switchbox",)
    assembly = "`<` $arbiterID `>` `(` $msel `)` attr-dict"


class MasterSetOp(Op, name="aie.masterset"):
    """The arbiters that a master port listens to."""

    amsels = operand(INDEX, "variadic")
    dest_bundle = attr(BUNDLE)
    dest_channel = attr(I32)
    keep_pkt_header = attr(BOOL, optional=True)
    masterset = result(INDEX)
    parents = ("aie.switchbox",)
    assembly = "`(` $dest_bundle `:` $dest_channel `,` $amsels `)` attr-dict"


class PacketRulesOp(Op, name="aie.packet_rules"):
    """The rules by which packets at a slave port are routed."""

    source_bundle = attr(BUNDLE)
    source_channel = attr(I32)
    rules = region()
    terminator = "aie.end"
    parents = ("aie.switchbox",)
    assembly = "`(` $source_bundle `:` $source_channel `)` $rules attr-dict"


class PacketRuleOp(Op, name="aie.rule"):
    """Packets whose masked id equals `value` go to `amsel`; `packet_ids` lists the ids of the rule."""

    amsel = operand(INDEX)
    mask = attr(I8)
    value = attr(I8)
    packet_ids = attr(ANY_ATTR, optional=True)
    parents = ("aie.packet_rules",)
    assembly = "`(` $mask `,` $value `,` $amsel `)` attr-dict"


class PacketFlowOp(Op, name="aie.packet_flow"):
    """A packet-switched stream: packets of one id, from each source to all destinations."""

    ID = attr(I8)
    keep_pkt_header = attr(BOOL, optional=True)
    priority_route = attr(BOOL, optional=True)
    ports = region()
    terminator = "aie.end"
    parents = ("aie.device", "builtin.module")
    assembly = "`(` $ID `)` $ports attr-dict"


class PacketSourceOp(Op, name="aie.packet_source"):
    """The source of a packet flow."""

    tile = operand(INDEX)
    bundle = attr(BUNDLE)
    channel = attr(I32)
    parents = ("aie.packet_flow",)
    assembly = "`<` $tile `,` $bundle `:` $channel `>` attr-dict"


class PacketDestOp(Op, name="aie.packet_dest"):
    """A destination of a packet flow."""

    tile = operand(INDEX)
    bundle = attr(BUNDLE)
    channel = attr(I32)
    parents = ("aie.packet_flow",)
    assembly = "`<` $tile `,` $bundle `:` $channel `>` attr-dict"


class CascadeFlowOp(Op, name="aie.cascade_flow"):
    """A cascade connection between neighbouring cores."""

    source_tile = operand(INDEX)
    dest_tile = operand(INDEX)
    assembly = "`(` $source_tile `,` $dest_tile `)` attr-dict"


class ConfigureCascadeOp(Op, name="aie.configure_cascade"):
    """The directions of a core's cascade input and output."""

    tile = operand(INDEX)
    inputDir = attr(CASCADE_DIR)
    outputDir = attr(CASCADE_DIR)
    parents = ("aie.device",)
    assembly = "`(` $tile `,` $inputDir `,` $outputDir `)` attr-dict"


class PutCascadeOp(Op, name="aie.put_cascade"):
    """Sends a value to the cascade output."""

    cascade_value = operand(ANY)
    assembly = "`(` $cascade_value `:` type($cascade_value) `)` attr-dict"


class GetCascadeOp(Op, name="aie.get_cascade"):
    """Receives a value from the cascade input."""

    cascade_value = result(ANY)
    assembly = "`(` `)` attr-dict `:` type($cascade_value)"


class PutStreamOp(Op, name="aie.put_stream"):
    """Sends a value to a core's stream port."""

    channel = operand(ANY)
    stream_value = operand(ANY)
    assembly = "`(` $channel `:` type($channel) `,` $stream_value `:` type($stream_value) `)` attr-dict"


class GetStreamOp(Op, name="aie.get_stream"):
    """Receives a value from a core's stream port."""

    channel = operand(ANY)
    stream_value = result(ANY)
    assembly = "`(` $channel `:` type($channel) `)` attr-dict `:` type($stream_value)"


class EventOp(Op, name="aie.event"):
    """Raises user event 0 or 1 of the core."""

    val = attr(I32)
    assembly = "`(` $val `)` attr-dict"


class PLIOOp(Op, name="aie.plio"):
    """A PL stream interface in column `col`."""

    col = attr(I32)
    plio = result(INDEX)
    assembly = "`(` $col `)` attr-dict"


class DebugOp(Op, name="aie.debug"):
    """Prints a value in simulation."""

    arg = operand(ANY)
    assembly = "`(` $arg `:` type($arg) `)` attr-dict"
