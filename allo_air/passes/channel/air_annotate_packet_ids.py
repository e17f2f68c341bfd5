"""air-annotate-packet-ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import emit, error_at, position
from allo_air.core.pass_ import Pass
from allo_air.errors import Diagnostic, Severity, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.channel._packet_headers import emit_header
from allo_air.passes.channel._packets import (
    IDS,
    KEEP,
    LAST_ID,
    Domain,
    Traffic,
    destinations,
    domains,
    fan_out,
    ids_of,
    owns_header,
    verdict,
    writes_headers,
)


@dataclass(frozen=True)
class AirAnnotatePacketIds(Pass):
    """Assigns ids to packets that are distributed by their headers, and writes these headers.

    A packet channel with a broadcast whose gets together take the data of a put is a demultiplexer if its source owns the
    header: a put names its `dest`, or the channel has `keep_pkt_header` or `air.src_writes_pkt_header`. Its ids are its pinned
    ones (`packet_ids`), otherwise 31 for destination 0, 30 for destination 1, and so on. Channels that only forward packets to
    it have the same ids. With `assign` all of these get the ids as `packet_ids`, and forwarding channels get
    `keep_pkt_header`.
    `emit-headers` replaces each `dest` by a store of the destination's id into the first 32 bits of the sent data, inside the
    `air.execute` that fills the buffer. It has to run after `air-dependency`.
    If the number of pinned ids differs from the number of destinations, there is a warning, and with `strict` an error. Errors
    with `assign`: a forwarding channel is pinned to other ids, or leads to two demultiplexers; a `dest` reaches no
    demultiplexer, or one of fewer than two destinations; no source writes headers for a demultiplexer. Errors with
    `emit-headers`: elements whose width does not divide 32, and offsets that do not match the buffer's rank.

    Before (`air-annotate-packet-ids{assign=true}`):

        air.channel @c [1] {broadcast_shape = [2], channel_type = "dma_packet"}
        %t = air.execute { ... linalg.fill ins(%v : i32) outs(%b : memref<8xi32, 2>) ... }
        %p = air.channel.put async [%t] @c[%c0] (%b[] [] []) dest(%d) : (memref<8xi32, 2>)

    After:

        air.channel @c [1] {broadcast_shape = [2], channel_type = "dma_packet", packet_ids = [31, 30]}
        %0 = arith.muli %d, %c-1 : index
        %1 = arith.addi %0, %c31 : index
        %2 = arith.index_cast %1 : index to i32
        %3 = vector.broadcast %2 : i32 to vector<1xi32>
        %t = air.execute {
          ... linalg.fill ...
          vector.store %3, %b[%c0] {alignment = 4 : i64} : memref<8xi32, 2>, vector<1xi32>
        }
        %p = air.channel.put async [%t] @c[%c0] (%b[] [] []) : (memref<8xi32, 2>)
    """

    name = "air-annotate-packet-ids"
    anchor = "builtin.module"
    report: bool = False
    """Print a remark on each packet channel with a broadcast."""
    strict: bool = False
    """Treat pinned ids that disagree with the volumes as errors."""
    assign: bool = False
    """Write the ids on the channels."""
    emit_headers: bool = True
    """Replace the destinations of puts by packet headers in the data."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        traffic = Traffic.of(op)
        fanning = {n: c for n, c in traffic.channels.items() if traffic.is_packet(n) and fan_out(c)}
        named = [p for ops in traffic.puts_of.values() for p in ops if p.opview.dest is not None]
        if not fanning and not named:
            return
        verdicts = {name: verdict(channel, traffic) for name, channel in fanning.items()}
        for name, channel in fanning.items():
            self._check_pinned(channel, verdicts[name], traffic)
        result = domains(traffic, verdicts)
        if self.report:
            _report(fanning, verdicts, result, traffic)
        with op.context:
            if self.assign:
                _check(result, traffic, named)
                _assign(result, traffic)
            if self.emit_headers:
                for put_op in named:
                    emit_header(put_op, _domain_of(put_op, result).ids)

    def _check_pinned(self, channel: AnyOp, item: str, traffic: Traffic) -> None:
        pinned, name = ids_of(channel), channel.opview.sym_name
        id_count = {"broadcast": 1, "demultiplexer": destinations(channel)}.get(item)
        if item == "unclassified":
            why = (
                "its gets together receive neither as many elements as are put, nor as many as without the headers"
                if owns_header(channel, traffic)
                else "its gets together receive as many elements as are put, but its source writes no header"
            )
            _say("remark", channel, f"@{name} is unclassified: {why}")
        if not pinned or id_count is None or len(pinned) == id_count:
            return
        number = counted(id_count, "id")
        text = f"is by its volumes a {item} with {number}, which disagrees with the packet_ids on @{name}: {pinned}"
        if self.strict:
            raise error_at(channel, text)
        _say("warning", channel, text)


