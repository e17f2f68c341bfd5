"""Resources of epilogue operands whose tiles share the channels of A and B."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import inf

from allo_air.access.fields import WORD
from allo_air.device import Device
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes.linalg._plan import GemmPlan, Panel, piece
from allo_air.passes.linalg._problem import EpilogueOperand, Problem


def beside_result(device: Device) -> int:
    """Memtile descriptors for A and B in, or for A and B out: half of them serve the channels of the parity that C's use,
    too.
    """
    return device.tiles["mem"].bds // 2 - device.tiles["mem"].channels[0]


def l2_bytes(plan: GemmPlan, problem: Problem, along: str) -> int:
    """Bytes in L2 of operands that follow A ("m"), for the rows of one core, or B ("n"), for the columns of one core."""
    if not problem.epilogue:
        return 0
    if plan.shared:
        if plan.shared != {"m": "a", "n": "b"}[along]:
            return 0
        if plan.spread:
            return (1 + (plan.k_piece < plan.k)) * plan.k_piece // plan.k_step * slice_bytes(plan, problem)
        return sum(_turn_l2_bytes(plan, problem, s) for s in problem.epilogue)
    if along == "n":
        return sum(plan.herd_n * s.bits // 8 for s in problem.epilogue if s.along == "n")
    columns = {"m": 1, "mn": plan.array_n}
    return sum(plan.herd_m * columns[s.along] * s.bits // 8 for s in problem.epilogue if s.along != "n")


def slice_bytes(plan: GemmPlan, problem: Problem) -> int:
    """Bytes of the slices of all operands that arrive with a step along k."""
    return sum(plan.slice_elements(o.along) * o.bits // 8 for o in problem.epilogue)


def _turn_l2_bytes(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> int:
    if operand.along == "mn":
        size = _whole_piece(plan, problem, operand)
        again = plan.k_piece == plan.k and plan.tiles > 1  # the loop over tiles is the one that has two buffers of each
        return (2 if again else min(2, plan.walked_array // size)) * size * plan.on_tile * operand.bits // 8
    size = plan.line(problem, operand.along, operand.bits)
    length = plan.walked_array if plan.is_walked(operand.along) else plan.on_tile
    return (plan.turn_bytes(problem) + (size == length) * size * operand.bits // 8) * length // max(1, size)


def _whole_piece(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> int:
    """Rows or columns of an operand of the result's size that an L2 buffer holds, as `chunk-l2-copies` cuts it."""
    return piece(plan.walked_array, plan.chunk(problem, operand), plan.k_piece)


