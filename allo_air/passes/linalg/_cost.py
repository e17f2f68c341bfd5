"""The cycles of a plan: the time of cores, streams and external memory, and the parts that nothing overlaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from allo_air.arch import Core, arch_of, core_of, machine_of
from allo_air.arch.core import PART_BITS
from allo_air.device import Device
from allo_air.passes._analysis import blocking as jam
from allo_air.passes.linalg._limits import held_in_l2
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import (
    LOCK_CYCLES,
    WIDEN_CYCLES,
    Kernel,
)
from allo_air.passes.linalg._traffic import bytes_of, panel_parts, tasks, traffic, turned


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, the bound, bytes to and from external memory, and the share of the cores' peak rate that the problem
    (without padding) reaches.
    """

    cycles: float
    bound: str
    moved: float
    peak: float

    def __str__(self) -> str:
        return (
            f"about {self.cycles:.3g} cycles, bound by {self.bound} ({self.moved / 1e6:.3g} MB to and from external memory), "
            f"{100 * self.peak:.0f} % of the device's peak"
        )


def cost(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel, peak: float) -> Cost:
    """The cost of `plan` on a device whose cores do `peak` MACs per cycle.

    While the cores compute a tile, the streams bring operands for the next one as far as L1 and L2 have room, and the previous
    result leaves. A panel that stays in L2 is replaced while the last of its tiles is computed. The first operands and the
    last result overlap with nothing.
    """
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    tile, feed, drain = tile_cycles(plan, problem, device, kernel)
    memory = traffic(plan, problem, device)
    streams_a, streams_b = plan.panel != "a", plan.panel != "b"
    streamed = memory.a * streams_a + memory.b * streams_b
    piece, busy = plan.k_piece / k, max(tile, feed)
    reads = memory.on_a * streams_a + memory.on_b * streams_b
    busy += _starved(streamed / busy, memory.result, streamed * piece, reads, memory.on_c, memory.delivered)
    l2_bytes, results = held_in_l2(plan, problem, device)
    room = device.tiles["mem"].memory - l2_bytes  # of which aie-double-memtile-buffers makes use
    leaves, steady, swap = memory.cycles(0, 0, 1), memory.steady, memory.swap
    twice = results <= room and not (plan.spread and plan.paired)  # whose memtiles have no descriptors left
    store = max(drain, leaves) if twice else drain + leaves
    outside = ((plan.tiles - 1) * steady + swap) / plan.tiles
    inside = {"the cores": tile, "the streams": max(feed, store), "external memory": outside}
    bound = max(inside, key=inside.__getitem__)
    own, last = max(busy, store), tile * piece
    if not plan.panel and piece == 1 and l2_bytes > room:  # one buffer in L2
        launch, last = busy + steady, 0
    else:
        launch = (plan.tiles - 1) * _concurrent_cycles(own, steady, piece) + _concurrent_cycles(own, swap, piece)
    begin, more = tasks(plan, problem, device)
    start = machine_of(device)
    control, behind = start.push * more, launches * launch * begin / (begin + more) if more else 0
    if control > launches * launch:
        bound, launch = "the control processor", control / launches
    part = 1 / panel_parts(plan, problem, device)
    first = memory.cycles(piece if streams_a else part, piece if streams_b else part, 0)
    pushes = start.push * begin  # before the results' channels are started
    chains = (
        pushes / 2 + start.cold + launches * launch + last,  # external memory works from the first on
        pushes + start.cold + first + launches * plan.tiles * own + leaves,
        pushes + start.push * memory.on_c + control + behind + leaves,
    )
    cycles = max(chains) + drain + start.tail
    ideal = problem.batch * problem.m * problem.n * problem.k / peak
    a, b, result = bytes_of(plan, problem)
    streamed = a * streams_a + b * streams_b
    moved = launches * (a + b - streamed + plan.tiles * (streamed + result + turned(plan, problem)))
    return Cost(cycles, bound, moved, ideal / cycles)


def _concurrent_cycles(cores: float, memory: float, piece: float) -> float:
    """Cycles of cores and external memory that work at the same time: up to a tenth more than either if both take equally
    long.

    Neither hides all pauses of the other. The larger the part of a tile's operands that a piece in L2 is, the smaller the
    effect. The exponent is a fit to simulations, not a mechanism. It hardly changes the predicted cycles (in the median of 200
    random products not at all), but it changes the choice of pieces: without it, 2048^3 of i8 on npu2 that adds to a tensor
    has pieces of 512 and takes 1,617,425 cycles; with it, pieces of 1024 and 1,517,160 cycles.
    """
    power = 8 + 64 * piece
    return float(max(cores, memory) * (1 + (min(cores, memory) / max(cores, memory)) ** power) ** (1 / power))


def tile_cycles(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel) -> tuple[float, float, float]:
    """Cycles of a core for its tile, as three numbers: its code, the streams of its operands, and the stream of its result."""
    feed, drain, around = beside_code(plan, problem, device)
    return code_cycles(plan, problem, device, kernel) + around, feed + around, drain


