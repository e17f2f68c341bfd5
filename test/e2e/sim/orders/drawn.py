"""Small AIE designs that are drawn: streams between tiles, lock pairs, cores that take and give; faults planted in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

WORDS = 192
"""Words of an object: more than the FIFOs of a stream hold."""

Op = tuple[str, str, int]
"""`acquire` or `release`, a lock, and how much."""


@dataclass(frozen=True)
class Bd:
    """A BD: a lock with an amount that it takes, words, a lock with an amount that it gives; no lock is ''."""

    take: str
    taken: int
    words: int
    give: str
    given: int


@dataclass(frozen=True)
class Channel:
    """A DMA channel: tile (0 is the shim), direction, number, and a ring of BDs; the shim's has the words of its one task."""

    tile: int
    sends: bool
    number: int
    bds: tuple[Bd, ...] = ()
    words: int = 0


@dataclass(frozen=True)
class Drawn:
    """A design: locks by name with their tile and initial value, channels, streams between these by number, cores by tile.

    `sequence` starts the task of a shim channel, or waits for it.
    """

    locks: dict[str, tuple[int, int]] = field(default_factory=dict)
    channels: tuple[Channel, ...] = ()
    streams: tuple[tuple[int, int], ...] = ()
    cores: dict[int, tuple[Op, ...]] = field(default_factory=dict)
    sequence: tuple[tuple[str, int], ...] = ()


def draw(rng: random.Random) -> Drawn:
    """A design of one or two tiles: tasks are as long as what comes, and cores have an order of their own."""
    tiles, rounds = rng.choice((1, 2, 2)), rng.choice((2, 3))
    ways = [(0, 1), (tiles, 0)] + ([(1, 2)] if tiles == 2 else [])
    if rng.random() < 0.6:
        ways.append(rng.choice([(0, tiles), (1, 0)] + ([(2, 1), (1, 2)] if tiles == 2 else [])))
    rng.shuffle(ways)
    locks: dict[str, tuple[int, int]] = {}
    channels: list[Channel] = []
    streams: list[tuple[int, int]] = []
    uses: dict[int, list[list[Op]]] = {t: [] for t in range(1, tiles + 1)}

    def end(name: str, tile: int, sends: bool, rate: int) -> None:
        number = sum(c.tile == tile and c.sends == sends for c in channels)
        if tile == 0:
            channels.append(Channel(0, sends, number, words=WORDS * rounds * rate))
            return
        depth, at_once = rng.choice((1, 1, 2)), rng.random() < 0.4
        held = rate if at_once else 1
        locks[f"{name}_free"] = tile, max(depth, held)
        locks[f"{name}_full"] = tile, 0
        first, second = (f"{name}_full", f"{name}_free") if sends else (f"{name}_free", f"{name}_full")
        channels.append(Channel(tile, sends, number, (Bd(first, 1, WORDS, second, 1),)))
        times = 1 if at_once else rate
        uses[tile] += [[("acquire", second, held), ("release", first, held)]] * times

    for n, (source, dest) in enumerate(ways):
        rate = rng.choice((1, 1, 2))
        end(f"s{n}", source, True, rate)
        end(f"d{n}", dest, False, rate)
        streams.append((len(channels) - 2, len(channels) - 1))
    cores = {}
    for tile, mine in uses.items():
        rng.shuffle(mine)
        if rng.random() < 0.5:
            cores[tile] = tuple(op for use in mine for op in use)
        else:  # all are held, then all are given back
            cores[tile] = tuple(use[k] for k in range(2) for use in mine)
    shim = [n for n, c in enumerate(channels) if c.tile == 0]
    rng.shuffle(shim)
    waits = [n for n in shim if not channels[n].sends or rng.random() < 0.2]
    sequence = [("start", n) for n in shim] + [("wait", n) for n in waits]
    if rng.random() < 0.3:  # a wait that comes sooner, anywhere after its start
        early = sequence.pop()
        sequence.insert(rng.randrange(sequence.index(("start", early[1])) + 1, len(sequence) + 1), early)
    return Drawn(locks, tuple(channels), tuple(streams), cores, tuple(sequence))


