"""Estimates the cycles of a plan from the times of cores, streams and external memory, including what cannot overlap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from allo_air.arch import Core, arch_of, core_of, machine_of
from allo_air.arch.core import PART_BITS
from allo_air.device import Device
from allo_air.passes._analysis import blocking as jam
from allo_air.passes.linalg._limits import l2_bytes
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import (
    LOCK_CYCLES,
    WIDEN_CYCLES,
    Kernel,
)
from allo_air.passes.linalg._shim_descriptors import shim_descriptors
from allo_air.passes.linalg._traffic import Traffic, epilogue_traffic, panel_parts, separate_bytes, tile_bytes, traffic


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, the bound, bytes to and from external memory, and the share of the cores' peak rate that the problem
    (without padding) reaches.
    """

    cycles: float
    bound: str
    moved_bytes: float
    peak: float

    def __str__(self) -> str:
        return (
            f"about {self.cycles:.3g} cycles, bound by {self.bound} ({self.moved_bytes / 1e6:.3g} MB to and from external "
            f"memory), {100 * self.peak:.0f} % of the device's peak"
        )


def cost(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel, peak: float) -> Cost:
    """The cost of `plan` on a device whose cores do `peak` MACs per cycle.

    While the cores compute a tile, the streams bring operands for the next one as far as L1 and L2 have room, and the previous
    result leaves. A panel that stays in L2 is replaced while the last of its tiles is computed. The first operands and the
    last result overlap with nothing. The cycles are those of the slowest of three chains of work: external memory, the cores,
    and the control processor.
    """
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    memory, machine = traffic(plan, problem, device), machine_of(device)
    piece = plan.k_piece / k  # the fraction of a tile's operands that L2 holds at a time
    tile = _tile_times(plan, problem, device, kernel, memory)
    bound = tile.bound
    steady, swap, last = memory.steady_cycles, memory.swap_cycles, tile.code * piece
    # with single buffers, operands arrive only after the previous tile
    if not plan.panel and piece == 1 and tile.single_buffers:
        launch, last = tile.busy + steady, 0
    else:
        launch = (plan.tiles - 1) * _concurrent_cycles(tile.array, steady, piece)
        launch += _concurrent_cycles(tile.array, swap, piece)
    first_tasks, later_tasks, held_tasks = shim_descriptors(plan, problem, device)
    control = machine.push * later_tasks
    launch_tail = launches * launch * first_tasks / (first_tasks + later_tasks) if later_tasks else 0
    if control > launches * launch:
        bound, launch = "the control processor", control / launches
    panel_part = 1 / panel_parts(plan, problem, device)
    first = memory.cycles(panel_part if plan.panel == "a" else piece, panel_part if plan.panel == "b" else piece, 0)
    result = memory.cycles(0, 0, 1)
    lead = machine.lead(first_tasks + held_tasks * machine.holds_tasks, memory.channels_result)
    begins = lead if machine.holds_tasks else lead / 2  # otherwise external memory is busy from the first task on
    chains = (
        begins + machine.cold + launches * launch + last,
        lead + machine.cold + first + launches * plan.tiles * tile.array + result,
        machine.push * (first_tasks + memory.channels_result) + control + launch_tail + result,
    )
    cycles = max(chains) + tile.drain + machine.tail
    ideal = problem.batch * problem.m * problem.n * problem.k / peak
    return Cost(cycles, bound, launches * _launch_bytes(plan, problem), ideal / cycles)


@dataclass(frozen=True)
class _TileTimes:
    """Cycles for one tile of the result, in which different parts of the machine work at the same time."""

    code: float
    """The cores' code."""
    drain: float
    """The stream of the result out of a core."""
    busy: float
    """Cores and the streams of operands, including waits."""
    array: float
    """All of the array: `busy`, or the result's way through L2."""
    bound: str
    """The part of the machine that limits the time."""
    single_buffers: bool
    """Whether L2 has no room to double the buffers of operands (`aie-double-memtile-buffers`)."""