def beside_code(plan: GemmPlan, problem: Problem, device: Device) -> tuple[float, float, float]:
    """Cycles of a core's tile apart from its code: the streams of the operands, the result, and the code around the kernel."""
    area, stream = plan.herd_m * plan.herd_n, arch_of(device).stream_bytes
    drain = area * problem.result_bits / 8 / stream
    fill = area * problem.accumulator_bits / core_of(device.arch).store_bits
    around = LOCK_CYCLES / 2 + fill + drain
    steps = plan.k // plan.k_step
    a = steps * plan.herd_m * plan.k_step * problem.bits / 8 / stream
    b = steps * plan.herd_n * plan.k_step * problem.bits / 8 / stream
    around += plan.strips * LOCK_CYCLES if plan.strips > 1 else 0
    around += _elementwise(plan, problem, device)
    turn_count = plan.turn_count(problem) if plan.multiplexed else 0
    if plan.spread and problem.epilogue:
        more = turned(plan, problem) / stream
        a, b = a + more * (plan.shared == "a"), b + more * (plan.shared == "b")
        around += steps * len(problem.epilogue) * LOCK_CYCLES / 2
    elif (
        turn_count
    ):  # two come while the last steps are multiplied; the other operand's while these do, if its two buffers hold all
        each, early = plan.turn_bytes(problem) / stream, min(turn_count, 2)
        mine, other = (a, b) if plan.multiplexed == "a" else (b, a)
        a, b = mine + early * each, other - (min(other, (turn_count - early) * each) if steps <= 2 else 0)
        around += (turn_count - early) * each + turn_count * LOCK_CYCLES / 2
    elif problem.epilogue:
        around += area * sum(o.bits for o in problem.epilogue if o.along == "mn") / 8 / stream
    return max(a, b), drain, around


def _elementwise(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """A lower bound of the cycles of the epilogue: one load unit loads the sums and the other operands.

    An operand with an element for each one of the result that arrives in turn with steps along k is added while those of other
    cores arrive. A row or a column that arrives by its own transfer is widened to micro-tiles element by element. Other work
    of the operations is not known here.
    """
    area, wide = plan.herd_m * plan.herd_n, problem.accumulator_bits / (8 * core_of(device.arch).load_bytes)
    (m, n, _), lines = plan.micro, [o for o in problem.epilogue if o.along != "mn"]
    added = len(lines) if plan.multiplexed else len(problem.epilogue)
    casts = problem.result_bits != problem.accumulator_bits
    widened = 0 if plan.multiplexed else sum(plan.herd_m * n if o.along == "m" else plan.herd_n * m for o in lines)
    return area * wide * (2 * added or casts) + WIDEN_CYCLES * widened


def code_cycles(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel, *, banks: bool = True) -> float:
    """Cycles of the code for a core's tile; without `banks`, bank conflicts are ignored, which is computed faster."""
    step = _step(plan.herd_m, plan.herd_n, plan.k_step, plan.micro, problem, device.arch, kernel, banks)
    return plan.k // plan.k_step * (step + LOCK_CYCLES)


@lru_cache(maxsize=1 << 15)
def _step(
    herd_m: int, herd_n: int, k_step: int, micro: tuple[int, int, int], problem: Problem, arch: str, kernel: Kernel, banks: bool
) -> float:
    """Cycles of a core for a step over k; without `banks`, bank conflicts are ignored."""
    m, n, k = micro
    if not kernel.vector:
        return herd_m * herd_n * (k_step / kernel.macs + kernel.around)
    core = core_of(arch)
    bits = problem.bits if kernel.parts == 1 else PART_BITS
    turned = [t and problem.bits < 32 for t in (problem.transposed_a, problem.transposed_b)]
    reads = (
        _factor(m * k, bits, (True, False), turned[0], core, kernel),
        _factor(k * n, bits, (False, True), turned[1], core, kernel),
    )
    trips = herd_m // m, herd_n // n
    # A shorter sum takes as long: what its access saves, its conversion costs.
    wide = problem.wide_bits or problem.accumulator_bits
    nest = jam.Nest(trips, reads * kernel.parts, m * n * wide * kernel.accumulators, k_step // k, kernel.instructions)
    instructions = ceil(m * n * k / kernel.macs)
    if kernel.parts > 1:
        around = kernel.split * k_step * (herd_m + herd_n) + kernel.finish * herd_m * herd_n
        return jam.cycles(nest, instructions, core) + around
    a, b = herd_m * k_step * problem.bits // 8, herd_n * k_step * problem.bits // 8
    c = herd_m * herd_n * problem.accumulator_bits // 8
    return jam.cycles(nest, instructions, core, (a, b, c) if banks else ())


def _factor(lanes: int, bits: int, by: tuple[bool, bool], turned: bool, core: Core, kernel: Kernel) -> jam.Read:
    """A micro-tile of an operand. The core transposes it in registers if rows have the other order in L1; the DMA transposes
    32-bit types. Sign bits are taken where they are summed separately.
    """
    turned_moves = ceil(lanes * bits / core.vector_bits) if turned else 0
    signs = (kernel.accumulators - 1) * ceil(lanes * bits / core.vector_bits)
    vectors, moves = core.blocks_of(lanes, by[1]) if kernel.blocks else (signs, 0)
    return jam.Read(lanes * bits, by, turned_moves + moves, vectors, kernel.blocks)


def _starved(rate: float, result: float, spare: float, reads: float, writes: int, memory: float) -> float:
    """Cycles that cores, which consume operands at `rate`, wait while the last result is written and L2 holds no further
    operands.

    The `reads` and `writes` channels share memory equally.
    """
    share = memory * reads / (reads + writes)
    if rate <= share:
        return 0
    return max(0, (rate - share) * result / (memory - share) - spare) / rate
