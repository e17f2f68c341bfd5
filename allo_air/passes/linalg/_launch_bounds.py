"""Lower bounds on the cycles of all launches of a plan, from bounds on their parts. `_cost.cost` adds up the same terms."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import arch_of, machine_of
from allo_air.device import Device
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._shim_descriptors import shim_descriptors
from allo_air.passes.linalg._traffic import Traffic


@dataclass(frozen=True)
class LaunchBound:
    """The terms of the bound that all variants of one plan have in common. All fields except `tiles` are cycles."""

    tiles: int
    """Tiles of the result that each core computes, in all launches."""
    moving: float
    """External memory and control processor, for all launches."""
    begins: float
    """The start of external memory's work."""
    lead: float
    """The start of the tasks that bring A and B, and of those of the result where all begin together."""
    tasks: float
    """Starting all tasks."""
    cold: float
    """Latency from the start of a task to its first data."""
    written: float
    """Writing one result tile to external memory."""
    end: float
    """Sending the last result out of a core, and ending the run."""

    def cycles(self, tile: float, first: float) -> float:
        """Cycles of all launches, if a core needs `tile` cycles for a tile, and the first operands arrive in `first` cycles.

        The slowest of three chains: external memory from the first task on; all tasks, the first operands, all tiles and the
        last result; or all tasks and one result.
        """
        computing = self.tiles * max(tile, self.written)
        memory = self.begins + self.cold + max(computing, self.moving)
        cores = self.lead + self.cold + first + computing + self.written
        control = self.tasks + self.written
        return max(memory, cores, control) + self.end


def launch_bound(plan: GemmPlan, problem: Problem, device: Device, memory: Traffic, moving: float) -> LaunchBound:
    """The bound of `plan`, for which external memory and control take `moving` cycles per matrix of the batch."""
    m, n, _ = plan.padded(problem)
    machine, operands = machine_of(device), memory.channels_a + memory.channels_b
    lead = machine.lead(operands, memory.channels_result)
    return LaunchBound(
        tiles=problem.batch * (m // plan.array_m) * (n // plan.array_n),
        moving=problem.batch * moving,
        begins=lead if machine.holds_tasks else lead / 2,
        lead=lead,
        tasks=machine.push * (operands + memory.channels_result),
        cold=machine.cold,
        written=memory.cycles(0, 0, 1),
        end=plan.herd_m * plan.herd_n * problem.result_bits / 8 / arch_of(device).stream_bytes + machine.tail,
    )


def first_operand_cycles(plan: GemmPlan, memory: Traffic, piece: float, panel_part: float) -> float:
    """Cycles of the first operands. `piece` is the part of a tile's operands that arrives first, `panel_part` that of a panel.

    0 if the cores lie along one dimension: pieces may then use more channels than all of k does.
    """
    if plan.spread:
        return 0
    return memory.cycles(panel_part if plan.panel == "a" else piece, panel_part if plan.panel == "b" else piece, 0)


def traffic_cycles(plan: GemmPlan, problem: Problem, device: Device, memory: Traffic) -> float:
    """Cycles of external memory and of the shims' channels for one matrix of the batch."""
    m, n, _ = plan.padded(problem)
    if plan.spread:  # pieces may use more channels than whole rows do, so only memory counts
        operands = m * plan.k * (n // plan.launch_n) + n * plan.k * (m // plan.launch_m)
        return (operands * problem.bits + m * n * problem.result_bits) / 8 / arch_of(device).memory_bytes
    return m // plan.launch_m * (n // plan.launch_n) * ((plan.tiles - 1) * memory.steady_cycles + memory.swap_cycles)


def control_cycles(plan: GemmPlan, problem: Problem, device: Device) -> float:
    """Cycles of the control processor for one matrix of the batch; 0 without an epilogue, where it only starts tasks."""
    if not problem.epilogue:
        return 0
    return machine_of(device).push * shim_descriptors(plan, problem, device).later / problem.batch
