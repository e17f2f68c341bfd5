"""Cycles of a plan: how long cores, streams and external memory take, and what none of them hides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from allo_air.arch import Core, arch_of, core_of
from allo_air.arch.core import F32_PART_BITS, F32_SPLIT_CYCLES
from allo_air.device import Device
from allo_air.passes._analysis import blocking as jam
from allo_air.passes.linalg._limits import WHOLE, channels_of_large, depths, held_in_l2, parts_of_b
from allo_air.passes.linalg._plan import Plan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import (
    COLD_CYCLES,
    LOCK_CYCLES,
    PANEL_PARTS,
    PUSH_CYCLES,
    SHIM_SLOWER,
    TAIL_CYCLES,
    TASK_CYCLES,
    Kernel,
)


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, what bounds them, bytes to and from external memory, and the part of the cores' peak rate that the
    problem (without padding) gets."""

    cycles: float
    bound: str
    moved: float
    peak: float

    def __str__(self) -> str:
        return (
            f"about {self.cycles:.3g} cycles, bound by {self.bound} ({self.moved / 1e6:.3g} MB to and from external memory), "
            f"{100 * self.peak:.0f} % of the device's peak"
        )


def cost(plan: Plan, problem: Problem, device: Device, kernel: Kernel, peak: float) -> Cost:
    """The cost of `plan`, where the device's cores do `peak` MACs in a cycle.

    While the cores compute a tile, the streams bring operands for the next one as far as L1 and L2 hold them, and the result of
    the last one leaves. A panel that stays in L2 is replaced while the last of its tiles is computed. The first operands and
    the last result stand alone.
    """
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    tile, feed, drain = tile_cycles(plan, problem, device, kernel)
    memory = traffic(plan, problem, device)
    streams_a, streams_b = plan.panel != "a", plan.panel != "b"
    streamed = memory.a * streams_a + memory.b * streams_b
    busy = max(tile, feed)
    reads = memory.on_a * streams_a + memory.on_b * streams_b
    busy += _starved(streamed / busy, memory.result, streamed * plan.k_piece / k, reads, memory.on_c, memory.delivered)
    held, results = held_in_l2(plan, problem, device)
    room = device.tiles["mem"].memory - held  # of which aie-double-memtile-buffers makes use
    leaves, steady, swap = memory.cycles(0, 0, 1), memory.steady, memory.swap
    store = max(drain, leaves) if results <= room else drain + leaves
    outside = ((plan.tiles - 1) * steady + swap) / plan.tiles
    inside = {"the cores": tile, "the streams": max(feed, store), "external memory": outside}
    bound = max(inside, key=inside.__getitem__)
    piece = plan.k_piece / k
    last = tile * piece
    if not plan.panel and piece == 1 and held > room:  # one buffer in L2
        launch, last = busy + steady, 0
    else:
        launch = (plan.tiles - 1) * max(busy, store, steady) + max(busy, store, swap)
    control = TASK_CYCLES * tasks(plan, problem, device)
    if control > launch:
        bound, launch = "the control processor", control
    part = 1 / panel_parts(plan, problem, device)
    first = memory.cycles(piece if streams_a else part, piece if streams_b else part, 0)
    pushes = PUSH_CYCLES * (memory.on_a + memory.on_b)  # before the results' channels are started
    chains = (
        pushes / 2 + COLD_CYCLES + launches * launch + last,  # external memory works from the first on
        pushes + COLD_CYCLES + first + launches * plan.tiles * max(busy, store) + leaves,
        pushes + PUSH_CYCLES * memory.on_c + leaves,
    )
    cycles = max(chains) + drain + TAIL_CYCLES
    ideal = problem.batch * problem.m * problem.n * problem.k / peak
    a, b, result = _bytes(plan, problem)
    streamed = a * streams_a + b * streams_b
    moved = launches * (a + b - streamed + plan.tiles * (streamed + result + _turned(plan, problem)))
    return Cost(cycles, bound, moved, ideal / cycles)


@dataclass(frozen=True)
class Traffic:
    """What external memory moves in the time of a tile's operands and of its result, in bytes of contiguous transfers, and the
    bytes themselves; the shim channels of each, the bytes in a cycle of memory, of a channel, and of all that read; and whether
    A and B share a channel."""

    plan: Plan
    a: float
    b: float
    result: float
    own: tuple[float, float, float]
    on_a: int
    on_b: int
    on_c: int
    channel: float
    columns: float
    delivered: float
    rides: bool

    def cycles(self, in_a: float, in_b: float, out: float) -> float:
        """Cycles of so many tiles' operands and results: of external memory, and of the shims' channels."""
        a, b, result = (times * size for times, size in zip((in_a, in_b, out), self.own, strict=True))
        each = a / self.on_a, b / self.on_b
        slower = (sum(each) if self.rides else max(each)) * SHIM_SLOWER / self.channel
        writing = result / min(self.delivered, self.on_c * self.channel)
        memory = (in_a * self.a + in_b * self.b + out * self.result) / self.delivered
        return max(memory, slower, (a + b) / self.columns, writing)

    @property
    def steady(self) -> float:
        """Cycles of a tile whose panel is there."""
        return self.cycles(self.plan.panel != "a", self.plan.panel != "b", 1)

    @property
    def swap(self) -> float:
        """Cycles of a tile with which a panel comes."""
        return self.cycles(1, 1, 1)


