"""Streams: flows, packets, switchboxes, cascades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.errors import IronTypeError
from allo_air.aie.building.regions import block_of, body
from allo_air.aie.building.scope import device_block
from allo_air.aie.building.values import value_of, wrapped
from allo_air.aie.dialects._aie_dma import direction
from allo_air.aie.dialects._aie_enum_gen import DMAChannelDir, WireBundle
from allo_air.aie.dialects._aie_tiles import EndOp
from allo_air.dialects import aie as _aie
from allo_air.errors import counted
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_DMA = WireBundle.DMA
_FLAGS = 2


def bundle(member: Any) -> Any:
    """A port bundle, given by its enumeration member, name or number."""
    return member if isinstance(member, str) else int(member)


def flow(
    source: object,
    source_bundle: object = None,
    source_channel: int | None = None,
    dest: object = None,
    dest_bundle: object = None,
    dest_channel: int | None = None,
    *,
    loc: object = None,
    ip: object = None,
) -> Any:
    """A stream from a port to a port; the default port is DMA channel 0."""
    return _aie.FlowOp(
        source=value_of(source), dest=value_of(dest), source_bundle=bundle(_DMA if source_bundle is None else source_bundle),
        source_channel=int(source_channel or 0), dest_bundle=bundle(_DMA if dest_bundle is None else dest_bundle),
        dest_channel=int(dest_channel or 0), loc=loc, ip=ip,
    )  # fmt: skip


def packetflow(
    pkt_id: int,
    source: object,
    source_port: Any = None,
    source_channel: int = 0,
    dests: Any = None,
    *rest: Any,
    keep_pkt_header: bool | None = None,
    priority_route: bool | None = None,
    dest: object = None,
    dest_port: Any = None,
    dest_channel: int = 0,
    loc: object = None,
    ip: object = None,
    **keywords: object,
) -> Any:
    """Packets of an id from a port; `dests` is `{"dest": tile, "port": ..., "channel": ...}`, or a list of those.

    `source` is a tile, `{"source": tile, "port": ..., "channel": ...}`, or a list of those. One destination may also be given
    as `dest`, `dest_port` and `dest_channel`, also by position; `keep_pkt_header` and `priority_route` follow.
    """
    refuse(keywords, "packetflow")
    if dests is not None and not isinstance(dests, dict | list | tuple):  # a tile, then its port and channel
        dest, dests = dests, None
        ports = [*rest[:2], *(dest_port, dest_channel)[len(rest) :]]
        dest_port, dest_channel, rest = ports[0], ports[1], rest[2:]
    if len(rest) > _FLAGS:
        raise IronTypeError(
            f"packetflow: {counted(len(rest), 'argument')} after the destinations, at most {_FLAGS} are allowed"
        )
    flags = [*rest, *(keep_pkt_header, priority_route)[len(rest) :]]
    keep_pkt_header, priority_route = flags[0], flags[1]
    if (dests is None) == (dest is None):
        raise IronTypeError("packetflow: give the destination as dests, or as dest, dest_port and dest_channel")
    if dest is not None:
        dests = {"dest": dest, "port": _DMA if dest_port is None else dest_port, "channel": dest_channel}
    op = _aie.PacketFlowOp(ID=int(pkt_id), keep_pkt_header=keep_pkt_header, priority_route=priority_route, loc=loc, ip=ip)
    several = dests if isinstance(dests, list | tuple) else [dests]
    with ir.InsertionPoint(block_of(op)):
        for origin in source if isinstance(source, list | tuple) else [source]:
            end = {"port": _DMA if source_port is None else source_port, "channel": source_channel}
            end |= origin if isinstance(origin, dict) else {"source": origin}
            _aie.PacketSourceOp(tile=value_of(end["source"]), bundle=bundle(end["port"]), channel=int(end["channel"]))
        for each in several:
            fields = each if isinstance(each, dict) else dict(zip(("dest", "port", "channel"), each, strict=True))
            _aie.PacketDestOp(
                tile=value_of(fields["dest"]), bundle=bundle(fields.get("port", _DMA)), channel=int(fields.get("channel", 0))
            )
        EndOp()
    return op


def packet_source(tile: object, bundle_: object = _DMA, channel: int = 0, **named: object) -> Any:
    """A source port of packets."""
    return _aie.PacketSourceOp(tile=value_of(tile), bundle=bundle(named.get("bundle", bundle_)), channel=int(channel))


def packet_dest(tile: object, bundle_: object = _DMA, channel: int = 0, **named: object) -> Any:
    """A destination port of packets."""
    return _aie.PacketDestOp(tile=value_of(tile), bundle=bundle(named.get("bundle", bundle_)), channel=int(channel))


def _router(kind: Any) -> Any:
    def make(tile: AnyOp, *, loc: ir.Location | None = None, ip: ir.InsertionPoint | None = None) -> Any:
        return kind(tile=value_of(tile), loc=loc, ip=ip)

    return body(make, EndOp, f"`@{kind.OPERATION_NAME.removeprefix('aie.')}(tile)`: the function below connects its ports.")


switchbox, shim_mux = _router(_aie.SwitchboxOp), _router(_aie.ShimMuxOp)


def connect(
    source_bundle: Any, source_channel: Any = None, dest_bundle: Any = None, dest_channel: int = 0, *, source: object = None,
    dest: object = None, loc: object = None, ip: object = None,
) -> Any:  # fmt: skip
    """Connects a port to a port of a switchbox."""
    return _aie.ConnectOp(
        source_bundle=bundle(source_bundle), source_channel=int(source_channel), dest_bundle=bundle(dest_bundle),
        dest_channel=int(dest_channel), loc=loc, ip=ip,
    )  # fmt: skip


def amsel(arbiter: int, msel: int) -> Any:
    """An arbiter and one of its master selects."""
    return _aie.AMSelOp(arbiterID=int(arbiter), msel=int(msel)).amsel


def masterset(dest_bundle: object, dest_channel: int, amsels: Sequence[object], keep_pkt_header: bool | None = None) -> Any:
    """A master port, and the master selects that it receives from."""
    return _aie.MasterSetOp(
        dest_bundle=bundle(dest_bundle), dest_channel=int(dest_channel), amsels=[value_of(a) for a in amsels],
        keep_pkt_header=keep_pkt_header,
    ).masterset  # fmt: skip


def _rules(source_bundle: object, source_channel: int) -> Any:
    return _aie.PacketRulesOp(source_bundle=bundle(source_bundle), source_channel=int(source_channel))


packetrules = packet_rules = body(_rules, EndOp, "`@packet_rules(port, channel)`: the function below builds its rules.")


def packetrule(mask: int, value: int, amsel: object) -> Any:
    """A rule that sends packets with a matching id to a master select."""
    return _aie.PacketRuleOp(mask=int(mask), value=int(value), amsel=value_of(amsel))


packet_rule = rule = packetrule


def cascade_flow(source: object, dest: object, *, loc: object = None, ip: object = None, **keywords: object) -> Any:
    """The cascade flow from a core to its neighbour."""
    refuse(keywords, "cascade_flow")
    return _aie.CascadeFlowOp(source_tile=value_of(source), dest_tile=value_of(dest), loc=loc, ip=ip)


def configure_cascade(tile: object, input_dir: object, output_dir: object) -> Any:
    """The input and output directions of a core's cascade."""
    return _aie.ConfigureCascadeOp(tile=value_of(tile), inputDir=bundle(input_dir), outputDir=bundle(output_dir))


