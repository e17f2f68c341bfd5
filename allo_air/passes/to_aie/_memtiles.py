"""Builds the programs of memtiles, some of whose channels access buffers in adjacent memtiles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import NEIGHBOUR_CHANNELS
from allo_air.core.diagnostics import error_at
from allo_air.device import BDFormat, Device
from allo_air.errors import counted
from allo_air.passes._analysis.channel_ends import ADJACENT, IN_LOCKSTEP
from allo_air.passes.to_aie._bundles import Bundle
from allo_air.passes.to_aie._channels import Preferences, Stream, number
from allo_air.passes.to_aie._design import BD, Buffer, Hold, Lock, Place, Ring, TileProgram, Transfer, in_text_order
from allo_air.passes.to_aie._limits import fits
from allo_air.passes.to_aie._packets import check_preferences, lanes_of_memtile, on_lanes, preferences_of
from allo_air.passes.to_aie._parts import cut
from allo_air.passes.to_aie._periods import items, pick
from allo_air.passes.to_aie._placement import belongs
from allo_air.passes.to_aie._program import Planned, bds_of, numbered, plan, rings_of, sequences_of_buffers
from allo_air.passes.to_aie._rows import in_rows
from allo_air.passes.to_aie._sequences import LockScheme, Step, sequence_of

if TYPE_CHECKING:
    from allo_air.passes.to_aie._periods import Loop

NO_CHAIN = "air.no_chain_lock"
"""Attribute of an allocation whose readers need no chain of locks."""

MORE = (16, 8, 4)
"""Numbers of BDs for split transfers, tried in order if the tiles have too few BDs for all splits."""

Program = tuple[Planned, list[Transfer]]
"""A tile's program, and the transfers of its channels."""


def memtile_programs(
    tree: tuple[Transfer | Loop, ...],
    buffers: list[Buffer],
    homes: Mapping[int, Place],
    device: Device,
    bundles: Mapping[str, Bundle],
    locks: LockScheme = LockScheme.SHARED,
    outside: Collection[str] = (),
) -> dict[Place, Program]:
    """The program of each memtile with buffers; `homes` gives the memtile of each buffer by number. Streams of the bundles
    `outside`, which end at shims, get the first channels, as in mlir-air. A stream from buffers in several memtiles has its
    channel in the memtile of the buffers that are not marked as adjacent, or of the marked ones if its puts say so. A stream
    into several memtiles has its channel in the memtile of the buffers whose gets are not marked as adjacent.
    """
    adjacent = {b.number for b in buffers if ADJACENT in b.op.attributes}
    place_of: dict[Stream, Place] = {}
    for transfer in items(tree):
        if transfer.stream not in place_of or belongs(transfer, adjacent):
            place_of[transfer.stream] = homes[transfer.buffer]
    lanes: dict[Stream, Stream] = {}
    for place in set(place_of.values()):
        lanes |= lanes_of_memtile([s for s, there in place_of.items() if there == place], device.tile(*place), bundles)
    tree = on_lanes(tree, lanes)
    preferences = replace(
        preferences_of(place_of, bundles, memtile=True), first=frozenset(s for s in place_of if s[0][0] in outside)
    )
    for stream, least in preferences.least.items():
        check_preferences(device.tile(*place_of[stream]), {stream: least}, bundles)
    schemes = _schemes(buffers, tree, locks)
    site = _SharedFacts(
        homes, place_of, device, frozenset(b.number for b in buffers if IN_LOCKSTEP in b.op.attributes), preferences
    )
    by_place: dict[Place, Program] = {}
    for places in _joined(tree, homes, place_of):
        selected = pick(tree, lambda t, places=places: homes[t.buffer] in places)  # type: ignore[misc]
        if not selected:
            continue
        form = device.tile(*places[0]).bd
        assert form is not None
        for trial in _trials(selected, form, bundles):
            programs = _fitting(places, trial, site, schemes, form, locks)
            if all(fits(planned.program, device) for planned, _ in programs.values()):
                break
        by_place |= programs
    return dict(sorted(by_place.items()))