def traffic(plan: Plan, problem: Problem, device: Device, share: Callable[[float], float] | None = None) -> Traffic:
    """The traffic of `plan`, where `share` tells how many times as long runs of so many bytes take, those of a panel whole;
    memory's by default."""
    arch, (on_a, on_b, on_c) = arch_of(device), _channels(plan, device)
    rides = on_a + on_b > device.columns * device.tiles["shim_noc"].channels[1]
    moved, columns = _moved(plan, problem, device, share), device.columns * arch.column_bytes
    own = _bytes(plan, problem)
    return Traffic(plan, *moved, own, on_a, on_b, on_c, arch.channel_bytes, columns, arch.memory_bytes, rides)


def panel_parts(plan: Plan, problem: Problem, device: Device) -> int:
    """Parts along k in which the panel comes (`air-split-l2-panels`)."""
    steps = plan.k // plan.micro[2]
    counts = [n for n in range(1, PANEL_PARTS + 1) if steps % n == 0]
    along_k = not problem.transposed_a if plan.panel == "a" else problem.transposed_b
    if not along_k:
        return counts[-1]
    return arch_of(device).panel_parts(counts, lambda parts: plan.k // parts * problem.bits / 8)


def tasks(plan: Plan, problem: Problem, device: Device) -> int:
    """Tasks of the shims for each launch: one for each transfer where others follow A and B on their channels, which makes a
    descriptor serve one launch; else descriptors walk all launches."""
    if not problem.epilogue:
        return 0
    on_a, on_b, on_c = _channels(plan, device)
    if plan.turns:
        return plan.tiles * (on_a if plan.turns == "a" else on_b) * (1 + len(problem.epilogue))
    rows = sum(operand.along != "n" for operand in problem.epilogue)
    return on_a * (1 + rows) + on_b * (1 + len(problem.epilogue) - rows) + on_c


def _bytes(plan: Plan, problem: Problem) -> tuple[float, float, float]:
    """Bytes of the operands and the result of a tile."""
    a, b = (size * plan.k * problem.bits / 8 for size in (plan.array_m, plan.array_n))
    return a, b, plan.array_m * plan.array_n * problem.result_bits / 8


def _moved(plan: Plan, problem: Problem, device: Device, among: Callable[[float], float] | None) -> tuple[float, float, float]:
    """Bytes that external memory moves in the time of those of a tile, in runs as long as the rows of a transfer."""
    share = among or arch_of(device).memory_share
    parts = 1 if among else panel_parts(plan, problem, device)
    k_a, k_b = (depth // parts if plan.panel == name else depth for name, depth in zip("ab", depths(plan), strict=True))
    on_a, on_b = _sides(plan, device)
    m, n, k = plan.padded(problem)
    m, n = (m, n) if plan.spread else (0, 0)  # longer rows of a result do not suit what reads it
    runs = (
        _run(plan.array_m // on_a, m, k_a) if problem.transposed_a else _run(k_a, k, plan.array_m // on_a),
        _run(k_b, k, plan.array_n // on_b) if problem.transposed_b else _run(plan.array_n // on_b, n, k_b),
    )
    a, b, result = _bytes(plan, problem)
    a, b = (size * share(run * problem.bits / 8) for size, run in zip((a, b), runs, strict=True))
    more = _turned(plan, problem, share)
    a, b = a + more * (plan.turns == "a"), b + more * (plan.turns == "b")
    beside = sum(o.bits for o in problem.epilogue if o.along == "mn" and not plan.turns) * plan.array_m * plan.array_n / 8
    return a, b, (result + beside) * share(plan.array_n * problem.result_bits / 8)


def _turned(plan: Plan, problem: Problem, share: Callable[[float], float] = lambda _: 1) -> float:
    """Bytes of the operands, for a tile, that come in turns with steps along k; those that memory moves in the time
    where `share` tells it for runs of so many bytes."""
    if not plan.turns:
        return 0
    total = 0.0
    cores = plan.cores_m if plan.turns == "a" else plan.cores_n
    for operand in problem.epilogue:
        if operand.along == "mn":
            columns = min(plan.array_n, plan.k_piece) if plan.turns == "a" else plan.herd_n
            total += plan.array_m * plan.array_n * operand.bits / 8 * share(columns * operand.bits / 8)
        else:
            total += cores * plan.turn_bytes(problem) * plan.turns_of(problem, operand)
    return total


def tile_cycles(plan: Plan, problem: Problem, device: Device, kernel: Kernel) -> tuple[float, float, float]:
    """Cycles of a core for its tile: with its code, with what streams bring; and those of the result on its way out."""
    feed, drain, around = beside_code(plan, problem, device)
    return code_cycles(plan, problem, device, kernel) + around, feed + around, drain


def beside_code(plan: Plan, problem: Problem, device: Device) -> tuple[float, float, float]:
    """Cycles of a core's tile that are not its code's: of what streams bring, of the result, and around both."""
    area, stream = plan.herd_m * plan.herd_n, arch_of(device).stream_bytes
    drain = area * problem.result_bits / 8 / stream
    fill = area * problem.accumulator_bits / core_of(device.arch).store_bits
    around = LOCK_CYCLES / 2 + fill + drain
    steps = plan.k // plan.k_step
    a = steps * plan.herd_m * plan.k_step * problem.bits / 8 / stream
    b = steps * plan.herd_n * plan.k_step * problem.bits / 8 / stream
    around += plan.strips * LOCK_CYCLES if plan.strips > 1 else 0
    turns = plan.turn_count(problem) if plan.turns else 0
    if turns:
        more = turns * plan.turn_bytes(problem) / stream
        a, b = a + more * (plan.turns == "a"), b + more * (plan.turns == "b")
        around += turns * LOCK_CYCLES / 2
    else:
        around += area * sum(o.bits for o in problem.epilogue if o.along == "mn") / 8 / stream
    return max(a, b), drain, around


def code_cycles(plan: Plan, problem: Problem, device: Device, kernel: Kernel, *, banks: bool = True) -> float:
    """Cycles of the code for a core's tile; without `banks` no access waits for another, which is told sooner."""
    step = _step(plan.herd_m, plan.herd_n, plan.k_step, plan.micro, problem, device.arch, kernel, banks)
    return plan.k // plan.k_step * (step + LOCK_CYCLES)


@lru_cache(maxsize=1 << 15)
def _step(
    herd_m: int, herd_n: int, k_step: int, micro: tuple[int, int, int], problem: Problem, arch: str, kernel: Kernel, banks: bool
) -> float:
    """Cycles of a core for a step over k; without `banks` no access waits for another."""
    m, n, k = micro
    if not kernel.vector:
        return herd_m * herd_n * k_step / kernel.macs
    core = core_of(arch)
    bits = problem.bits if kernel.parts == 1 else F32_PART_BITS
    turned = [t and problem.bits < 32 for t in (problem.transposed_a, problem.transposed_b)]
    reads = (
        _factor(m * k, bits, (True, False), turned[0], core, kernel.blocks),
        _factor(k * n, bits, (False, True), turned[1], core, kernel.blocks),
    )
    trips = herd_m // m, herd_n // n
    # A shorter sum takes as long: what its access saves, its conversion costs.
    wide = problem.wide_bits or problem.accumulator_bits
    nest = jam.Nest(trips, reads * kernel.parts, m * n * wide * kernel.accumulators, k_step // k, kernel.instructions)
    instructions = ceil(m * n * k / kernel.macs)
    if kernel.parts > 1:
        return jam.cycles(nest, instructions, core) + F32_SPLIT_CYCLES * k_step * (herd_m + herd_n)
    a, b = herd_m * k_step * problem.bits // 8, herd_n * k_step * problem.bits // 8
    c = herd_m * herd_n * problem.accumulator_bits // 8
    return jam.cycles(nest, instructions, core, (a, b, c) if banks else ())


def _factor(lanes: int, bits: int, by: tuple[bool, bool], turned: bool, core: Core, blocks: bool) -> jam.Read:
    """A micro-tile of an operand: turned in registers where rows of another order came to L1, 32-bit types by the DMA."""
    turns = ceil(lanes * bits / core.vector_bits) if turned else 0
    vectors, moves = core.blocks_of(lanes, by[1]) if blocks else (0, 0)
    return jam.Read(lanes * bits, by, turns + moves, vectors, blocks)


def _starved(rate: float, result: float, spare: float, reads: int, writes: int, memory: float) -> float:
    """Cycles that cores, which take operands at `rate`, wait while the last result is written, as far as L2 has none in store.

    Channels share memory alike, `reads` of them and `writes`.
    """
    share = memory * reads / (reads + writes)
    if rate <= share:
        return 0
    return max(0, (rate - share) * result / (memory - share) - spare) / rate


def _channels(plan: Plan, device: Device) -> tuple[int, int, int]:
    """Shim channels that bring A and B, and those that take the result."""
    if plan.spread:
        many, few = channels_of_large(plan, device), channels_of_large(plan, device) // plan.spread
        return (few, many, plan.spread) if plan.cores_m == 1 else (many, few, plan.spread)
    return (1, 1, 1) if plan.cores <= WHOLE else (plan.cores_m, parts_of_b(plan, device), plan.cores_m)


def _run(part: int, whole: int, rows: int) -> int:
    """Elements that lie side by side in what a transfer moves of `rows` rows, `part` of `whole` elements of each."""
    return part * rows if part == whole else part


def _sides(plan: Plan, device: Device) -> tuple[int, int]:
    """Parts of the launch's rows of A, and of its columns of B, that come over channels of their own."""
    if plan.spread:
        return (1, plan.spread) if plan.cores_m == 1 else (plan.spread, 1)
    return _channels(plan, device)[:2]