def put_cascade(value: object) -> Any:
    """Sends a value over the cascade."""
    return _aie.PutCascadeOp(cascade_value=value_of(value))


def get_cascade(kind: object) -> Any:
    """Receives a value from the cascade."""
    return wrapped(_aie.GetCascadeOp(cascade_value=mlir_type(kind, "get_cascade")).operation.result)


def put_stream(channel: object, value: object) -> Any:
    """Sends a value to the core's stream."""
    return _aie.PutStreamOp(channel=value_of(channel), stream_value=value_of(value))


def get_stream(kind: object, channel: object) -> Any:
    """Receives a value from the core's stream."""
    return wrapped(_aie.GetStreamOp(stream_value=mlir_type(kind, "get_stream"), channel=value_of(channel)).operation.result)


def event(val: int) -> Any:
    """Marks an event in the trace."""
    return _aie.EventOp(val=int(val))


def shim_dma_allocation(
    sym_name: str | object, tile: object = None, channel_dir: Any = None, channel_index: Any = None, plio: bool = False, *,
    packet: object = None, loc: object = None, ip: object = None, **keywords: object,
) -> Any:  # fmt: skip
    """Names a shim's DMA channel, which the sequence programs."""
    refuse(keywords, "shim_dma_allocation")
    from allo_air.aie.building.attributes import packet as header

    if isinstance(tile, DMAChannelDir | str):  # before 2026: direction, channel, column
        tile, channel_dir, channel_index = _shim(int(channel_index)), tile, channel_dir
    return _aie.ShimDMAAllocationOp(
        tile=value_of(tile), sym_name=str(sym_name), channel_dir=direction(channel_dir), channel_index=int(channel_index),
        plio=plio, packet=header(packet), loc=loc, ip=ip,
    )  # fmt: skip


def _shim(column: int) -> Any:
    """The shim tile of a column, which is built if it does not exist yet."""
    for op in device_block().operations:
        if isinstance(op, _aie.TileOp) and (op.col, op.row) == (column, 0):
            return op
    return _aie.TileOp(col=column, row=0)


ShimDMAAllocationOp = shim_dma_allocation