def why_not_multiplexed(plan: GemmPlan, problem: Problem, device: Device, rows: int, columns: int) -> str | None:
    """Why operands cannot alternate with the steps along k of the operand whose channel they share."""
    other: str = {"a": "b", "b": "a"}[plan.multiplexed]
    if plan.panel not in ("", other):
        return f"keeps a panel of {plan.panel.upper()}, whose channel other operands of the result share"
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    if steps % 2 or (pieces > 1 and pieces % 2):
        return f"makes {steps} steps in {pieces} pieces along k, which do not leave two buffers as they began"
    if why := no_turns(plan, problem):
        return why
    extra_in = extra_out = 0
    for operand in problem.epilogue:
        if operand.along == "mn":
            parts = plan.walked_array // _whole_piece(plan, problem, operand)
            if parts > 1 and parts % 2:
                return f"brings the operand of the result's size in {parts} pieces, an odd number"
            extra_in, extra_out = extra_in + parts, extra_out + parts
        else:
            extra_in, extra_out = extra_in + 1, extra_out + plan.turns_of(problem, operand)
    again = ring(plan.tiles) if pieces == 1 else 1  # the loop over tiles is the one that has two buffers of each
    ins, outs = _sides_of(plan.multiplexed, bool(plan.panel), plan.cores_n, pieces, extra_in, extra_out, rows, columns, again)
    tile = device.tiles["mem"]
    if not _packs(ins, outs, tile.channels, tile.bds // 2):
        return (
            f"makes {pieces} pieces along k in L2, between the tiles of other operands, for {sum(ins)} buffer descriptors into "
            f"a memtile and {sum(outs)} out of it; a half of its channels has {tile.bds // 2}"
        )
    return None


def most(plan: GemmPlan, problem: Problem, device: Device, rows: int, columns: int) -> tuple[float, float]:
    """The largest numbers of steps along k and of pieces in L2 that `rings` allows."""
    if not problem.epilogue:
        return inf, inf
    mem = device.tiles["mem"]
    if plan.spread:
        return inf, inf
    if plan.multiplexed:
        count = len(problem.epilogue)
        return inf, _most_turned(
            plan.multiplexed, bool(plan.panel), plan.cores_n, count, rows, columns, mem.channels, mem.bds // 2
        )
    return _most_apart(*plan.epilogue_tiles(problem), rows, columns, device.tiles["core"].bds, beside_result(device))


@lru_cache(maxsize=256)
def _most_turned(
    multiplexed: Panel, panel: bool, cores_n: int, operands: int, rows: int, columns: int, channels: tuple[int, int], half: int
) -> int:
    """The most pieces if each other operand arrives in one transfer."""
    counts = (1, *range(2, half, 2))
    sides = ((n, _sides_of(multiplexed, panel, cores_n, n, operands, operands, rows, columns)) for n in counts)
    return max((n for n, (ins, outs) in sides if _packs(ins, outs, channels, half)), default=0)


@lru_cache(maxsize=256)
def _most_apart(on_a: int, on_b: int, rows: int, columns: int, core: int, half: int) -> tuple[int, int]:
    """The most steps, and pieces, if the given numbers of other operands' tiles follow those of A and of B."""
    steps = (n for n in range(1, core) if ring(n, on_a) + ring(n, on_b) + 1 <= core)
    pieces = (n for n in range(1, half) if max((1 + rows) * ring(n, on_a), (1 + columns) * ring(n, on_b)) <= half)
    return max(steps, default=0), max(pieces, default=0)


def _sides_of(
    multiplexed: Panel,
    panel: bool,
    cores_n: int,
    pieces: int,
    extra_in: int,
    extra_out: int,
    rows: int,
    columns: int,
    again: int = 1,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Descriptors of each channel into a memtile, and out of it, if the given numbers of other operands' transfers alternate,
    `again` times.
    """
    other = 8 if panel else ring(pieces)
    into, out = (other, again * (pieces + extra_in)), (other, again * (pieces + extra_out))
    (a_in, b_in), (a_out, b_out) = (into[::-1], out[::-1]) if multiplexed == "a" else (into, out)
    return (a_in, b_in, *[1] * cores_n), (*[a_out] * rows, *[b_out] * columns, 1)


def no_turns(plan: GemmPlan, problem: Problem) -> str | None:
    """Why not all operands can arrive in transfers as large as a step along k; None if they can."""
    return next((why for operand in problem.epilogue if (why := _no_turns(plan, problem, operand))), None)


def _no_turns(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> str | None:
    """Why an operand cannot arrive in transfers as large as a step along k; None if it can."""
    if operand.bits % problem.bits:
        return f"has elements of {operand.bits} bits among those of {problem.bits} of another operand's buffers"
    size = plan.turn_bytes(problem) * 8 // operand.bits
    micro = plan.micro["ba".index(plan.multiplexed)]
    if operand.along == "mn":
        chunk = plan.chunk(problem, operand)
        fits = chunk and chunk * plan.on_tile == size and chunk % micro == 0 and plan.walked_tile % chunk == 0
        return None if fits and plan.walked_array // chunk % 2 == 0 else "has steps along k that are no chunks of the result"
    length = plan.walked_array if plan.is_walked(operand.along) else plan.on_tile
    if not plan.line(problem, operand.along, operand.bits) or length * operand.bits % WORD:
        return "has steps along k that do not hold a row or column of another operand"
    return None


def slices(plan: GemmPlan, problem: Problem, device: Device, channels: int, parts: int) -> str | None:
    """Why operands cannot arrive in slices with the steps along k of the operand that all cores share; None if they can.

    The shared operand arrives in so many parts over the channels of the other one, of which each column has the given number;
    0 if pieces of both alternate.
    """
    steps, count = plan.k // plan.k_step, len(problem.epilogue)
    if steps == 1:
        return "makes a single step along k, with which no slices of other operands come"
    walked = [o for o in problem.epilogue if o.along == "mn" or plan.is_walked(o.along)]
    size, rest = divmod(plan.walked_array, steps)
    micro = plan.micro["ba".index(plan.shared)]
    if walked and (rest or size % micro or (plan.walked_tile % size and size % plan.walked_tile)):
        return (
            f"makes {steps} steps along k, which do not cut {plan.walked_array} of another operand into slices of cores' tiles"
        )
    if any(plan.slice_elements(o.along) * o.bits % WORD for o in problem.epilogue):
        return "makes slices of another operand that are no whole words"
    core = device.tiles["core"].bds
    if (need := (2 + count) * ring(steps) + 1) > core:
        return f"makes {steps} steps along k, an odd number, which take {need} buffer descriptors of a core; it has {core}"
    tile, cores = device.tiles["mem"], plan.cores // plan.spread
    ins, outs = _slice_rings(plan, 1 + count, cores, channels, parts)
    if not _packs((*ins, *[1] * cores), (*outs, 1), tile.channels, tile.bds // 2):
        return (
            f"makes {plan.k // plan.k_piece} pieces along k in L2, with slices of other operands, for {sum(ins)} buffer "
            f"descriptors into a memtile and {sum(outs)} out of it; a half of its channels has {tile.bds // 2}"
        )
    return None


def _slice_rings(plan: GemmPlan, shared: int, cores: int, channels: int, parts: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Descriptors of each channel into the memtile of the given number of shared operands, and out of it, without results.

    A piece that all cores share has a transfer for each step along k, since slices come in between; slices use the second
    channel of a column.
    """
    pieces, steps = plan.k // plan.k_piece, plan.k_piece // plan.k_step
    if channels == 1:
        each = ring(pieces)
        return (each, each * shared), (*[each] * cores, each * shared * steps)
    if parts:
        each = ring(pieces)
        ins = each * 2, each * (shared if parts == 1 else 1 + shared)
        return ins, (*[each] * cores, each * (max(steps, parts) + (shared - 1) * steps))
    each = ring(pieces // 2)  # of each of two channels
    return (each * (1 + shared),) * 2, (*[2 * each] * cores, 2 * each * shared * steps)


@lru_cache(maxsize=256)
def _packs(ins: tuple[int, ...], outs: tuple[int, ...], channels: tuple[int, int], half: int) -> bool:
    """Whether a memtile has channels for rings of these numbers of descriptors; channels of even and of odd number have `half`
    of them each.
    """

    def sides(sizes: tuple[int, ...], count: int) -> set[int]:
        most = -(-count // 2)
        fewest = max(0, len(sizes) - count // 2)
        return {sum(some) for n in range(fewest, min(most, len(sizes)) + 1) for some in combinations(sizes, n)}

    if len(ins) > channels[0] or len(outs) > channels[1]:
        return False
    every = sum(ins) + sum(outs)
    return any(every - half <= a + b <= half for a in sides(ins, channels[0]) for b in sides(outs, channels[1]))


def rings(plan: GemmPlan, problem: Problem, device: Device, rows: int, columns: int) -> str | None:
    """Buffer descriptors if such tiles follow the steps of a tile of the result; each transfer then has one of its own.

    `rows` and `columns` are the streams by which A and B leave a memtile. A panel would have to wait for them.
    """
    on_a, on_b = (plan.multiplexed == "a", plan.multiplexed == "b") if plan.multiplexed else plan.epilogue_tiles(problem)
    if why := _stream_conflict(plan, rows if on_a else 1, columns if on_b else 1):
        return why
    if plan.multiplexed:
        return why_not_multiplexed(plan, problem, device, rows, columns)
    if plan.panel:
        return "keeps a panel, whose channel other operands of the result share"
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    need = ring(steps, on_a) + ring(steps, on_b) + 1
    if need > device.tiles["core"].bds:
        return (
            f"makes {steps} steps along k, between the tiles of other operands, for {need} buffer descriptors of a core; "
            f"it has {device.tiles['core'].bds}"
        )
    half = beside_result(device)
    a, b = ring(pieces, on_a), ring(pieces, on_b)
    need = max((1 + rows) * a, (1 + columns) * b)
    if need > half:
        return (
            f"makes {pieces} pieces along k in L2, between the tiles of other operands, for {need} buffer descriptors of a "
            f"memtile; {half} are free"
        )
    return None


def _stream_conflict(plan: GemmPlan, *streams: int) -> str | None:
    """Why several streams cannot read pieces that other transfers follow.

    A stream that reads a piece twice in a round could take the other's turn, so that one waits until the other has read it
    (`air-to-aie`).
    """
    pieces, steps = plan.k // plan.k_piece, plan.k_piece // plan.k_step
    if max(streams) == 1 or pieces <= 2 or steps <= STEPS_APART:
        return None
    return (
        f"brings {pieces} pieces of {steps} steps along k, and tiles of other operands, to {max(streams)} streams, of which "
        f"one waits for the other; cores that share an operand are at most {STEPS_APART} steps apart"
    )


def ring(times: int, following: int = 0) -> int:
    """Descriptors of a channel that moves `times` pieces alternately to two buffers, and then `following` tiles.

    Two if the number of pieces is even and nothing follows; otherwise one for each.
    """
    return times + following if following else min(times, 2) if times % 2 == 0 or times == 1 else times
