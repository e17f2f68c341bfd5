"""Tile sizes of a matrix multiplication for a device: as many cores as divide it, then the best reuse that fits in L1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.device import Device

STACK_BYTES = 1024
MICRO_TILES = {
    ("AIE2", "bf16"): (4, 4, 8),
    ("AIE2", "i8"): (4, 8, 8),
    ("AIE2", "i16"): (4, 8, 2),
    ("AIE2p", "bf16"): (8, 4, 8),
    ("AIE2p", "i8"): (8, 8, 8),
    ("AIE2p", "i16"): (8, 8, 2),
}
"""Micro-tile (m, n, k) of one MAC instruction, or of a few (facts/core-kernels.md); other types use DEFAULT_MICRO_TILE."""
DEFAULT_MICRO_TILE = (4, 4, 8)

MAX_STEPS = 16
"""Steps of the loop over k that are preferred: each takes a BD of its memtile channel, and two channels share 24."""


@dataclass(frozen=True)
class Problem:
    """C (m x n) = A (m x k) B (k x n); bits of an element of A and B, and of C."""

    m: int
    n: int
    k: int
    element: str
    bits: int
    result_bits: int


@dataclass(frozen=True)
class Plan:
    """Tile of a core (`herd_m` x `herd_n`), cores in the two directions, micro-tile, and the step of the loop over k."""

    herd_m: int
    herd_n: int
    cores_m: int
    cores_n: int
    micro: tuple[int, int, int]
    k_step: int

    def l1_bytes(self, problem: Problem) -> int:
        """Buffers of one core: both operands twice (ping-pong), the result once."""
        operands = 2 * self.k_step * (self.herd_m + self.herd_n) * problem.bits // 8
        return operands + self.herd_m * self.herd_n * problem.result_bits // 8

    @property
    def cores(self) -> int:
        return self.cores_m * self.cores_n

    @property
    def reuse(self) -> float:
        """Multiplications for each operand element that a core receives."""
        return self.herd_m * self.herd_n / (self.herd_m + self.herd_n)


def plan(problem: Problem, device: Device, fixed: Plan | None = None) -> Plan | None:
    """The best plan; None where no tile size divides the problem and fits. `fixed` holds sizes that are given (0: free)."""
    micro = MICRO_TILES.get((device.arch, problem.element), DEFAULT_MICRO_TILE)
    found = [p for p in _candidates(problem, device, micro) if _agrees(p, fixed)]
    return max(found, key=lambda p: (p.cores, problem.k <= MAX_STEPS * p.k_step, p.reuse, p.k_step), default=None)


def _agrees(candidate: Plan, fixed: Plan | None) -> bool:
    if fixed is None:
        return True
    pairs = ((candidate.herd_m, fixed.herd_m), (candidate.herd_n, fixed.herd_n), (candidate.k_step, fixed.k_step))
    return all(want in (0, have) for have, want in pairs)


def _candidates(problem: Problem, device: Device, micro: tuple[int, int, int]) -> Iterator[Plan]:
    core = device.tiles["core"]
    rows = device.rows - 1 - len(device.mem_rows)
    for cores_m in range(1, device.columns + 1):
        for cores_n in range(1, rows + 1):
            for herd_m in _tiles(problem.m, cores_m, micro[0]):
                for herd_n in _tiles(problem.n, cores_n, micro[1]):
                    for k_step in _tiles(problem.k, 1, micro[2]):
                        made = Plan(herd_m, herd_n, cores_m, cores_n, micro, k_step)
                        if made.l1_bytes(problem) <= core.memory - STACK_BYTES:
                            yield made


def _tiles(extent: int, parts: int, unit: int) -> list[int]:
    """Multiples of `unit`, at most 256, `parts` of which divide `extent`."""
    return [size for size in range(unit, min(extent // parts, 256) + 1, unit) if extent % (size * parts) == 0]
