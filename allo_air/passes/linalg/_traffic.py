"""The traffic of a plan between external memory and the array, and the cycles that it takes.

A transfer in short runs is slower than a contiguous one of as many bytes. Traffic is therefore counted twice: in actual bytes,
and in equivalent bytes, those of a contiguous transfer that takes as long. Equivalent bytes are the actual bytes times the
slowdown of their runs (`Architecture.memory_share`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes.linalg._limits import PANEL_BDS, l2_depths
from allo_air.passes.linalg._memtile_pairs import even_part_counts, halves_array, pair_parts
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import EpilogueOperand, Problem
from allo_air.passes.linalg._rates import PANEL_PARTS, SHIM_SLOWER
from allo_air.passes.linalg._shim_channels import (
    channel_parts,
    halves_cores,
    is_multiplexed_by_rows,
    parts_of_b,
    shim_channels,
    spread_channels,
)

Slowdown = Callable[[float], float]
"""How many times longer a transfer takes than a contiguous one, by the bytes of its runs."""


class TileBytes(NamedTuple):
    """Bytes between external memory and the array for one tile of the result (array_m x array_n)."""

    a: float
    """A, array_m x k, and the epilogue operands that share its channel."""
    b: float
    """B, k x array_n, and the epilogue operands that share its channel."""
    residual: float
    """Epilogue operands of the result's size that follow A in transfers of their own."""
    result: float


@dataclass(frozen=True)
class Traffic:
    """The traffic of a plan for one tile of the result, and the channels that it uses."""

    plan: GemmPlan
    equivalent: TileBytes
    actual: TileBytes
    channels_a: float
    """Shim channels that bring A. Not an integer if slices of epilogue operands use only a part of a channel."""
    channels_b: float
    channels_result: int
    channel_rate: float
    """Bytes per cycle of one shim channel."""
    read_rate: float
    """Bytes per cycle that all columns can read together."""
    memory_rate: float
    """Bytes per cycle of external memory."""
    read_delay: float
    """Further cycles of a byte that is read, on the path of reads, which takes as long to begin a run as the bus."""
    shares_channels: bool
    """Whether A and B share channels."""
    alternates: bool
    """Whether pieces of one operand alternate between two channels, which wait for each other."""

    def cycles(self, tiles_a: float, tiles_b: float, results: float) -> float:
        """Cycles to bring A for `tiles_a` tiles and B for `tiles_b`, and to write `results` tiles: the slowest of memory and
        channels.
        """
        equivalent, actual = self.equivalent, self.actual
        a, b = tiles_a * actual.a, tiles_b * actual.b
        residual, result = results * actual.residual, results * actual.result
        slow_a, slow_b = tiles_a * equivalent.a + results * equivalent.residual, tiles_b * equivalent.b
        slow_result = results * equivalent.result
        read = a + b + residual
        reading = max(read / self.read_rate, (slow_a + slow_b) / self.memory_rate + read * self.read_delay)
        if self.alternates:
            times = slow_a / self.channels_a, slow_b / self.channels_b
            waiting = (sum(times) if self.shares_channels else max(times)) * SHIM_SLOWER / self.channel_rate
            writing = result / min(self.memory_rate, self.channels_result * self.channel_rate)
            return max((slow_a + slow_b + slow_result) / self.memory_rate, waiting, reading, writing)
        groups = [
            (self.channels_a, a + residual, slow_a),
            (self.channels_b, b, slow_b),
            (self.channels_result, result, slow_result),
        ]
        if self.shares_channels:  # the operand with fewer channels uses some of the other one's
            (few, small, slow_small), (many, large, slow_large) = sorted(groups[:2])
            part = few / many
            groups[0] = few, small + part * large, slow_small + part * slow_large
            groups[1] = many - few, (1 - part) * large, (1 - part) * slow_large
        if self.plan.paired and halves_array(self.plan.spread):  # a part can be replaced only after it was read
            first = b / self.plan.cores_n / self.channels_b / self.channel_rate
            reading = max(reading, (a / self.channels_a + b / self.channels_b) * SHIM_SLOWER / self.channel_rate + first)
        return max(_fair_share_cycles(groups, self.memory_rate, self.channel_rate / SHIM_SLOWER), reading)

    def with_panel(self, plan: GemmPlan) -> Traffic:
        """The same traffic for `plan`, which differs only in its panel."""
        return self if plan is self.plan else replace(self, plan=plan)

    @property
    def steady_cycles(self) -> float:
        """Cycles of a tile whose panel is already in L2."""
        return self.cycles(self.plan.panel != "a", self.plan.panel != "b", 1)

    @property
    def swap_cycles(self) -> float:
        """Cycles of a tile with which a new panel arrives."""
        return self.cycles(1, 1, 1)


