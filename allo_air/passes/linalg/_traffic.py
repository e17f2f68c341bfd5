"""The traffic of a plan from and to external memory, over which shim channels, and its time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.passes.linalg._limits import (
    PANEL_BDS,
    WHOLE,
    depths,
    halves_cores,
    is_multiplexed_by_rows,
    parts_of_b,
    spread_channels,
)
from allo_air.passes.linalg._pairs import even_parts, quarters
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import EpilogueOperand, Problem
from allo_air.passes.linalg._rates import PANEL_PARTS, SHIM_SLOWER
from allo_air.plan.plan import halves_array

LONGEST_CHAIN = 4
"""Descriptors of a chain that a shim's channel repeats, at most (`airrt-to-npu`)."""


@dataclass(frozen=True)
class Traffic:
    """The traffic of a plan for one tile of the result.

    `a`, `b`, `beside` and `result` are bytes of contiguous transfers that take as long as the real ones, which may be strided
    or short. Operands of the epilogue that alternate with the steps of A or of B count with these.
    """

    plan: GemmPlan
    a: float
    b: float
    beside: float
    """The epilogue operand of the result's size that follows A."""
    result: float
    own: tuple[float, float, float, float]
    """The bytes that really move, of `a`, `b`, `beside` and `result`."""
    on_a: float
    """Shim channels that bring A; `on_b` and `on_c` are those of B and of the result."""
    on_b: float
    on_c: int
    channel: float
    """Bytes per cycle of one shim channel; `columns` is of all channels that read, `delivered` of external memory."""
    columns: float
    delivered: float
    multiplexed: bool
    """Whether A and B share a channel."""
    by_turns: bool
    """Whether pieces of one operand alternate between two channels."""

    def cycles(self, in_a: float, in_b: float, out: float) -> float:
        """Cycles of the operands and results of the given number of tiles: of external memory, and of the shims' channels."""
        own_a, own_b, own_beside, own_result = self.own
        a, b, beside, result = in_a * own_a, in_b * own_b, out * own_beside, out * own_result
        a_here, b_here = in_a * self.a + out * self.beside, in_b * self.b
        reading = (a + b + beside) / self.columns
        if self.by_turns:  # such channels wait for all runs
            each = a_here / self.on_a, b_here / self.on_b
            slower = (sum(each) if self.multiplexed else max(each)) * SHIM_SLOWER / self.channel
            writing = result / min(self.delivered, self.on_c * self.channel)
            return max((a_here + b_here + out * self.result) / self.delivered, slower, reading, writing)
        sharing = [(self.on_a, a + beside, a_here), (self.on_b, b, b_here), (self.on_c, result, out * self.result)]
        if self.multiplexed:
            (few, small, small_here), (many, large, large_here) = sorted(sharing[:2])
            part = few / many
            sharing[0] = few, small + part * large, small_here + part * large_here
            sharing[1] = many - few, (1 - part) * large, (1 - part) * large_here
        if self.plan.paired and halves_array(self.plan.spread):  # a part is read before another comes in its place
            read = b / self.plan.cores_n / self.on_b / self.channel
            reading = max(reading, (a / self.on_a + b / self.on_b) * SHIM_SLOWER / self.channel + read)
        return max(_shared(sharing, self.delivered, self.channel / SHIM_SLOWER), reading)

    def of(self, plan: GemmPlan) -> Traffic:
        """The traffic of a plan with another panel."""
        sizes = self.a, self.b, self.beside, self.result, self.own, self.on_a, self.on_b, self.on_c
        rates = self.channel, self.columns, self.delivered
        return self if plan is self.plan else Traffic(plan, *sizes, *rates, self.multiplexed, self.by_turns)

    @property
    def steady(self) -> float:
        """Cycles of a tile whose panel is already there."""
        return self.cycles(self.plan.panel != "a", self.plan.panel != "b", 1)

    @property
    def swap(self) -> float:
        """Cycles of a tile with which a panel arrives."""
        return self.cycles(1, 1, 1)


