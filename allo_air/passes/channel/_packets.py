"""Packet channels whose source writes a header that selects the destination: volumes, demultiplexers, ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any, Literal

from allo_air.core.constants import constant_of
from allo_air.core.integers import width_of
from allo_air.core.loops import LOOPS, Loop
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L1
from allo_air.dialects.air_values import HIERARCHIES, grid_of, outer_operand
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.memory import is_in

KEEP, WRITES, IDS = "keep_pkt_header", "air.src_writes_pkt_header", "packet_ids"
LAST_ID = 31
PACKETS = ("dma_packet", "npu_dma_packet")
_MOVES = (PUT, GET, "memref.dealloc", *HIERARCHIES)

_HEADER_BITS = 32
Verdict = Literal["broadcast", "demultiplexer", "unclassified", "undecided"]


@dataclass
class Traffic:
    """The puts and gets of a module, by channel and by buffer."""

    channels: dict[str, Any]
    ends: dict[tuple[str, str], list[Any]]
    puts_of: dict[Any, list[Any]]
    gets_into: dict[Any, list[Any]]
    computed: set[Any] = field(default_factory=set)
    """Buffers that other code changes between a get and a put."""

    @classmethod
    def of(cls, root: AnyOp) -> Traffic:
        traffic = cls({c.opview.sym_name: c for c in walk_named(root, "air.channel")}, {}, {}, {})
        for op in walk_named(root, PUT, GET):
            traffic.ends.setdefault((op.opview.chan_name, op.name), []).append(op)
            by_buffer = traffic.puts_of if op.name == PUT else traffic.gets_into
            by_buffer.setdefault(root_of(memref_of(op)), []).append(op)
        relayed = set(traffic.puts_of) & set(traffic.gets_into)
        for function in walk_named(root, "func.func") if relayed else ():
            traffic._look_for_code(function, relayed)
        return traffic

    def _look_for_code(self, scope: AnyOp, relayed: set[ir.Value]) -> None:
        for access in accesses(scope):
            if access.root in relayed and access.kind in ("write", "update") and access.op.name not in _MOVES:
                self.computed.add(access.root)
        for inner in walk_named(scope, *HIERARCHIES):
            for region in inner.regions:
                for block in region.blocks:
                    for op in block.operations:
                        if op.operation.name not in HIERARCHIES:
                            self._look_for_code(op.operation, relayed)

    def of_channel(self, name: str, end: str) -> list[Any]:
        """The puts, or the gets, of a channel."""
        return self.ends.get((name, end), [])

    def is_packet(self, name: str) -> bool:
        """Whether the channel called `name` carries packets."""
        return name in self.channels and self.channels[name].opview.channel_type in PACKETS

    def behind(self, name: str) -> list[str]:
        """The channels that forward data that arrives over `name`."""
        return self._over(self.of_channel(name, GET), self.puts_of)

    def before(self, name: str) -> list[str]:
        """The channels over which data arrives that `name` forwards."""
        return self._over(self.of_channel(name, PUT), self.gets_into)

    def _over(self, ends: list[AnyOp], ops: dict[ir.Value, list[AnyOp]]) -> list[str]:
        buffers = [b for b in dict.fromkeys(root_of(memref_of(end)) for end in ends) if b not in self.computed]
        return list(dict.fromkeys(o.opview.chan_name for b in buffers for o in ops.get(b, [])))

    def closure(self, names: list[str], *, forward: bool) -> list[str]:
        """`names`, and all channels to which their data is forwarded, or with `forward` false, from which it comes."""
        reached = list(dict.fromkeys(names))
        for name in reached:  # the loop appends to this list
            reached += [n for n in (self.behind(name) if forward else self.before(name)) if n not in reached]
        return reached


def ids_of(channel: AnyOp) -> list[int]:
    """The packet ids in the attribute of a channel."""
    return [a.value for a in channel.attributes[IDS]] if IDS in channel.attributes else []


def fan_out(channel: AnyOp) -> list[int]:
    """The dimensions along which one put serves several gets."""
    if "broadcast_shape" not in channel.attributes:
        return []
    shape = [a.value for a in channel.attributes["broadcast_shape"]]
    return [i for i, (size, wide) in enumerate(zip(channel.opview.size, shape, strict=True)) if size == 1 < wide]


def destinations(channel: AnyOp) -> int:
    """The number of gets that one put serves."""
    return prod(channel.attributes["broadcast_shape"][i].value for i in fan_out(channel))


def owns_header(channel: AnyOp, traffic: Traffic) -> bool:
    """Whether the source of a channel writes the headers."""
    puts = traffic.of_channel(channel.opview.sym_name, PUT)
    return KEEP in channel.attributes or WRITES in channel.attributes or any(p.opview.dest is not None for p in puts)


def verdict(channel: AnyOp, traffic: Traffic) -> Verdict:
    """The kind of a channel with a broadcast, from the number of elements that are put and got."""
    name, dims = channel.opview.sym_name, fan_out(channel)
    members = prod(size for i, size in enumerate(channel.opview.size) if i not in dims)
    sent, headers, got = 0, Fraction(0), [0] * destinations(channel)
    for op in traffic.of_channel(name, PUT):
        size, rounds = _size(op), _rounds(op, [])
        if size is None or rounds is None:
            return "undecided"
        sent += size * rounds
        headers += rounds * _per_header(memref_of(op).type.element_type)
    for op in traffic.of_channel(name, GET):
        places = _destinations(op, channel, dims)
        size, rounds = _size(op), _rounds(op, [v for i, v in enumerate(op.opview.indices) if i in dims])
        if places is None or size is None or rounds is None:
            return "undecided"
        for place in places:
            got[place] += size * rounds
    if sent % members or any(n % members for n in got) or not sent or not all(got):
        return "undecided"
    if all(n == sent for n in got):
        return "broadcast"
    arrives = sent if KEEP in channel.attributes else sent - headers  # the end of the flow removes the header
    return "demultiplexer" if sum(got) in (sent, arrives) and owns_header(channel, traffic) else "unclassified"


def _size(op: ir.Operation) -> int | None:
    """The number of elements that `op` moves at once."""
    _, sizes, _ = lists_of(op)
    kind = memref_of(op).type
    if sizes:
        return _product([constant_of(v) for v in sizes])
    return prod(kind.shape) if isinstance(kind, ir.MemRefType) and kind.has_static_shape else None


def _rounds(op: ir.Operation, spread: list[ir.Value]) -> int | None:
    """How often `op` runs. Loops and ids in `spread`, which select the destination, do not multiply it."""
    numbers: list[int | None] = []
    excluded = [_passed(v) for v in spread]
    for outer in parents(op):
        if outer.name in LOOPS:
            dims = Loop(outer).dims()
            if dims is None:
                return None
            numbers += [dim.trips for dim in dims if dim.iv not in excluded]
        elif outer.name in HIERARCHIES:
            ids = outer.opview.ids
            numbers += [constant_of(_passed(s)) for i, s in zip(ids, grid_of(outer), strict=True) if i not in excluded]
        elif outer.name.endswith((".if", "_if", ".while", ".index_switch")):
            return None
    return _product(numbers)


def _per_header(element: ir.Type) -> Fraction:
    """The number of elements that a header of 32 bits is as long as, such as 1/2 for 64 bits."""
    return Fraction(_HEADER_BITS, width_of(element)) if isinstance(element, ir.IntegerType | ir.FloatType) else Fraction(1)


def _product(numbers: list[int | None]) -> int | None:
    return None if None in numbers else prod(n for n in numbers if n is not None)


def _passed(value: ir.Value) -> Any:
    while (outer := outer_operand(value)) is not None:
        value = outer
    return value


def _destinations(op: AnyOp, channel: AnyOp, dims: list[int]) -> list[int] | None:
    """The destinations of a get, in row-major order; None if an index is unknown."""
    shape = [channel.attributes["broadcast_shape"][i].value for i in dims]
    indices = op.opview.indices
    places = [0]
    for wide, dim in zip(shape, dims, strict=True):
        values = _values(indices[dim]) if dim < len(indices) else range(1)
        if values is None or not all(0 <= v < wide for v in values):
            return None
        places = [p * wide + v for p in places for v in values]
    return places


def _values(index: ir.Value) -> range | None:
    """The range of an index: a constant, or an id or loop variable with constant bounds; else None."""
    number = constant_of(index)
    if number is not None:
        return range(number, number + 1)
    index = _passed(index)
    if not isinstance(index, ir.BlockArgument):
        number = constant_of(index)
        return None if number is None else range(number, number + 1)
    owner = index.owner.owner.operation
    if owner.name in HIERARCHIES and index in owner.opview.ids:
        size = constant_of(_passed(grid_of(owner)[index.arg_number]))
        return None if size is None else range(size)
    dims = Loop(owner).dims() if owner.name in LOOPS else None
    return next((dim.values for dim in dims or () if dim.iv == index), None)


@dataclass
class Domain:
    """A demultiplexer, the puts that name one of its destinations, and the channels over which its packets arrive."""

    demux: str
    ids: list[int]
    puts: list[Any]
    hops: list[str]


def domains(traffic: Traffic, verdicts: dict[str, Verdict]) -> list[Domain]:
    """The domains of a module: one for each demultiplexer."""
    named = [p for ops in traffic.puts_of.values() for p in ops if p.opview.dest is not None]
    reached = {put_op: traffic.closure([put_op.opview.chan_name], forward=True) for put_op in named}
    results = []
    for name in (n for n, v in verdicts.items() if v == "demultiplexer"):
        channel = traffic.channels[name]
        back = traffic.closure([name], forward=False)
        puts = [put_op for put_op in named if name in reached[put_op]]
        hops = [n for n in back if n != name and traffic.is_packet(n)]
        if puts:
            hops = [n for n in hops if any(n in reached[put_op] for put_op in puts)]
        ids = ids_of(channel) or [LAST_ID - d for d in range(destinations(channel))]
        results.append(Domain(name, ids, puts, hops))
    return results


def writes_headers(domain: Domain, traffic: Traffic) -> bool:
    """Whether the data of a demultiplexer already contains packet headers: from a put with a destination, or from a core."""
    if domain.puts:
        return True
    for name in (domain.demux, *domain.hops):
        marked = WRITES in traffic.channels[name].attributes
        puts = traffic.of_channel(name, PUT)
        if marked or (puts and all(is_in(memref_of(put_op).type, L1) for put_op in puts)):
            return True
    return False