def traffic(plan: GemmPlan, problem: Problem, device: Device, slowdown: Slowdown | None = None) -> Traffic:
    """The traffic of `plan`.

    With `slowdown`, the result is a lower bound for plans with any pieces: runs are as long as those of all of k.
    """
    arch, channels = arch_of(device), shim_channels(plan, problem, device)
    channels_a, channels_b, channels_result = float(channels[0]), float(channels[1]), channels[2]
    shares_channels = channels_a + channels_b > device.columns * device.tiles["shim_noc"].channels[1]
    a, b, result = tile_bytes(plan, problem)
    more = epilogue_traffic(plan, problem)
    alternates = plan.spread > 0 and not (plan.paired or halves_cores(plan, problem))
    if shares_channels and not alternates and more:
        if plan.shared == "a":
            channels_a = _balanced_channels(a, more, channels[0])
        else:
            channels_b = _balanced_channels(b, more, channels[1])
    return Traffic(
        plan,
        _equivalent_bytes(plan, problem, device, slowdown),
        TileBytes(a + more * (plan.shared == "a"), b + more * (plan.shared == "b"), _residual_bytes(plan, problem), result),
        channels_a,
        channels_b,
        channels_result,
        arch.channel_bytes,
        device.columns * arch.column_bytes,
        arch.memory_bytes,
        machine_of(device).read_delay,
        shares_channels,
        alternates,
    )


def result_traffic(plan: GemmPlan, problem: Problem, device: Device) -> Traffic:
    """The traffic of the result alone, without a slowdown for short runs: a bound that is computed faster."""
    arch, channels = arch_of(device), shim_channels(plan, problem, device)
    moved = TileBytes(0, 0, 0, plan.array_m * plan.array_n * problem.result_bits / 8)
    rates = arch.channel_bytes, device.columns * arch.column_bytes, arch.memory_bytes, machine_of(device).read_delay
    return Traffic(plan, moved, moved, *channels, *rates, False, False)


def tile_bytes(plan: GemmPlan, problem: Problem) -> tuple[float, float, float]:
    """Bytes of A (array_m x k), B (k x array_n) and the result (array_m x array_n) of a tile."""
    m, n = plan.array_m, plan.array_n
    return m * plan.k * problem.bits / 8, n * plan.k * problem.bits / 8, m * n * problem.result_bits / 8