def traffic(plan: GemmPlan, problem: Problem, device: Device, share: Callable[[float], float] | None = None) -> Traffic:
    """The traffic of `plan`. `share` gives the slowdown of runs of a given length (default: memory's); panels arrive whole."""
    arch, channels = arch_of(device), _channels(plan, problem, device)
    on_a, on_b, on_c = float(channels[0]), float(channels[1]), channels[2]
    multiplexed = on_a + on_b > device.columns * device.tiles["shim_noc"].channels[1]
    moved, columns = _moved(plan, problem, device, share), device.columns * arch.column_bytes
    a, b, result = bytes_of(plan, problem)
    more = turned(plan, problem)
    own = a + more * (plan.shared == "a"), b + more * (plan.shared == "b"), _residual_bytes(plan, problem), result
    by_turns = plan.spread > 0 and not (plan.paired or halves_cores(plan, problem))
    if multiplexed and not by_turns and more:
        on_a, on_b = (_evenly(a, more, channels[0]), on_b) if plan.shared == "a" else (on_a, _evenly(b, more, channels[1]))
    return Traffic(plan, *moved, own, on_a, on_b, on_c, arch.channel_bytes, columns, arch.memory_bytes, multiplexed, by_turns)


def _evenly(shared: float, slices: float, parts: int) -> float:
    """The number of channels over which both operands arrive evenly in the time of the fullest one: slices use the second
    one.
    """
    return (shared + slices) / (max(shared, slices) if parts == 1 else shared / parts + slices)


def result_alone(plan: GemmPlan, problem: Problem, device: Device) -> Traffic:
    """The traffic of a result without a penalty for short runs, without operands; a bound that is computed faster."""
    arch, channels = arch_of(device), _channels(plan, problem, device)
    result = plan.array_m * plan.array_n * problem.result_bits / 8
    rates = arch.channel_bytes, device.columns * arch.column_bytes, arch.memory_bytes
    return Traffic(plan, 0, 0, 0, result, (0, 0, 0, result), *channels, *rates, False, False)


