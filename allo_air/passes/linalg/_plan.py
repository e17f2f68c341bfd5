"""The plan of a matrix multiplication: its tile sizes, the L1 memory that they need, and the transfers of epilogue operands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from allo_air.device import CORE_TILE
from allo_air.passes._analysis.dma_rings import ring_descriptors
from allo_air.passes.linalg._problem import EpilogueOperand, Problem
from allo_air.passes.linalg._rates import parts_of

DESCRIPTORS = CORE_TILE.bds
"""Buffer descriptors of a core."""
L2_PIECE = 256
"""Smallest number of elements along k of an L2 buffer, unless the user chose otherwise; rounded up to whole steps."""

Panel = Literal["", "a", "b"]


@dataclass(frozen=True)
class GemmPlan:
    """How the array computes a matrix multiplication, C (m x n) = A (m x k) B (k x n).

    A core computes a tile of `herd_m` x `herd_n` elements of C, in steps of `k_step` elements along k. At a time,
    `cores_m` x `cores_n` cores compute neighbouring tiles. An example: C is 512 x 512 and k is 1024, on 4 x 4 cores with tiles
    of 64 x 64 and steps of 32. The cores compute 256 x 256 elements at a time (`array_m` x `array_n`), which is also the size
    of a launch iteration (`launch_m` x `launch_n`), so that there are four iterations. Each core makes 1024 / 32 = 32 steps.

    m and n are padded to whole launch iterations. `k` is the padded extent along k, a multiple of the step.
    """

    herd_m: int
    herd_n: int
    cores_m: int
    cores_n: int
    micro: tuple[int, int, int]
    """The block m x n x k that one MAC instruction multiplies."""
    k_step: int
    k: int
    k_piece: int
    """Elements along k of an L2 buffer of A or B: a multiple of the step that divides k. Two buffers alternate if there are
    several pieces.
    """
    panel: Panel = ""
    """An operand that L2 holds along all of k while the cores compute `tiles` tiles, one after another: the rows of A for tiles
    along n ("a"), or the columns of B for tiles along m ("b").
    """
    tiles: int = 1
    multiplexed: Panel = ""
    """The operand, A or B, on whose channel epilogue operands arrive between the steps along k, in transfers of a step's size;
    "" if they have transfers of their own.
    """
    spread: int = 0
    """Columns of the array over which the cores are spread if they all lie along one dimension of the result (`cores_m` or
    `cores_n` is 1); 0 if each dimension of the result lies along one of the array's. All cores then receive one of A and B, and
    epilogue operands arrive in slices: a slice with each step along k of that operand.
    """
    strips: int = 1
    """Strips of rows, an even number, in which a core sends a result whose type differs from that of its sums: a strip is
    filled while the previous one is sent. 1 if the result is sent as a whole.
    """
    paired: bool = False
    """Whether pieces of B alternate between pairs of memtiles, over a channel of each (`air-split-l2-pieces`)."""

    def varied(self, **changes: object) -> GemmPlan:
        """The plan with other entries: like `dataclasses.replace`, which takes ten times as long, for thousands of plans."""
        gemm_plan = object.__new__(GemmPlan)
        vars(gemm_plan).update(vars(self), **changes)
        return gemm_plan

    @property
    def cores(self) -> int:
        return self.cores_m * self.cores_n

    @property
    def array_m(self) -> int:
        """Rows of the result that all cores compute at a time."""
        return self.herd_m * self.cores_m

    @property
    def array_n(self) -> int:
        """Columns of the result that all cores compute at a time."""
        return self.herd_n * self.cores_n

    @property
    def launch_m(self) -> int:
        """Rows of the result that one launch iteration computes."""
        return self.array_m * (self.tiles if self.panel == "b" else 1)

    @property
    def launch_n(self) -> int:
        """Columns of the result that one launch iteration computes."""
        return self.array_n * (self.tiles if self.panel == "a" else 1)

    def padded(self, problem: Problem) -> tuple[int, int, int]:
        """m, n and k with padding."""
        return round_up(problem.m, self.launch_m), round_up(problem.n, self.launch_n), self.k

    def pads(self, problem: Problem) -> bool:
        """Whether its tiles do not divide the problem."""
        return self.padded(problem) != (problem.m, problem.n, problem.k)

    def l1_bytes(self, problem: Problem) -> int:
        """Bytes of a core's buffers: A and B twice (ping-pong), epilogue operands, the sums, and the result if its type differs
        from that of the sums.

        With several tiles of one step each, the sums and the result are doubled, too.
        """
        operands = self.k_step * self.step_bytes(problem)
        if problem.epilogue:
            operands += sum(self.epilogue_bytes(o, problem) for o in problem.epilogue)
        area, sums = self.herd_m * self.herd_n, problem.accumulator_bits
        result = problem.result_bits if problem.result_bits != sums else 0
        if self.strips > 1:
            return operands + area * sums // 8 + 2 * (area // self.strips) * result // 8
        return operands + area * (sums + result) // 8 * (2 if self.k_step == self.k and self.tiles > 1 else 1)

    def step_bytes(self, problem: Problem) -> int:
        """Bytes of a core's buffers of A and B per element along k: two buffers each, and the bf16 parts of their elements."""
        parts = parts_of(problem.element, self.micro)
        return (self.herd_m + self.herd_n) * (2 * problem.bits // 8 + (2 * parts if parts > 1 else 0))

    def epilogue_bytes(self, operand: EpilogueOperand, problem: Problem) -> int:
        """Bytes of a core's buffers for an epilogue operand: as it arrives, and widened to whole micro-tiles."""
        m, n, _ = self.micro
        widened = {"m": self.herd_m * n, "n": self.herd_n * m, "mn": 0}[operand.along]
        tile = {"m": self.herd_m, "n": self.herd_n, "mn": self.herd_m * self.herd_n}[operand.along]
        if self.spread:
            return (2 * self.slice_elements(operand.along) + tile + widened) * operand.bits // 8
        if self.multiplexed:
            arriving = 0 if self.shares_buffers(problem) else 2 * self.transfer_bytes(problem)
            return arriving + widened * operand.bits // 8
        buffers = 2 if operand.along == "mn" and self.cores_n > 1 else 1
        return (buffers * tile + widened) * operand.bits // 8

    @property
    def shared(self) -> Panel:
        """The operand, A or B, on whose channel epilogue operands arrive, alternating with its steps or in slices; "" if they
        have transfers of their own.

        The channel broadcasts. A's channel brings rows of A to the cores that compute different columns of the same rows.
        Along n (of B's channel along m), the "broadcast dimension", the cores differ; along the other dimension, the "channel
        dimension", their tiles are the same.
        """
        return ("a" if self.cores_m == 1 else "b") if self.spread else self.multiplexed

    @property
    def channel_tile(self) -> int:
        """Extent of a core's tile in the channel dimension (`shared`): rows on A's channel, columns on B's."""
        return self.herd_m if self.shared == "a" else self.herd_n

    @property
    def broadcast_tile(self) -> int:
        """Extent of a core's tile in the broadcast dimension (`shared`): columns on A's channel, rows on B's."""
        return self.herd_n if self.shared == "a" else self.herd_m

    @property
    def broadcast_array(self) -> int:
        """Extent, in the broadcast dimension, of the tiles of all cores that receive the channel."""
        return self.array_n if self.shared == "a" else self.array_m

    def differs_in_broadcast(self, along: str) -> bool:
        """Whether the cores that receive the channel use different elements of an operand with one element for each row ("m")
        or column ("n").
        """
        return (along == "n") == (self.shared == "a")

    def transfer_bytes(self, problem: Problem) -> int:
        """Bytes that a core receives with a step along k of the operand whose channel is shared."""
        return self.channel_tile * self.k_step * problem.bits // 8

    def chunk_extent(self, problem: Problem, operand: EpilogueOperand) -> int:
        """Extent, in the broadcast dimension, of the chunk of an operand of the result's size that arrives in one transfer."""
        return self.k_step * problem.bits // operand.bits

    def slice_elements(self, along: str) -> int:
        """Elements that arrive with a step along k of an operand that follows rows ("m"), columns ("n") or both ("mn"), if it
        arrives in slices.
        """
        extent = self.broadcast_array * self.k_step // self.k
        if along == "mn":
            return extent * self.channel_tile
        return extent if self.differs_in_broadcast(along) else self.channel_tile

    def vector_elements(self, problem: Problem, along: str, bits: int) -> int:
        """Different elements in one multiplexed transfer of an operand that follows rows ("m") or columns ("n") only.

        Each element is repeated until it fills a micro-tile and all elements fill a transfer, as `transfer_bytes` says. 0 if
        no number of elements does.
        """
        size, remainder = divmod(self.transfer_bytes(problem) * 8, bits)
        micro_along, micro_across = self.micro[:2] if along == "m" else self.micro[1::-1]
        if remainder or (along == "m" and bits != 32):
            return 0
        if not self.differs_in_broadcast(along):
            return self.channel_tile if size % (self.channel_tile * micro_across) == 0 else 0
        extent, tile = self.broadcast_array, self.broadcast_tile
        counts = (c for c in range(1, extent // micro_along + 1) if (c == 1 or c % 2 == 0) and extent % (c * micro_along) == 0)
        sizes = (extent // c for c in counts)
        return next((s for s in sizes if size % (s * micro_across) == 0 and (s % tile == 0 or tile % s == 0)), 0)

    def multiplexed_transfers(self, problem: Problem) -> int:
        """Transfers of epilogue operands, per tile, between the steps along k; 0 if they are not multiplexed."""
        return sum(self.transfers_of(problem, o) for o in problem.epilogue) if self.multiplexed else 0

    def transfers_of(self, problem: Problem, operand: EpilogueOperand) -> int:
        """Multiplexed transfers of `operand` per tile."""
        if operand.along == "mn":
            return self.broadcast_array // max(1, self.chunk_extent(problem, operand))
        size = self.vector_elements(problem, operand.along, operand.bits)
        return max(2, self.broadcast_array // size) if size and self.differs_in_broadcast(operand.along) else 2

    def shares_buffers(self, problem: Problem) -> bool:
        """Whether multiplexed operands use the same buffers in L1 as the steps, since a core has too few descriptors for
        separate ones (`air-to-aie`).
        """
        return self.k // self.k_step + self.multiplexed_transfers(problem) + 3 > DESCRIPTORS

    def separate_transfers(self, problem: Problem) -> tuple[int, int]:
        """Transfers of epilogue operands of their own on the channels of A and of B, per tile.

        On a single core they are divided between the two channels, B's first (`air-label-channels-to-fuse`).
        """
        if self.cores == 1:
            count = len(problem.epilogue)
            return count // 2, count - count // 2
        on_a = sum(1 if o.along == "m" else self.cores_n for o in problem.epilogue if o.along != "n")
        return on_a, sum(o.along == "n" for o in problem.epilogue)

    @property
    def plain_descriptors(self) -> int:
        """Buffer descriptors of a core's DMA without those of epilogue operands: the rings of both operands, and the result."""
        steps = self.k // self.k_step
        return 2 * ring_descriptors(steps) + 1 if steps > 1 else 3 * ring_descriptors(self.tiles)

    def core_descriptors(self, problem: Problem) -> int:
        """Buffer descriptors of a core's DMA. Slices of epilogue operands have rings; separate operands follow the steps."""
        steps = self.k // self.k_step
        if not problem.epilogue or (self.multiplexed and not self.spread):
            return self.plain_descriptors
        if self.spread:
            return self.plain_descriptors + len(problem.epilogue) * ring_descriptors(steps)
        return sum(ring_descriptors(steps, own) for own in self.separate_transfers(problem)) + 1


def round_up(extent: int, unit: int) -> int:
    """`extent` rounded up to a multiple of `unit`."""
    return -(-extent // unit) * unit


@cache
def piece_size(k: int, step: int, least: int) -> int:
    """The smallest multiple of `step` that divides `k` and is at least `least`; `k` itself if there is none."""
    return next((p for p in range(round_up(least, step), k, step) if k % p == 0), k)