def _trials(tree: tuple[Transfer | Loop, ...], form: BDFormat, bundles: Mapping[str, Bundle]) -> Iterator[tuple[Any, ...]]:
    """`tree`, and then `tree` with consecutive transfers joined. Packet transfers are not joined, since other packets may
    come between them."""
    yield tree
    joined = in_rows(tree, form, lambda t: t.lane is None and not bundles[t.key[0]].is_packet)
    if joined != tree:
        yield joined


def _fitting(
    places: list[Place],
    tree: tuple[Transfer | Loop, ...],
    site: _SharedFacts,
    schemes: Mapping[int, LockScheme],
    form: BDFormat,
    locks: LockScheme,
) -> dict[Place, Program]:
    """The programs of `places` with as many split transfers as their BDs allow."""
    budgets = [0]
    if locks is LockScheme.ONE_TAKER:
        used = len({t.bd_key for t in items(tree)})
        budgets = [sum(site.device.tile(*p).bds for p in places), *(used + more for more in MORE), 0]
    for budget in budgets:
        trial, left = cut(tree, budget, form) if locks is LockScheme.ONE_TAKER else (tree, ())
        programs = _of_places(places, trial, site, {**schemes, **dict.fromkeys(left, LockScheme.SHARED)})
        if all(fits(planned.program, site.device) for planned, _ in programs.values()):
            break
    return programs


@dataclass(frozen=True)
class _SharedFacts:
    """Data shared by the programs of a segment's memtiles: the place of each buffer and of each stream's channel, the device,
    the buffers whose readers advance together, and the preferences for channels."""

    homes: Mapping[int, Place]
    places: Mapping[Stream, Place]
    device: Device
    in_step: frozenset[int]
    preferences: Preferences


def _of_places(
    places: list[Place], tree: tuple[Transfer | Loop, ...], site: _SharedFacts, schemes: Mapping[int, LockScheme]
) -> dict[Place, Program]:
    """The programs of `places`; if there are several, their channels access each other's buffers."""
    transfers, steps = list[Transfer](items(tree)), sequences_of_buffers(tree)
    if len(places) > 1:
        planned = _together(places, tree, steps, site, schemes)
        return {place: (planned[place], [t for t in transfers if site.places[t.stream] == place]) for place in places}
    [place] = places
    return {place: (plan(place, tree, steps, frozenset(), site.device.tile(*place), site.preferences, schemes), transfers)}


def _schemes(buffers: list[Buffer], tree: tuple[Transfer | Loop, ...], locks: LockScheme) -> dict[int, LockScheme]:
    """The locking scheme of each buffer; locks are not chained if the attribute for several readers forbids it."""
    schemes = {b.number: locks for b in buffers}
    for buffer in buffers if locks is LockScheme.CHAINED else ():
        readers = {t.stream for t in items(tree) if t.put and t.buffer == buffer.number}
        if len(readers) > 1 and NO_CHAIN in buffer.op.attributes:
            schemes[buffer.number] = LockScheme.SHARED
    return schemes


def _joined(
    tree: tuple[Transfer | Loop, ...], homes: Mapping[int, Place], place_of: Mapping[Stream, Place]
) -> list[list[Place]]:
    """The memtiles in groups whose channels access each other's buffers."""
    groups = [{place} for place in sorted(set(homes.values()))]
    for transfer in items(tree):
        near = [g for g in groups if g & {homes[transfer.buffer], place_of[transfer.stream]}]
        if len(near) > 1:
            groups = [g for g in groups if g not in near] + [set().union(*near)]
    return [sorted(group) for group in groups]