def panel_parts(plan: GemmPlan, problem: Problem, device: Device) -> int:
    """Parts along k in which the panel arrives (`air-split-l2-panels`)."""
    steps = plan.k // plan.micro[2]
    counts = [n for n in range(1, PANEL_PARTS + 1) if steps % n == 0]
    if plan.paired and plan.panel == "b":
        counts = even_parts(steps, plan.cores_n // parts_of_b(plan, device), PANEL_PARTS, PANEL_BDS)
    along_k = not problem.transposed_a if plan.panel == "a" else problem.transposed_b
    if not along_k:
        return counts[-1]
    return arch_of(device).panel_parts(counts, lambda parts: plan.k // parts * problem.bits / 8)


def tasks(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """Shim descriptors that bring operands for the first launch, and those that the control processor writes later for the
    others.

    Those of A and of the result iterate over all launches, those of B over a matrix if it repeats. If other operands share the
    channel, one descriptor for each forms a chain. The chain is repeated while all advance alike, and written again for each
    row of that. Operands that cannot be in a chain (`is_repeated`) are written each time.
    """
    on_a, on_b, _ = _channels(plan, problem, device)
    batch = problem.batch
    if batch == 1 and not problem.epilogue:
        return on_a + on_b, 0
    if plan.spread and problem.epilogue:
        return _tasks_of_slices(plan, problem, device)
    m, n, _ = plan.padded(problem)
    rows, columns = m // plan.launch_m, n // plan.launch_n
    launches, of_b = batch * rows * columns, batch if rows > 1 else 1
    on_rows = sum(o.along != "n" for o in problem.epilogue) if not plan.shared else len(problem.epilogue) * (plan.shared == "a")
    a, b = 1 + on_rows, 1 + len(problem.epilogue) - on_rows
    if is_repeated(plan, problem):
        every = plan.tiles * launches
        written = on_a * (a * every if a > 1 else 1) + on_b * (b * every if b > 1 else of_b)
    else:
        if columns > 1:
            around, within = (rows * columns, plan.tiles) if plan.panel == "b" else (rows, columns)
        else:
            around, within = 1, rows * plan.tiles
        written = on_a * _chained(a, around, within, batch)
        written += on_b * (_chained(b, rows, columns * plan.tiles, batch) if b > 1 else of_b)
    first = on_a * a + on_b * b
    return first, max(0, written - first)


def _tasks_of_slices(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """The same if other operands arrive in slices.

    The shared operand, the operand that it precedes and the slices form a chain that is repeated for the pieces of a launch,
    or written for each piece if one of them is the same for all.
    """
    many, few = spread_channels(plan, problem, device)
    multiplexed = many + few > device.columns * device.tiles["shim_noc"].channels[1]
    m, n, k = plan.padded(problem)
    launches = problem.batch * (m // plan.launch_m) * (n // plan.launch_n)
    apart = any(o.along != "mn" and not plan.is_walked(o.along) for o in problem.epilogue)
    by_turns = multiplexed and not halves_cores(plan, problem)
    chains = 2 if by_turns else 1
    alone = 0 if by_turns else few - 1  # that bring a part of the shared operand, and no slices
    each = chains * (1 + len(problem.epilogue) + multiplexed) * (k // plan.k_piece if apart else 1) + alone * (1 + multiplexed)
    return many - multiplexed * (chains + alone) + each, (launches - 1) * each


def is_repeated(plan: GemmPlan, problem: Problem) -> bool:
    """Whether a descriptor of another operand reads the same data repeatedly: rows or columns, to fill a step along k."""
    return bool(plan.multiplexed) and any(o.along != "mn" for o in problem.epilogue)


def _chained(pieces: int, around: int, within: int, batch: int) -> int:
    """Descriptors by which the given number of pieces alternate on a channel, alike `within` times, and `around` times for
    each matrix of a batch.
    """
    if pieces == 1:
        return 1
    if within == 1:
        return pieces * (batch if around > 1 else 1)
    return pieces * batch * (min(within, around) if pieces * within <= LONGEST_CHAIN else around)


def bytes_of(plan: GemmPlan, problem: Problem) -> tuple[float, float, float]:
    """Bytes of the operands and the result of a tile."""
    m, n = plan.array_m, plan.array_n
    return m * plan.k * problem.bits / 8, n * plan.k * problem.bits / 8, m * n * problem.result_bits / 8


def _shared(users: Iterable[tuple[float, float, float]], memory: float, channel: float) -> float:
    """Cycles until all channels are done; each group of channels moves the given bytes, in the time of the given contiguous
    bytes.

    Memory grants each waiting channel the same number of bytes in turn. All are equally fast while all move; those with more
    to move then share with fewer, up to the rate of a channel.
    """
    shared = sorted((moved / count, count * share / moved) for count, moved, share in users if moved)
    cycles = done = 0.0
    for n, (each, _) in enumerate(shared):
        busy = sum(times for _, times in shared[n:])
        cycles += (each - done) * max(busy / memory, 1 / channel)
        done = each
    return cycles


def _moved(
    plan: GemmPlan, problem: Problem, device: Device, among: Callable[[float], float] | None
) -> tuple[float, float, float, float]:
    """Contiguous bytes that take as long as those of a tile, in runs as long as the rows of a transfer."""
    share = among or arch_of(device).memory_share
    parts = panel_parts(plan, problem, device) if plan.panel and not among else 1
    k_a, k_b = (depth // parts if plan.panel == name else depth for name, depth in zip("ab", depths(plan), strict=True))
    k_b = k_b // quarters(plan) if plan.paired and plan.panel != "b" else k_b
    on_a, on_b = _sides(plan, problem, device)
    if plan.spread and halves_cores(plan, problem) and not is_multiplexed_by_rows(plan, problem):  # in parts along k
        halves = spread_channels(plan, problem, device)[1]
        k_a, k_b = (k_a // halves, k_b) if plan.cores_m == 1 else (k_a, k_b // halves)
    m, n, k = plan.padded(problem)
    runs = (
        _run(plan.array_m // on_a, m, k_a) if problem.transposed_a else _run(k_a, k, plan.array_m // on_a),
        _run(k_b, k, plan.array_n // on_b) if problem.transposed_b else _run(plan.array_n // on_b, n, k_b),
    )
    a, b, result = bytes_of(plan, problem)
    a, b = (size * share(run * problem.bits / 8) for size, run in zip((a, b), runs, strict=True))
    more = turned(plan, problem, share, smooth=among is not None)
    a, b = a + more * (plan.shared == "a"), b + more * (plan.shared == "b")
    leaves = share(_run(*_of_result(plan, n)) * problem.result_bits / 8)
    return a, b, _residual_bytes(plan, problem) * leaves, result * leaves


def _of_result(plan: GemmPlan, n: int) -> tuple[int, int, int]:
    """Columns of the result, of `n` in all, and rows, that a channel takes at a time."""
    if not plan.spread:
        return plan.array_n, n, plan.herd_m
    return (plan.array_n // plan.spread, n, 1) if plan.cores_m == 1 else (plan.array_n, n, plan.array_m // plan.spread)


def _residual_bytes(plan: GemmPlan, problem: Problem) -> float:
    """Bytes per tile of the operand of the result's size that follows A in transfers of its own."""
    return 0 if plan.shared else sum(o.bits for o in problem.epilogue if o.along == "mn") * plan.array_m * plan.array_n / 8


def turned(plan: GemmPlan, problem: Problem, share: Callable[[float], float] = lambda _: 1, *, smooth: bool = False) -> float:
    """Bytes per tile of the operands that alternate with steps along k or arrive in slices, and the contiguous bytes that take
    as long.

    `share` gives the slowdown of runs of a given length; `smooth` allows longer pieces along k.
    """
    if plan.spread:
        return sum(_sliced(plan, problem, o, share, smooth=smooth) for o in problem.epilogue)
    if not plan.multiplexed:
        return 0
    total = 0.0
    cores = plan.cores_m if plan.multiplexed == "a" else plan.cores_n
    for operand in problem.epilogue:
        if operand.along == "mn":
            columns = plan.herd_n
            if plan.multiplexed == "a":
                columns = plan.array_n if smooth else min(plan.array_n, plan.k_piece)
                columns = _run(columns, plan.padded(problem)[1], plan.herd_m)
            total += plan.array_m * plan.array_n * operand.bits / 8 * share(columns * operand.bits / 8)
        else:
            total += cores * plan.turn_bytes(problem) * plan.turns_of(problem, operand)
    return total


def _sliced(
    plan: GemmPlan, problem: Problem, operand: EpilogueOperand, share: Callable[[float], float], *, smooth: bool
) -> float:
    """The same for an operand in slices; external memory brings the slices of a piece at once."""
    size = plan.k // plan.k_step * plan.slice_elements(operand.along) * operand.bits / 8
    piece = plan.walked_array if smooth else plan.walked_array * plan.k_piece // plan.k
    if operand.along != "mn":
        run = piece if plan.is_walked(operand.along) else plan.on_tile
    elif plan.shared == "a":
        run = _run(piece, plan.padded(problem)[1], plan.on_tile)
    else:
        run = _run(plan.on_tile, plan.padded(problem)[1], piece)
    return size * share(run * operand.bits / 8)


def _channels(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int, int]:
    """Shim channels for A and B, and for the result."""
    if plan.spread:
        many, few = spread_channels(plan, problem, device)
        return (few, many, plan.spread) if plan.cores_m == 1 else (many, few, plan.spread)
    halves = 2 if plan.paired else 1
    return (1, 1, 1) if plan.cores <= WHOLE else (plan.cores_m, halves * parts_of_b(plan, device), plan.cores_m)


def _run(part: int, whole: int, rows: int) -> int:
    """Contiguous elements of a transfer of `rows` rows, `part` of `whole` elements of each."""
    return part * rows if part == whole else part


def _sides(plan: GemmPlan, problem: Problem, device: Device) -> tuple[int, int]:
    """Parts of the launch's rows of A, and of its columns of B, with channels of their own."""
    if plan.spread:
        return (1, plan.spread // (2 if plan.paired else 1)) if plan.cores_m == 1 else (plan.spread, 1)
    return (plan.cores_m, parts_of_b(plan, device)) if plan.paired else _channels(plan, problem, device)[:2]
