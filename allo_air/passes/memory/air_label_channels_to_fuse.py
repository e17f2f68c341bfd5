"""air-label-channels-to-fuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.names import channel_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, GROUP, PUT, Ends, loop_around, site_of
from allo_air.passes._analysis.time_shared_herds import time_shared_herds_of
from allo_air.passes.memory._core_channels import channels_by_core
from allo_air.passes.memory._slabs import Channels
from allo_air.plan.schema import plan_or_unplanned

_Used = dict[tuple[int, ...], dict[str, set[str]]]
"""The channels that each core of a herd uses, by operation."""


@dataclass(frozen=True)
class AirLabelChannelsToFuse(Pass):
    """Marks channels for `air-fuse-channels` if a core gets from more channels than its DMA has.

    Of the channels that a herd gets from, in program order, the first `core-s2mm` stay; of those that it puts to, the first
    `core-mm2s`. If a kind of channel is not among the first ones, the first of each kind stays instead. The branches of a
    condition count as one. Cascades do not count. Herds of one name in a segment are phases of the same cores and count as one
    herd.
    If a core uses more channels, each further one shares the channel of one of its kind with the same bundle size, broadcast
    and cores: the last one that moves the same buffer, or else one that is used in the same loop, or else the last of those
    that are shared least. If all channels that stay are used before a loop, the last of them gives way to the loop's first: a
    ring of descriptors repeats the loop's transfers, but not those before it. A channel between two
    adjacent cores (herds of one core, placed by `x_loc` and `y_loc`) that is the only one of its kind needs no DMA, since
    shared memory replaces it.
    A channel over which a core gets a buffer again, in a later loop, shares the earlier channel even if there are enough.
    The channels that fill the L2 buffers of both are marked, too, unless one loop gets from both: the loops that fill the
    buffers need not alternate. They are still marked if a memtile has fewer than `memtile-s2mm` channels for them and
    for the results of a column of cores, or if all cores of a matrix multiplication lie along one dimension of its result
    (`spread` in the plan).
    Channels to be fused have the same number in attribute `allo.fuse_group`, and `air-split-l2-memref` counts them as one.
    Their declarations are in the order of the herd's gets, which is the order in which they use the channel.

    Before (`core-s2mm=1`):

        air.channel @in []
        air.channel @bias []
        air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
          air.channel.get @in[%x, %y] (%a[] [] []) : (memref<64xi32, 2>)
          air.channel.get @bias[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
        }

    After:

        air.channel @in [] {allo.fuse_group = 0 : i64}
        air.channel @bias [] {allo.fuse_group = 0 : i64}
    """

    name = "air-label-channels-to-fuse"
    anchor = "builtin.module"
    core_s2mm: int = 2
    """Channels that a core's DMA receives on."""
    core_mm2s: int = 2
    """Channels that a core's DMA sends on."""
    memtile_s2mm: int = 6
    """Channels that a memtile's DMA receives on."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        channels = Channels(op)
        ends = Ends(op)
        pairs: list[tuple[str, str]] = []
        crowded: set[str] = set()
        for herds in time_shared_herds_of(op):
            used = [channels_by_core(herd) for herd in herds]
            gets = _pairs_to_fuse(herds, GET, ends, self.core_s2mm, used)
            room = self.memtile_s2mm - _most_results(used)
            crowded.update(name for group in _groups(gets) if len(group) > room for name in group)
            pairs += gets + _pairs_to_fuse(herds, PUT, ends, self.core_mm2s, used)
        pairs += [
            filling
            for pair in pairs
            if (pair[0] in crowded or not _share_a_loop(pair, ends)) and (filling := _filling(pair, ends)) is not None
        ]
        for number, group in enumerate(_groups(pairs)):
            for name in group:
                channels.declared[name].attributes[GROUP] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
            _in_order([channels.declared[name] for name in group])


def _most_results(used: Sequence[_Used]) -> int:
    """The most channels that a memtile receives on from a column of cores."""
    results = Counter[int]()
    for herd in used:
        for core, names in herd.items():
            results[core[0]] += len(names[PUT])
    return max(results.values(), default=0)


def _in_order(declared: list[ir.Operation]) -> None:
    """Moves the declarations into the order of `declared`."""
    for first, second in pairwise(declared):
        order = [o.operation for o in first.block.operations]
        if order.index(second) < order.index(first):
            second.move_after(first)


def _pairs_to_fuse(herds: list[ir.Operation], end: str, ends: Ends, limit: int, used: Sequence[_Used]) -> list[tuple[str, str]]:
    """Pairs (channel that stays, channel that shares it) for the gets, or puts, of `herds`, if a core has more than `limit`.

    `used` are the channels that the cores of each herd use.
    """
    order: list[ir.Operation] = []
    sites: list[list[str]] = []
    for transfer in (t for herd in herds for t in walk_named(herd, end)):
        name, site = channel_of(transfer), site_of(transfer)
        if any(name in names for names in sites) or "cascade" in ends.channel_type(name):
            continue
        if site in order:
            sites[order.index(site)].append(name)
        else:
            order.append(site)
            sites.append([name])
    repeated, pairs = _read_again(order, sites, ends) if end == GET else {}, []
    for number, host in repeated.items():
        pairs += list(zip(sites[host], sites[number], strict=True))
    if not _exceeds(used, end, ends, limit):
        return pairs
    sites = [names for number, names in enumerate(sites) if number not in repeated]
    kinds = [[ends.kind(name) for name in names] for names in sites]
    loops = _shared_loops(order, repeated)
    hosts = _hosts(kinds, loops, limit)
    shares = dict.fromkeys(hosts, 0)
    buffers = [_buffers(names, end, ends) for names in sites]
    for number, kind in enumerate(kinds):
        candidates = [h for h in reversed(hosts) if kinds[h] == kind]
        if number in hosts or None in kind or not candidates:
            continue
        host = min(candidates, key=lambda h: (buffers[h] != buffers[number], loops[h] != loops[number], shares[h]))
        shares[host] += 1
        pair = (host, number) if host < number else (number, host)
        pairs += list(zip(sites[pair[0]], sites[pair[1]], strict=True))
    return pairs


def _read_again(order: list[ir.Operation], sites: list[list[str]], ends: Ends) -> dict[int, int]:
    """For sites that read a buffer again in a later loop: the number of the site, and that of the earlier site."""
    loops = [loop_around(site) for site in order]
    buffers = [_buffers(names, GET, ends) for names in sites]
    kinds = [[ends.kind(name) for name in names] for names in sites]
    results: dict[int, int] = {}
    for number, loop in enumerate(loops):
        if loop is None or None in kinds[number]:
            continue
        earlier = [n for n in range(number) if (before := loops[n]) is not None and before != loop]
        host = next((n for n in earlier if (kinds[n], buffers[n]) == (kinds[number], buffers[number])), None)
        if host is not None:
            results[number] = host
    return results


def _buffers(names: list[str], end: str, ends: Ends) -> set[ir.Value]:
    """The buffers at the other ends of channels `names`."""
    if end == GET:
        return {root_of(put_op.opview.src) for name in names for put_op in ends.of(name, PUT)}
    return {root_of(get.opview.dst) for name in names for get in ends.of(name, GET)}


def _shared_loops(order: list[ir.Operation], repeated: Container[int]) -> list[int | None]:
    """For each site that is not `repeated`, a number of the loop around it if other sites are in this loop, too."""
    loops = [loop_around(site) for number, site in enumerate(order) if number not in repeated]
    inside = [loop for loop in loops if loop is not None]
    return [inside.index(loop) if loop is not None and inside.count(loop) > 1 else None for loop in loops]


def _hosts(kinds: Sequence[object], loops: Sequence[int | None], limit: int) -> list[int]:
    """The channels that stay: the first ones or, if some kinds are missing among these, the first one of each kind.

    If all of these are outside of a loop that gets from others, the last one is the first one of the loop, if that leaves all
    kinds.
    """
    first = list(range(min(limit, len(kinds))))
    if not all(kind in [kinds[n] for n in first] for kind in kinds):
        return [n for n, kind in enumerate(kinds) if kind not in kinds[:n]][:limit]
    number = next((n for n, loop in enumerate(loops) if loop is not None), None)
    if number is None or len(first) < 2 or any(loops[n] is not None for n in first):
        return first
    hosts = [*first[:-1], number]
    return hosts if all(kind in [kinds[n] for n in hosts] for kind in kinds) else first


def _exceeds(used: Sequence[_Used], end: str, ends: Ends, limit: int) -> bool:
    """Whether a core uses more than `limit` stream channels."""
    total: dict[tuple[int, ...], set[str]] = {}
    for herd in used:
        for core, names in herd.items():
            streams = {n for n in names[end] if "cascade" not in ends.channel_type(n)}
            if len(streams) > limit:
                single = [n for n in sorted(streams) if [ends.kind(o) for o in streams].count(ends.kind(n)) == 1]
                streams -= set([n for n in single if _are_neighbours(n, ends)][: len(streams) - limit])
            total.setdefault(core, set()).update(streams)
    return any(len(names) > limit for names in total.values())


def _are_neighbours(name: str, ends: Ends) -> bool:
    """Whether a channel goes from one core to an adjacent one, so that shared memory can replace the DMA."""
    places = []
    for end in (PUT, GET):
        herds = {h for t in ends.of(name, end) for h in parents(t) if h.name == "air.herd"}
        if len(herds) != 1 or not all(any(h.name == "air.herd" for h in parents(t)) for t in ends.of(name, end)):
            return False
        herd = herds.pop()
        if not {"x_loc", "y_loc"} <= set(herd.attributes.keys()) or any(constant_of(v) != 1 for v in herd.opview.sizes):
            return False
        places.append([herd.attributes[n].value for n in ("x_loc", "y_loc")])
    return bool(sum(abs(a - b) for a, b in zip(*places, strict=True)) == 1)


def _share_a_loop(pair: tuple[str, str], ends: Ends) -> bool:
    """Whether one loop gets from both channels, one after another, in each iteration.

    Slices of epilogue operands that come to L2 and to the cores in the same iterations do not count.
    """
    gets = [ends.of(name, GET) for name in pair]
    if any(p.name == "func.func" and plan_or_unplanned(p).spread for get in gets[0] for p in parents(get)):
        return False
    first, second = ({loop_around(get) for get in item} for item in gets)
    return None not in first and first == second


def _filling(pair: tuple[str, str], ends: Ends) -> tuple[str, str] | None:
    """The channels that fill the buffers from which those of `pair` send; None if these are not two of the same kind."""
    first, second = (_sole({ends.filling(root_of(put_op.opview.src)) for put_op in ends.of(name, PUT)}) for name in pair)
    if first is None or second is None or first == second or ends.kind(first) != ends.kind(second):
        return None
    return first, second


def _sole(names: set[str | None]) -> str | None:
    """The only name; None if there are several."""
    return names.pop() if len(names) == 1 else None


def _groups(pairs: list[tuple[str, str]]) -> list[list[str]]:
    """The names, grouped by the pairs that connect them."""
    groups: list[list[str]] = []
    for pair in pairs:
        near = [g for g in groups if any(name in g for name in pair)]
        joined = list(dict.fromkeys([*(name for g in near for name in g), *pair]))
        groups = [g for g in groups if g not in near] + [joined]
    return groups