def panel_parts(plan: GemmPlan, problem: Problem, device: Device) -> int:
    """The number of parts along k in which the panel arrives (`air-split-l2-pieces`)."""
    steps = plan.k // plan.micro[2]
    counts = [n for n in range(1, PANEL_PARTS + 1) if steps % n == 0]
    if plan.paired and plan.panel == "b":
        counts = even_part_counts(steps, plan.cores_n // parts_of_b(plan, device), PANEL_PARTS, PANEL_BDS)
    rows_along_k = not problem.transposed_a if plan.panel == "a" else problem.transposed_b
    if not rows_along_k:  # the number of parts does not change the runs
        return counts[-1]
    return arch_of(device).panel_parts(counts, lambda parts: plan.k // parts * problem.bits / 8)


def epilogue_traffic(plan: GemmPlan, problem: Problem, slowdown: Slowdown = lambda _: 1, *, whole_k: bool = False) -> float:
    """Bytes per tile of the epilogue operands that share the channel of A or B, times the slowdown of their runs.

    `whole_k`: runs are as long as for a piece of all of k, whatever the pieces of the plan are.
    """
    if plan.spread:
        return sum(_slice_traffic(plan, problem, o, slowdown, whole_k=whole_k) for o in problem.epilogue)
    if not plan.multiplexed:
        return 0
    total = 0.0
    cores = plan.cores_m if plan.multiplexed == "a" else plan.cores_n
    for operand in problem.epilogue:
        if operand.along == "mn":
            columns = plan.herd_n
            if plan.multiplexed == "a":
                columns = plan.array_n if whole_k else min(plan.array_n, plan.k_piece)
                columns = _run_elements(columns, plan.padded(problem)[1], plan.herd_m)
            total += plan.array_m * plan.array_n * operand.bits / 8 * slowdown(columns * operand.bits / 8)
        else:
            total += cores * plan.transfer_bytes(problem) * plan.transfers_of(problem, operand)
    return total


def separate_bytes(plan: GemmPlan, problem: Problem) -> float:
    """Bytes per tile of the epilogue operands in transfers of their own."""
    if plan.spread or plan.multiplexed:
        return 0
    elements = {"m": plan.array_m, "n": plan.array_n, "mn": plan.array_m * plan.array_n}
    return sum(elements[operand.along] * operand.bits / 8 for operand in problem.epilogue)


def _slice_traffic(plan: GemmPlan, problem: Problem, operand: EpilogueOperand, slowdown: Slowdown, *, whole_k: bool) -> float:
    """The same for one operand that arrives in slices, one with each step along k; a transfer brings the slices of a piece."""
    size = plan.k // plan.k_step * plan.slice_elements(operand.along) * operand.bits / 8
    piece = plan.broadcast_array if whole_k else plan.broadcast_array * plan.k_piece // plan.k
    if operand.along != "mn":
        run = piece if plan.differs_in_broadcast(operand.along) else plan.channel_tile
    elif plan.shared == "a":
        run = _run_elements(piece, plan.padded(problem)[1], plan.channel_tile)
    else:
        run = _run_elements(plan.channel_tile, plan.padded(problem)[1], piece)
    return size * slowdown(run * operand.bits / 8)


def _balanced_channels(shared: float, slices: float, channels: int) -> float:
    """The number of channels by which to divide `shared` + `slices` bytes to get the bytes of the fullest channel.

    Slices use one channel: the second one if the operand has a single one, else one of the operand's.
    """
    return (shared + slices) / (max(shared, slices) if channels == 1 else shared / channels + slices)


def _fair_share_cycles(groups: Iterable[tuple[float, float, float]], memory_rate: float, channel_rate: float) -> float:
    """Cycles until all channels are done. A group is a number of channels, their actual and their equivalent bytes.

    Memory grants each waiting channel the same number of bytes in turn. All are equally fast while all move. Those with more
    bytes then share memory with fewer channels, up to the rate of a channel.
    """
    channels = sorted((actual / count, count * equivalent / actual) for count, actual, equivalent in groups if actual)
    cycles = done = 0.0
    for n, (channel_bytes, _) in enumerate(channels):
        memory_bytes = sum(weight for _, weight in channels[n:])  # per byte of each channel
        cycles += (channel_bytes - done) * max(memory_bytes / memory_rate, 1 / channel_rate)
        done = channel_bytes
    return cycles


def _equivalent_bytes(plan: GemmPlan, problem: Problem, device: Device, bound: Slowdown | None) -> TileBytes:
    """The equivalent bytes of a tile. With the slowdown `bound`, runs are as long as those of all of k."""
    slowdown = bound or arch_of(device).memory_share
    n = plan.padded(problem)[1]
    run_a, run_b = _operand_runs(plan, problem, device, whole_panel=bound is not None)
    a, b, result = tile_bytes(plan, problem)
    a, b = a * slowdown(run_a * problem.bits / 8), b * slowdown(run_b * problem.bits / 8)
    more = epilogue_traffic(plan, problem, slowdown, whole_k=bound is not None)
    written = slowdown(_result_run(plan, n) * problem.result_bits / 8)
    residual = _residual_bytes(plan, problem) * written
    return TileBytes(a + more * (plan.shared == "a"), b + more * (plan.shared == "b"), residual, result * written)


def _operand_runs(plan: GemmPlan, problem: Problem, device: Device, *, whole_panel: bool) -> tuple[int, int]:
    """Contiguous elements in external memory of the transfers of A and of B."""
    parts = panel_parts(plan, problem, device) if plan.panel and not whole_panel else 1
    k_a, k_b = (depth // parts if plan.panel == name else depth for name, depth in zip("ab", l2_depths(plan), strict=True))
    if plan.paired and plan.panel != "b":
        k_b //= pair_parts(plan)
    if plan.spread and halves_cores(plan, problem) and not is_multiplexed_by_rows(plan, problem):  # in parts along k
        small_parts = spread_channels(plan, problem, device)[1]
        k_a, k_b = (k_a // small_parts, k_b) if plan.cores_m == 1 else (k_a, k_b // small_parts)
    m, n, k = plan.padded(problem)
    parts_a, parts_b = channel_parts(plan, problem, device)
    rows, columns = plan.array_m // parts_a, plan.array_n // parts_b
    return (
        _run_elements(rows, m, k_a) if problem.transposed_a else _run_elements(k_a, k, rows),
        _run_elements(k_b, k, columns) if problem.transposed_b else _run_elements(columns, n, k_b),
    )


def _result_run(plan: GemmPlan, n: int) -> int:
    """Contiguous elements, of rows of `n`, that one channel writes."""
    if not plan.spread:
        return _run_elements(plan.array_n, n, plan.herd_m)
    if plan.cores_m == 1:
        return _run_elements(plan.array_n // plan.spread, n, 1)
    return _run_elements(plan.array_n, n, plan.array_m // plan.spread)


def _run_elements(length: int, row: int, rows: int) -> int:
    """Contiguous elements of a transfer of `length` elements from each of `rows` rows of `row` elements."""
    return length * rows if length == row else length


def _residual_bytes(plan: GemmPlan, problem: Problem) -> float:
    """Bytes per tile of the epilogue operands of the result's size that follow A in transfers of their own."""
    return 0 if plan.shared else sum(o.bits for o in problem.epilogue if o.along == "mn") * plan.array_m * plan.array_n / 8
