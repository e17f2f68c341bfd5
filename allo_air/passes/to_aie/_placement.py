"""Assigns a memtile to each L2 buffer."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.match import NoMatch, no_match
from allo_air.core.packing import pack
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes._analysis.channel_ends import ADJACENT, FROM_ADJACENT, INTO_ADJACENT
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._design import Buffer, Place, Transfer
from allo_air.passes.to_aie._periods import items

if TYPE_CHECKING:
    from allo_air.passes.to_aie._periods import Loop

MEMTILE_COLUMN = "air.memtile_col"
KEPT_WHOLE = "air.no_split"
"""Attribute of the allocation of a buffer that must not be split."""
Group = tuple[list[Buffer], set[tuple[Key, bool]]]
"""Buffers that stay together, and the streams on them."""
Adjacent = Mapping[int, Group]
"""Groups that belong in a memtile adjacent to that of another group, by the `id` of that group."""


def place_buffers(
    buffers: list[Buffer],
    tree: tuple[Transfer | Loop, ...],
    device: Device,
    columns: range,
    cores: Mapping[Key, set[Place]],
    wide: set[Place],
    packets: frozenset[str] = frozenset(),
) -> dict[int, Place] | NoMatch:
    """A memtile for each buffer, by its number, or the failure. Buffers that share a DMA channel are one group.

    Groups are assigned round robin: each to the next memtile with enough memory and DMA channels. If a group has no room in the
    order of the buffers, those with most channels go first; if that fails too, or a memtile gets more transfers than it has
    BDs, all assignments are tried.

    * A group that serves several cores of one column, of herds over several columns (`wide`), goes to the memtile nearest to
      them, so that its streams use few wires between columns. So does a group that is not to be split. `cores` are the cores
      on each channel.
    * Buffers with `allo.adjacent_memtile` are a group of their own, in the memtile to the east or west of the buffers that the
      same streams read. So are those of streams whose gets fill adjacent buffers (`allo.into_adjacent_memtile`).
    * A group with `air.memtile_col` goes to that column.
    * Streams of the channels `packets` share an MM2S channel of a memtile that has too few.
    """
    transfers: list[Transfer] = list(items(tree))
    marked = {b.number for b in buffers if ADJACENT in b.op.attributes}
    groups = _groups(buffers, [t for t in transfers if belongs(t, marked)])
    near = {id(group): rest for group in groups if (rest := _near(group, groups, transfers, marked))}
    adjacent = {group: _joined(rest) for group, rest in near.items()}
    last = [id(group) for value in near.values() for group in value]
    if twice := [group for group in groups if last.count(id(group)) > 1]:
        raise error_at(
            twice[0][0][0].op,
            f"is read by streams of several groups of buffers, each with a memtile of its own, and cannot be adjacent to all "
            f"({ADJACENT}); let the streams that read it read buffers of one of them only",
        )
    groups = [group for group in groups if id(group) not in last]
    tiles = [(column, row) for row in device.mem_rows for column in columns]
    if groups and not tiles:
        return no_match(groups[0][0][0].op, f"needs a memtile; {device.name} has none in columns {_span(columns)}")
    homes = {id(group): home for group in groups if (home := _home(group, cores, wide)) is not None}
    pins = {id(group): pin for group in groups if (pin := _pin(group, device)) is not None}
    site = _Site(tiles, device, homes, pins, packets)
    groups.sort(key=lambda group: id(group) not in pins)
    bds = {id(group): _bds(group, transfers) for group in groups}
    first = placed = _placed(groups, site, adjacent)
    if isinstance(first, NoMatch):
        hardest = sorted(groups, key=lambda group: (id(group) not in pins, -len(group[1])))
        placed = _placed(hardest, site, adjacent)
    if isinstance(placed, NoMatch):
        return (None if adjacent else _packed(groups, site, bds) or _packed(groups, site)) or first
    crowded = not adjacent and any(n > device.tile(*tile).bds for tile, n in _bds_by_memtile(groups, bds, placed).items())
    return (_packed(groups, site, bds) if crowded else None) or placed


@dataclass(frozen=True)
class _Site:
    """The memtiles, and for groups, by `id`: the preferred column, and the required column."""

    tiles: list[Place]
    device: Device
    homes: Mapping[int, float]
    pins: Mapping[int, int]
    packets: frozenset[str]

    @property
    def all_tiles(self) -> list[Place]:
        """The memtiles, and further ones that groups require."""
        pinned_tiles = {(column, row) for column in self.pins.values() for row in self.device.mem_rows}
        return [*self.tiles, *sorted(pinned_tiles - set(self.tiles))]

    def order(self, group: Group, rotation: int) -> list[Place]:
        """The memtiles for a group, in the order in which to try them."""
        pin, home = self.pins.get(id(group)), self.homes.get(id(group))
        if pin is not None:
            return [tile for tile in self.all_tiles if tile[0] == pin]
        order = [*self.tiles[rotation:], *self.tiles[:rotation]]
        if home is not None:
            order.sort(key=lambda t: abs(t[0] - home))
        return order


def required_column(buffer: Buffer) -> int | None:
    """The column that a buffer requires, from an attribute of its allocation or of the `air.execute` around it."""
    for op in (buffer.op, buffer.op.parent):
        if op is not None and MEMTILE_COLUMN in op.operation.attributes:
            return int(op.operation.attributes[MEMTILE_COLUMN].value)
    return None


def _pin(group: Group, device: Device) -> int | None:
    """The column that the buffers of a group require; DiagnosticError if they require several."""
    buffers: dict[int, Buffer] = {}
    for buffer in group[0]:
        column = required_column(buffer)
        if column is None:
            continue
        if not 0 <= column < device.columns or not device.mem_rows:
            warn_at(
                buffer.op, f"asks for {MEMTILE_COLUMN} {column}, where {device.name} has no memtile; the attribute is ignored"
            )
            continue
        buffers[column] = buffer
    if len(buffers) > 1:
        raise error_at(
            next(iter(buffers.values())).op,
            f"asks for {MEMTILE_COLUMN} {' and '.join(map(str, sorted(buffers)))} with a buffer on the same DMA channel;"
            " give both one column, or channels of their own",
        )
    return next(iter(buffers), None)


def _home(group: Group, cores: Mapping[Key, set[Place]], wide: set[Place]) -> float | None:
    """The preferred column of a group; None if it has no preference."""
    members, streams = group
    served = [place for key, _ in streams for place in cores.get(key, ())]
    if served and all(KEPT_WHOLE in b.op.attributes for b in members):
        return sum(column for column, _ in served) / len(served)
    broad = wide & set(served)
    return next(iter(broad))[0] if len(broad) > 1 and len({column for column, _ in broad}) == 1 else None


def belongs(transfer: Transfer, marked: Container[int]) -> bool:
    """Whether the stream of `transfer` has its channel in the memtile of its buffer; `marked` are the buffers for adjacent
    memtiles."""
    if not transfer.put:
        return INTO_ADJACENT not in transfer.op.attributes
    return (transfer.buffer in marked) == (FROM_ADJACENT in transfer.op.attributes)


def _near(group: Group, groups: list[Group], transfers: list[Transfer], marked: set[int]) -> list[Group]:
    """The groups that belong in a memtile adjacent to that of `group`: its streams read them, or theirs fill its buffers."""
    own_numbers = {b.number for b in group[0]}
    if own_numbers & marked:
        return []
    read = {t.buffer for t in transfers if t.put and t.stream in group[1] and t.buffer in marked}
    filling = {t.stream for t in transfers if INTO_ADJACENT in t.op.attributes and t.buffer in own_numbers}
    return [g for g in groups if read & {b.number for b in g[0]} or filling & g[1]]


def _joined(groups: list[Group]) -> Group:
    """One group with the buffers of all groups."""
    return [b for members, _ in groups for b in members], set().union(*(streams for _, streams in groups))


def _placed(groups: list[Group], site: _Site, adjacent: Adjacent) -> dict[int, Place] | NoMatch:
    """A memtile for each buffer: places the groups in order, each with the group that belongs in an adjacent memtile."""
    places: dict[int, Place] = {}
    device, tiles = site.device, site.tiles
    loads = {tile: _Load(0, set(), site.packets) for tile in site.all_tiles}
    rotation = 0
    for group in groups:
        members, streams = group
        size = sum(b.bytes for b in members)
        choices = _memtile_choices(site.order(group, rotation), adjacent.get(id(group)), loads, device)
        tile, near = next(((t, n) for t, n in choices if loads[t].takes(size, streams, device, t)), (None, None))
        if tile is None:
            tile_loads = {tile: loads[tile] for tile in site.order(group, 0)}
            return _no_room(members, size, streams, tile_loads, device, adjacent.get(id(group)))
        if near is not None:
            rest, more = adjacent[id(group)]
            loads[near] = _Load(loads[near].bytes + sum(b.bytes for b in rest), loads[near].streams | more, site.packets)
            places |= {b.number: near for b in rest}
        if id(group) not in site.homes and id(group) not in site.pins:
            rotation = (tiles.index(max(tile, near or tile)) + 1) % len(tiles)
        loads[tile] = _Load(loads[tile].bytes + size, loads[tile].streams | streams, site.packets)
        places |= {b.number: tile for b in members}
    return places


def _memtile_choices(
    order: list[Place], adjacent: Group | None, loads: Mapping[Place, _Load], device: Device
) -> Iterator[tuple[Place, Place | None]]:
    """The memtiles in `order`, each with an adjacent memtile that has room for the group `adjacent`, or with None without
    such a group."""
    for tile in order:
        if adjacent is None:
            yield tile, None
            continue
        members, streams = adjacent
        for side in ((tile[0] + 1, tile[1]), (tile[0] - 1, tile[1])):
            if side in loads and loads[side].takes(sum(b.bytes for b in members), streams, device, side):
                yield tile, side


def _bds(group: Group, transfers: list[Transfer]) -> int:
    """The BDs of the streams of a group: one for each different transfer."""
    return len({t.bd_key for t in transfers if t.stream in group[1]})


def _bds_by_memtile(groups: list[Group], bds: Mapping[int, int], placed: Mapping[int, Place]) -> dict[Place, int]:
    """The BDs in each memtile."""
    results: dict[Place, int] = {}
    for group in groups:
        tile = placed[group[0][0].number]
        results[tile] = results.get(tile, 0) + bds[id(group)]
    return results


def _packed(groups: list[Group], site: _Site, bds: Mapping[int, int] | None = None) -> dict[int, Place] | None:
    """A memtile for each buffer from an exhaustive search, with room for all groups and their `bds`."""
    items = [(sum(b.bytes for b in g[0]), *_ends(g[1]), bds[id(g)] if bds else 0) for g in groups]
    tiles = site.all_tiles
    rooms = [(site.device.tile(*t).memory, *site.device.tile(*t).channels, site.device.tile(*t).bds) for t in tiles]
    near = [[tiles.index(tile) for tile in site.order(group, 0)] for group in groups]
    result = pack(items, rooms, near)
    if result is None:
        return None
    return {b.number: tiles[tile] for tile, (members, _) in zip(result, groups, strict=True) for b in members}


def _ends(streams: set[tuple[Key, bool]]) -> tuple[int, int]:
    """The numbers of incoming and outgoing streams."""
    return sum(not is_put for _, is_put in streams), sum(is_put for _, is_put in streams)


class _Load:
    """The bytes and streams that are assigned to a memtile."""

    def __init__(self, size: int, streams: set[tuple[Key, bool]], packets: frozenset[str]):
        self.bytes, self.streams, self.packets = size, streams, packets

    def takes(self, size: int, streams: set[tuple[Key, bool]], device: Device, place: Place) -> bool:
        tile = device.tile(*place)
        gets, puts = _ends(self.streams | streams)
        shared = sum(is_put and key[0] in self.packets for key, is_put in self.streams | streams)
        used = gets, puts if puts <= tile.channels[1] else puts - max(0, shared - 1)
        return self.bytes + size <= tile.memory and all(u <= c for u, c in zip(used, tile.channels, strict=True))


def _groups(buffers: list[Buffer], transfers: list[Transfer]) -> list[Group]:
    """Groups of buffers that share streams, in the order of the buffers."""
    touched: dict[int, set[tuple[Key, bool]]] = {b.number: set() for b in buffers}
    for transfer in transfers:
        touched[transfer.buffer].add(transfer.stream)
    groups: list[Group] = []
    for buffer in buffers:
        streams = touched[buffer.number]
        near = [g for g in groups if g[1] & streams]
        merged = ([b for g in near for b in g[0]] + [buffer], set().union(streams, *(g[1] for g in near)))
        if near:
            groups[groups.index(near[0])] = merged
            groups = [g for g in groups if g not in near[1:]]
        else:
            groups.append(merged)
    return groups


def _no_room(
    members: list[Buffer],
    size: int,
    streams: set[tuple[Key, bool]],
    loads: Mapping[Place, _Load],
    device: Device,
    adjacent: Group | None,
) -> NoMatch:
    """The failure of a group, with its needs and the load of each memtile."""
    gets, puts = _ends(streams)
    tiles = []
    for (column, row), load in loads.items():
        ends = _ends(load.streams)
        tiles.append(f"({column},{row}) holds {load.bytes:,} bytes, {ends[0]} S2MM and {ends[1]} MM2S channels")
    tile = device.tile(*next(iter(loads)))
    need = f"{size:,} bytes, {gets} S2MM and {puts} MM2S channels"
    if adjacent is not None:
        near, (more_gets, more_puts) = sum(b.bytes for b in adjacent[0]), _ends(adjacent[1])
        need += f", with an adjacent memtile that has room for {len(adjacent[0])} more ({ADJACENT}), {near:,} bytes"
        need += f", {more_gets} S2MM and {more_puts} MM2S channels"
    return no_match(
        members[0].op,
        f"finds no memtile for {counted(len(members), 'buffer')} with shared DMA channels, of {need}; a memtile has "
        f"{tile.memory:,} bytes, "
        f"{tile.channels[0]} and {tile.channels[1]}. Use smaller tiles, or split the buffers (air-split-l2-memref)",
        *tiles,
    )


def _span(columns: range) -> str:
    return f"{columns.start} to {columns.stop - 1}" if columns else "none"