def _report(channels: dict[str, Any], verdicts: dict[str, Any], items: list[Domain], traffic: Traffic) -> None:
    for name, kind in verdicts.items():
        if kind != "unclassified":
            _say("remark", channels[name], f"@{name} is {'' if kind == 'undecided' else 'a '}{kind}")
    for domain in items:
        hops = ", ".join(f"@{hop}" for hop in domain.hops) or "none"
        _say(
            "remark",
            traffic.channels[domain.demux],
            f"@{domain.demux} needs the ids {domain.ids}; forwarding channels: {hops}",
        )


def _check(items: list[Domain], traffic: Traffic, named: list[Any]) -> None:
    owner: dict[str, str] = {}
    for domain in items:
        demux = traffic.channels[domain.demux]
        if len(domain.ids) < 2 or destinations(demux) > LAST_ID + 1:
            raise error_at(
                demux, f"has {counted(len(domain.ids), 'destination')} to tell apart by packet ids; expected 2 to {LAST_ID + 1}"
            )
        if not writes_headers(domain, traffic):
            raise error_at(
                demux,
                "distributes packets from L2 or L3, and nothing upstream writes their headers; name the destination on the put "
                "at their source, `dest(%d)`, or mark its channel air.src_writes_pkt_header",
            )
        for hop in domain.hops:
            channel = traffic.channels[hop]
            if hop in owner:
                raise error_at(
                    channel,
                    f"forwards packets to two demultiplexers, @{owner[hop]} and @{domain.demux}; use a channel for each",
                )
            owner[hop] = domain.demux
            pinned = ids_of(channel)
            if pinned and set(pinned) != set(domain.ids):
                raise error_at(
                    channel,
                    f"has packet_ids {pinned}, but forwards to @{domain.demux}, whose ids are {domain.ids}; make them equal",
                )
    for put_op in named:
        _domain_of(put_op, items)


def _domain_of(put_op: ir.OpView, items: list[Domain]) -> Domain:
    found_domains = [domain for domain in items if put_op in domain.puts]
    if not found_domains:
        raise error_at(
            put_op,
            "names a destination, but its packets reach no demultiplexer; send them over a packet channel with a"
            " broadcast_shape whose gets together receive the data",
        )
    if len(found_domains) > 1:
        raise error_at(
            put_op, f"reaches several demultiplexers, {', '.join(f'@{d.demux}' for d in found_domains)}; use a channel for each"
        )
    return found_domains[0]


def _assign(items: list[Domain], traffic: Traffic) -> None:
    i64 = ir.IntegerType.get_signless(64)
    for domain in items:
        ids = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in domain.ids])
        for name in (domain.demux, *domain.hops):
            attributes = traffic.channels[name].attributes
            if IDS not in attributes:
                attributes[IDS] = ids
            if name != domain.demux:
                attributes[KEEP] = ir.UnitAttr.get()


def _say(severity: Severity, op: AnyOp, message: str) -> None:
    emit(Diagnostic(severity, *position(op.location), f"'{op.name}' op {message}"))