def _tile_times(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel, memory: Traffic) -> _TileTimes:
    """The cycles of cores, streams and external memory for one tile."""
    tile, feed, drain = tile_cycles(plan, problem, device, kernel)
    streams_a, streams_b = plan.panel != "a", plan.panel != "b"
    streamed = memory.equivalent.a * streams_a + memory.equivalent.b * streams_b
    reads = memory.channels_a * streams_a + memory.channels_b * streams_b
    ahead_bytes = streamed * (plan.k_piece / plan.k)
    busy = max(tile, feed)
    busy += _operand_stalls(
        streamed / busy, memory.equivalent.result, ahead_bytes, reads, memory.channels_result, memory.memory_rate
    )
    needed, results = l2_bytes(plan, problem, device)
    room = device.tiles["mem"].memory - needed
    written = memory.cycles(0, 0, 1)
    # Memtiles of spread, paired plans have no descriptors for two buffers.
    double_result = results <= room and not (plan.spread and plan.paired)
    store = max(drain, written) if double_result else drain + written
    external = ((plan.tiles - 1) * memory.steady_cycles + memory.swap_cycles) / plan.tiles
    times = {"the cores": tile, "the streams": max(feed, store), "external memory": external}
    return _TileTimes(tile, drain, busy, max(busy, store), max(times, key=times.__getitem__), needed > room)


def _launch_bytes(plan: GemmPlan, problem: Problem) -> float:
    """Bytes to and from external memory for a launch: a panel once, all else for each tile."""
    a, b, result = tile_bytes(plan, problem)
    streamed = a * (plan.panel != "a") + b * (plan.panel != "b")
    return a + b - streamed + plan.tiles * (streamed + result + epilogue_traffic(plan, problem) + separate_bytes(plan, problem))


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
    feed, drain, overhead = cycles_around_code(plan, problem, device)
    return code_cycles(plan, problem, device, kernel) + overhead, feed + overhead, drain


def cycles_around_code(plan: GemmPlan, problem: Problem, device: Device) -> tuple[float, float, float]:
    """Cycles of a core's tile without its code: the streams of operands and result, and the locks around the kernel."""
    area, stream = plan.herd_m * plan.herd_n, arch_of(device).stream_bytes
    fill, drain = fill_and_drain(area, problem, device)
    overhead = LOCK_CYCLES / 2 + fill + drain
    steps = plan.k // plan.k_step
    a = steps * plan.herd_m * plan.k_step * problem.bits / 8 / stream
    b = steps * plan.herd_n * plan.k_step * problem.bits / 8 / stream
    overhead += plan.strips * LOCK_CYCLES if plan.strips > 1 else 0
    overhead += _elementwise(plan, problem, device)
    transfers = plan.multiplexed_transfers(problem)
    if plan.spread and problem.epilogue:
        more = epilogue_traffic(plan, problem) / stream
        a, b = a + more * (plan.shared == "a"), b + more * (plan.shared == "b")
        overhead += steps * len(problem.epilogue) * LOCK_CYCLES / 2
    elif transfers:
        # Two transfers arrive while the last steps are multiplied, later ones after the steps. During the later ones the other
        # channel brings its operand of the next tile, as far as its two buffers hold all steps.
        transfer, early_transfers = plan.transfer_bytes(problem) / stream, min(transfers, 2)
        late_bytes = (transfers - early_transfers) * transfer
        shared, unshared = (a, b) if plan.multiplexed == "a" else (b, a)
        a, b = shared + early_transfers * transfer, unshared - (min(unshared, late_bytes) if steps <= 2 else 0)
        overhead += late_bytes + transfers * LOCK_CYCLES / 2
    elif problem.epilogue:
        overhead += area * sum(o.bits for o in problem.epilogue if o.along == "mn") / 8 / stream
    return max(a, b), drain, overhead


def fill_and_drain(area: int, problem: Problem, device: Device) -> tuple[float, float]:
    """Cycles to store the first sums of a tile of `area` elements, and of the stream of its result."""
    drain = area * problem.result_bits / 8 / arch_of(device).stream_bytes
    return area * problem.accumulator_bits / core_of(device.arch).store_bits, drain