def _together(
    places: list[Place],
    tree: tuple[Transfer | Loop, ...],
    steps: Mapping[int, tuple[Step, ...]],
    site: _SharedFacts,
    schemes: Mapping[int, LockScheme],
) -> dict[Place, Planned]:
    """The programs of memtiles that access each other's buffers; a lock is in the memtile of its buffers."""
    homes, place_of, rings = site.homes, site.places, rings_of(tree)
    sequences = [sequence_of(b, s, rings, in_step=b in site.in_step, locks=schemes[b]) for b, s in steps.items()]
    locks, holds, _ = numbered(sequences, rings, homes, steps)
    owners = {
        use[0]: homes[buffer]
        for (buffer, _), item in holds.items()
        for hold in item
        for use in (hold.acquire, hold.release)
        if use
    }
    new_values: dict[Place, tuple[Ring, ...]] = {}
    channels: dict[Place, dict[Stream, int]] = {}
    for place in places:
        tile = site.device.tile(*place)
        assert tile.bd is not None
        bds = {s: bds_of(s, ring, holds, tile.bd) for s, ring in rings.items() if place_of[s] == place}
        far = frozenset(s for s in bds if any(homes[t.buffer] != place for t in rings[s]))
        _check_far(place, far, rings)
        channels[place] = number({s: len(item) for s, item in bds.items()}, tile, far, site.preferences)
        new_values[place] = tuple(Ring(s[1], channels[place][s], item) for s, item in bds.items())
    new = _renumbered(places, new_values, locks, owners)
    results = {}
    for place in places:
        inits = tuple(Lock(new[lock.number], lock.init) for lock in locks if owners[lock.number] == place)
        own = tuple(
            replace(ring, bds=tuple(_with(bd, new, homes[bd.buffer], place) for bd in ring.bds)) for ring in new_values[place]
        )
        program = TileProgram(place, tuple(sorted(inits, key=lambda lock: lock.number)), own)
        results[place] = Planned(program, channels[place], ())
    return results


def _check_far(place: Place, far: frozenset[Stream], rings: Mapping[Stream, tuple[Transfer, ...]]) -> None:
    """DiagnosticError if more channels of a memtile access adjacent memtiles than the hardware allows."""
    for put in (False, True):
        many = [s for s in rings if s in far and s[1] is put]
        if len(many) > NEIGHBOUR_CHANNELS:
            raise error_at(
                rings[many[NEIGHBOUR_CHANNELS]][0].op,
                f"is on one of {counted(len(many), 'channel')} of memtile ({place[0]},{place[1]}) that access "
                f"buffers of an adjacent one "
                f"({ADJACENT}), which {NEIGHBOUR_CHANNELS} in each direction can; let fewer channels read them",
            )


def _renumbered(
    places: list[Place], rings: Mapping[Place, tuple[Ring, ...]], locks: list[Lock], owners: Mapping[int, Place]
) -> dict[int, int]:
    """The numbers of the locks in their tiles: ring by ring, locks with initial value 0 first, the tile's own rings before
    others."""
    inits, new = {lock.number: lock.init for lock in locks}, dict[int, int]()
    for place in places:
        order: list[int] = []
        for program_place in sorted(places, key=lambda p: p != place):
            for ring in in_text_order(rings[program_place]):
                used = [hold[0] for bd in ring.bds for hold in (bd.hold.acquire, bd.hold.release) if hold]
                own_numbers = dict.fromkeys(n for n in used if owners[n] == place and n not in order)
                order += sorted(own_numbers, key=lambda n: inits[n])
        new |= {old: position for position, old in enumerate(order)}
    return new


def _with(bd: BD, new: Mapping[int, int], home: Place, place: Place) -> BD:
    def renamed(hold: tuple[int, int] | None) -> tuple[int, int] | None:
        return hold and (new[hold[0]], hold[1])

    hold = Hold(renamed(bd.hold.acquire), renamed(bd.hold.release))
    return replace(bd, hold=hold, home=None if home == place else home)