def plant(drawn: Drawn, rng: random.Random) -> Drawn:
    """`drawn` with a fault, which may be none in the end."""
    kind = rng.choice(("drop", "swap", "init", "length", "amount", "shared", "wait", "mutex"))
    tile = rng.choice(list(drawn.cores))
    code = list(drawn.cores[tile])
    if kind == "drop" and code:
        del code[rng.randrange(len(code))]
    elif kind == "swap" and len(code) > 1:
        n = rng.randrange(len(code) - 1)
        code[n], code[n + 1] = code[n + 1], code[n]
    elif kind == "amount" and code:
        n = rng.randrange(len(code))
        code[n] = (*code[n][:2], code[n][2] + 1)
    elif kind == "init":
        name = rng.choice(list(drawn.locks))
        at, value = drawn.locks[name]
        return replace(drawn, locks=drawn.locks | {name: (at, max(0, value + rng.choice((-1, 1))))})
    elif kind == "length":
        n = rng.choice([n for n, c in enumerate(drawn.channels) if c.bds])
        channels = list(drawn.channels)
        bd = channels[n].bds[0]
        channels[n] = replace(channels[n], bds=(replace(bd, words=bd.words + rng.choice((-64, 64))),))
        return replace(drawn, channels=tuple(channels))
    elif kind == "shared":
        same = [n for n, c in enumerate(drawn.channels) if c.tile == tile and not c.sends]
        if len(same) == 2:  # both fill under the first one's locks
            first, second = (drawn.channels[n].bds[0] for n in same)
            names = {second.take: first.take, second.give: first.give}
            channels = list(drawn.channels)
            channels[same[1]] = replace(channels[same[1]], bds=(replace(second, take=first.take, give=first.give),))
            locks = dict(drawn.locks)
            locks[first.take] = tile, locks[first.take][1] + locks[second.take][1]
            merged = tuple((k, names.get(name, name), n) for k, name, n in code)
            return replace(drawn, channels=tuple(channels), locks=locks, cores=drawn.cores | {tile: merged})
    elif kind == "wait" and len(drawn.sequence) > 1:
        sequence = list(drawn.sequence)
        n = rng.randrange(len(sequence) - 1)
        if sequence[n][1] != sequence[n + 1][1]:
            sequence[n], sequence[n + 1] = sequence[n + 1], sequence[n]
        return replace(drawn, sequence=tuple(sequence))
    elif kind == "mutex" and len(drawn.cores) == 2:
        names = ["mutex_a", "mutex_b"]
        cores = {}
        for at, ops in drawn.cores.items():
            rng.shuffle(names)
            k = rng.randrange(len(ops) + 1)
            held = [("acquire", n, 1) for n in names] + [("release", n, 1) for n in names]
            cores[at] = (*ops[:k], *held, *ops[k:])
        return replace(drawn, cores=cores, locks=drawn.locks | {"mutex_a": (1, 1), "mutex_b": (1, 1)})
    return replace(drawn, cores=drawn.cores | {tile: tuple(code)})


def text(drawn: Drawn) -> str:
    """The design in MLIR."""
    tiles = sorted({c.tile for c in drawn.channels})
    lines = ["module {", "  aie.device(npu2) {"]
    for t in tiles:
        lines.append(f"    %t{t} = aie.tile(0, {t + 1 if t else 0})")
    numbers: dict[int, int] = {}
    for name, (t, init) in drawn.locks.items():
        numbers[t] = numbers.get(t, -1) + 1
        lines.append(f'    %{name} = aie.lock(%t{t}, {numbers[t]}) {{init = {init} : i32, sym_name = "{name}"}}')
    for a, b in drawn.streams:
        x, y = drawn.channels[a], drawn.channels[b]
        lines.append(f"    aie.flow(%t{x.tile}, DMA : {x.number}, %t{y.tile}, DMA : {y.number})")
    for n, c in enumerate(drawn.channels):
        for k, bd in enumerate(c.bds):
            lines.append(
                f'    %b{n}_{k} = aie.buffer(%t{c.tile}) {{sym_name = "b{n}_{k}"}} : memref<{bd.words}xi32> = dense<{n}>'
            )
    for t, code in drawn.cores.items():
        lines.append(f"    aie.core(%t{t}) {{")
        lines += ["      %c0 = arith.constant 0 : index", "      %c1 = arith.constant 1 : index"]
        lines += ["      %ever = arith.constant 4294967295 : index", "      scf.for %i = %c0 to %ever step %c1 {"]
        for kind, name, amount in code:
            action = "AcquireGreaterEqual" if kind == "acquire" else "Release"
            lines.append(f"        aie.use_lock(%{name}, {action}, {amount})")
        lines += ["      }", "      aie.end", "    }"]
    for t in tiles[1:]:
        lines.append(f"    aie.mem(%t{t}) {{")
        mine = [(n, c) for n, c in enumerate(drawn.channels) if c.tile == t]
        for place, (n, c) in enumerate(mine):
            way, after = ("MM2S" if c.sends else "S2MM"), f"^p{place + 1}" if place + 1 < len(mine) else "^end"
            if place:
                lines.append(f"    ^p{place}:")
            lines.append(f"      %{place} = aie.dma_start({way}, {c.number}, ^b{n}_0, {after})")
            for k, bd in enumerate(c.bds):
                lines.append(f"    ^b{n}_{k}:")
                if bd.take:
                    lines.append(f"      aie.use_lock(%{bd.take}, AcquireGreaterEqual, {bd.taken})")
                lines.append(f"      aie.dma_bd(%b{n}_{k} : memref<{bd.words}xi32>, 0, {bd.words})")
                if bd.give:
                    lines.append(f"      aie.use_lock(%{bd.give}, Release, {bd.given})")
                lines.append(f"      aie.next_bd ^b{n}_{(k + 1) % len(c.bds)}")
        lines += ["    ^end:", "      aie.end", "    }"]
    shim = [(n, c) for n, c in enumerate(drawn.channels) if c.tile == 0]
    for n, c in shim:
        lines.append(f"    aie.shim_dma_allocation @h{n}(%t0, {'MM2S' if c.sends else 'S2MM'}, {c.number})")
    arguments = ", ".join(f"%a{n} : memref<{c.words}xi32>" for n, c in shim)
    lines.append(f"    aie.runtime_sequence({arguments}) {{")
    for kind, n in drawn.sequence:
        if kind == "wait":
            lines.append(f"      aiex.npu.dma_wait {{symbol = @h{n}}}")
            continue
        size = drawn.channels[n].words
        lines.append(
            f"      aiex.npu.dma_memcpy_nd(%a{n}[0, 0, 0, 0][1, 1, 1, {size}][0, 0, 0, 1])"
            f" {{id = {n} : i64, metadata = @h{n}, issue_token = true}} : memref<{size}xi32>"
        )
    return "\n".join([*lines, "    }", "  }", "}", ""])


def sizes(drawn: Drawn) -> list[int]:
    """The words of the host's arrays."""
    return [c.words for c in drawn.channels if c.tile == 0]