def _elementwise(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """The cycles of the epilogue: its operations, or the loads of the sums and of the other operands by one load unit if these
    take longer.

    An operand with an element for each one of the result that arrives in turn with steps along k is added while those of other
    cores arrive. A row or a column that arrives by its own transfer is widened to micro-tiles element by element.
    """
    area, wide = plan.herd_m * plan.herd_n, problem.accumulator_bits / (8 * core_of(device.arch).load_bytes)
    (m, n, _), lines = plan.micro, [o for o in problem.epilogue if o.along != "mn"]
    added = len(lines) if plan.multiplexed else len(problem.epilogue)
    casts = problem.result_bits != problem.accumulator_bits
    widened = 0 if plan.multiplexed else sum(plan.herd_m * n if o.along == "m" else plan.herd_n * m for o in lines)
    return area * max(wide * (2 * added or casts), problem.epilogue_cycles) + WIDEN_CYCLES * widened


def code_cycles(plan: GemmPlan, problem: Problem, device: Device, kernel: Kernel) -> float:
    """Cycles of the code for a core's tile."""
    step = _step_cycles(plan.herd_m, plan.herd_n, plan.k_step, plan.micro, problem, device.arch, kernel)
    return plan.k // plan.k_step * (step + LOCK_CYCLES)


@lru_cache(maxsize=1 << 15)
def _step_cycles(
    herd_m: int, herd_n: int, k_step: int, micro: tuple[int, int, int], problem: Problem, arch: str, kernel: Kernel
) -> float:
    """Cycles of a core for a step over k."""
    m, n, k = micro
    if not kernel.vector:
        return herd_m * herd_n * (k_step / kernel.macs + kernel.overhead)
    core = core_of(arch)
    bits = problem.bits if kernel.parts == 1 else PART_BITS
    transposed = [t and problem.bits < 32 for t in (problem.transposed_a, problem.transposed_b)]
    reads = (
        _factor(m * k, bits, (True, False), transposed[0], core, kernel),
        _factor(k * n, bits, (False, True), transposed[1], core, kernel),
    )
    trips = herd_m // m, herd_n // n
    # A sum of a shorter type takes as long: its loads are faster, but it must be converted.
    wide = problem.wide_bits or problem.accumulator_bits
    nest = jam.Nest(trips, reads * kernel.parts, m * n * wide * kernel.accumulators, k_step // k, kernel.instructions)
    instructions = ceil(m * n * k / kernel.macs)
    if kernel.parts > 1:
        overhead = kernel.split * k_step * (herd_m + herd_n) + kernel.finish * herd_m * herd_n
        return jam.cycles(nest, instructions, core) + overhead
    return jam.cycles(nest, instructions, core)


def _factor(lanes: int, bits: int, by: tuple[bool, bool], transposed: bool, core: Core, kernel: Kernel) -> jam.Read:
    """A micro-tile of an operand. The core transposes it in registers if rows have the other order in L1; the DMA transposes
    32-bit types. Sign bits are extracted if they are summed separately.
    """
    transpose_moves = ceil(lanes * bits / core.vector_bits) if transposed else 0
    signs = (kernel.accumulators - 1) * ceil(lanes * bits / core.vector_bits)
    vectors, moves = core.blocks_of(lanes, by[1]) if kernel.blocks else (signs, 0)
    return jam.Read(lanes * bits, by, transpose_moves + moves, vectors, kernel.blocks)


def _operand_stalls(rate: float, result: float, ahead_bytes: float, reads: float, writes: int, memory: float) -> float:
    """Cycles that cores wait for operands while the last result is written.

    The cores consume operands at `rate` bytes per cycle. L2 already has `ahead_bytes` of them, while `result` bytes are
    written. Memory, with `memory` bytes per cycle, is shared equally by `reads` and `writes` channels.
    """
    share = memory * reads / (reads + writes)
    if rate <= share:
        return 0
    return max(0, (rate - share) * result / (memory - share) - ahead_bytes) / rate
