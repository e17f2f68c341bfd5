"""air-annotate-packet-ids."""

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp

PACKETS = ("dma_packet", "npu_dma_packet")
_OWN_HEADER = ("keep_pkt_header", "air.src_writes_pkt_header")


@dataclass(frozen=True)
class AirAnnotatePacketIds(Pass):
    """Checks that no packet channel needs its packets told apart; `air-to-aie` gives each channel a way of its own.

    Ids are needed where a source writes the headers itself (`keep_pkt_header`, `air.src_writes_pkt_header` on the channel),
    so that one stream is dealt out to several destinations. Such channels are refused: with `strict` or `assign` as an
    error, else left to `air-to-aie`. `report` and `emit-headers` concern only these channels.

    Before:

        air.channel @c [1, 1] {channel_type = "dma_packet"}

    After: the same, or

        error: 'air.channel' op deals packets out by headers that its source writes, which is not implemented; ...
    """

    name = "air-annotate-packet-ids"
    anchor = "builtin.module"
    report: bool = False
    """Remark on channels whose packets need telling apart."""
    strict: bool = False
    """Such channels are errors."""
    assign: bool = False
    """Give such channels ids, which is not done: they are errors."""
    emit_headers: bool = True
    """Have headers written for such channels; it changes nothing for others."""

    def run(self, op: AnyOp, /) -> None:
        for channel in walk_named(op, "air.channel"):
            kind = channel.opview.channel_type
            if kind in PACKETS and any(name in channel.attributes for name in _OWN_HEADER) and (self.strict or self.assign):
                raise error_at(
                    channel,
                    "deals packets out by headers that its source writes, which is not implemented; use a bundle of channels,"
                    " one for each destination",
                )
