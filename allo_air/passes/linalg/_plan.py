"""The plan of a matrix multiplication: its tile sizes, and how much memory and how many channels they need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from allo_air.device import CORE_TILE
from allo_air.mlir import ir
from allo_air.passes.linalg._problem import EpilogueOperand, Problem
from allo_air.passes.linalg._rates import parts_of
from allo_air.plan.plan import Plan, Route, pair_channels
from allo_air.plan.schema import plan_of

DESCRIPTORS = CORE_TILE.bds
"""Buffer descriptors of a core."""
L2_PIECE = 256
"""Elements along k that an L2 buffer holds at least where nothing else is chosen, in whole steps."""

Panel = Literal["", "a", "b"]


@dataclass(frozen=True)
class GemmPlan:
    """The tile of a core (`herd_m` x `herd_n`), the cores in the two directions, the micro-tile, and the step of the loop over
    k.

    `k` is the extent along k, a multiple of the step; m and n are padded to whole launch tiles. Operands come to L2 in pieces
    of `k_piece` elements along k, a multiple of the step that divides k, double-buffered if there are several. With `panel`
    "a", the rows of A for a launch iteration stay in L2 while its cores compute `tiles` tiles along n, one after another; with
    "b" the columns of B, and the tiles are along m.
    """

    herd_m: int
    herd_n: int
    cores_m: int
    cores_n: int
    micro: tuple[int, int, int]
    k_step: int
    k: int
    k_piece: int
    panel: Panel = ""
    tiles: int = 1
    multiplexed: Panel = ""
    """The channel (A's or B's) on which epilogue operands alternate with the steps along k, in transfers of equal size; "" if
    they have their own transfers.
    """
    spread: int = 0
    """Columns of the array over which the cores of one dimension of the result are spread, so many in each, where the other
    dimension has a single one; 0 where each dimension of the result lies along one of the array's. Other operands of the result
    come in slices then, one with each step along k of the operand that all cores share."""
    strips: int = 1
    """Strips of rows, an even number, in which a core sends a result whose type differs from that of its sums: a strip is
    filled while the previous one is sent. 1 if the result is sent as a whole.
    """
    paired: bool = False
    """Whether pieces of B alternate between pairs of memtiles, over a channel of each (`air-pair-l2-channels`)."""

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
        return up(problem.m, self.launch_m), up(problem.n, self.launch_n), self.k

    def pads(self, problem: Problem) -> bool:
        """Whether its tiles do not divide the problem."""
        return self.padded(problem) != (problem.m, problem.n, problem.k)

    def l1_bytes(self, problem: Problem) -> int:
        """Buffers of one core: both operands twice (ping-pong) and their parts, the accumulator, and the result if it has
        another type.

        With one step per tile, the tiles alternate, and all buffers are doubled.
        """
        operands = self.k_step * self.step_bytes(problem)
        if problem.epilogue:
            operands += sum(self.epilogue_bytes(o, problem) for o in problem.epilogue)
        area, sums = self.herd_m * self.herd_n, problem.accumulator_bits
        leaves = problem.result_bits if problem.result_bits != sums else 0
        if self.strips > 1:
            return operands + area * sums // 8 + 2 * (area // self.strips) * leaves // 8
        return operands + area * (sums + leaves) // 8 * (2 if self.k_step == self.k and self.tiles > 1 else 1)

    def step_bytes(self, problem: Problem) -> int:
        """Bytes of both operands per element along k: twice, and the bf16 parts that they are split into."""
        parts = parts_of(problem.element, self.micro)
        return (self.herd_m + self.herd_n) * (2 * problem.bits // 8 + (2 * parts if parts > 1 else 0))

    def epilogue_bytes(self, operand: EpilogueOperand, problem: Problem) -> int:
        """Buffers of one core for an epilogue operand: as it arrives, and widened to whole micro-tiles."""
        m, n, _ = self.micro
        if self.spread:
            tile_elements = {"m": self.herd_m * (1 + n), "n": self.herd_n * (1 + m), "mn": self.herd_m * self.herd_n}[
                operand.along
            ]
            return (2 * self.slice_elements(operand.along) + tile_elements) * operand.bits // 8
        if self.multiplexed:
            comes = 0 if self.shares_buffers(problem) else 2 * self.turn_bytes(problem)
            if operand.along == "mn":
                return comes
            return comes + (self.herd_m * n if operand.along == "m" else self.herd_n * m) * operand.bits // 8
        match operand.along:
            case "m":
                return self.herd_m * (1 + n) * operand.bits // 8
            case "n":
                return self.herd_n * (1 + m) * operand.bits // 8
        return (1 + (self.cores_n > 1)) * self.herd_m * self.herd_n * operand.bits // 8

    @property
    def shared(self) -> Panel:
        """The operand, A or B, on whose channel epilogue operands arrive, alternating with its steps or in slices; "" if they
        have transfers of their own.
        """
        return ("a" if self.cores_m == 1 else "b") if self.spread else self.multiplexed

    @property
    def on_tile(self) -> int:
        """Rows of a core's tile if other operands use A's channel, columns if they use B's."""
        return self.herd_m if self.shared == "a" else self.herd_n

    @property
    def walked_tile(self) -> int:
        """The other extent of a core's tile."""
        return self.herd_n if self.shared == "a" else self.herd_m

    @property
    def walked_array(self) -> int:
        """The same for all cores that share the channel."""
        return self.array_n if self.shared == "a" else self.array_m

    def turn_bytes(self, problem: Problem) -> int:
        """Bytes of a core's memory for a step along k of the operand whose channel is shared."""
        return self.on_tile * self.k_step * problem.bits // 8

    def chunk(self, problem: Problem, operand: EpilogueOperand) -> int:
        """Columns (on A's channel) or rows of an operand of the result's size that arrive in one turn."""
        return self.k_step * problem.bits // operand.bits

    def is_walked(self, along: str) -> bool:
        """Whether an operand that follows rows ("m") or columns ("n") differs among the cores that share the channel."""
        return (along == "n") == (self.shared == "a")

    def slice_elements(self, along: str) -> int:
        """Elements per step along k of an operand that follows rows ("m"), columns ("n") or both, if it arrives in slices."""
        walked = self.walked_array * self.k_step // self.k
        if along == "mn":
            return walked * self.on_tile
        return walked if self.is_walked(along) else self.on_tile

    def line(self, problem: Problem, along: str, bits: int) -> int:
        """Elements that arrive at a time of an operand that follows rows ("m") or columns ("n"), widened to micro-tiles and to
        a step along k; 0 if there are none.
        """
        size, rest = divmod(self.turn_bytes(problem) * 8, bits)
        mine, other = self.micro[:2] if along == "m" else self.micro[1::-1]
        if rest or (along == "m" and bits != 32):
            return 0
        if not self.is_walked(along):
            return self.on_tile if size % (self.on_tile * other) == 0 else 0
        whole, tile = self.walked_array, self.walked_tile
        counts = (c for c in range(1, whole // mine + 1) if (c == 1 or c % 2 == 0) and whole % (c * mine) == 0)
        sizes = (whole // c for c in counts)
        return next((s for s in sizes if size % (s * other) == 0 and (s % tile == 0 or tile % s == 0)), 0)

    def turn_count(self, problem: Problem) -> int:
        """Transfers of other operands, per tile, that alternate with the steps along k."""
        return sum(self.turns_of(problem, o) for o in problem.epilogue) if self.multiplexed else 0

    def turns_of(self, problem: Problem, operand: EpilogueOperand) -> int:
        """The same for one operand."""
        if operand.along == "mn":
            return self.walked_array // max(1, self.chunk(problem, operand))
        size = self.line(problem, operand.along, operand.bits)
        return max(2, self.walked_array // size) if size and self.is_walked(operand.along) else 2

    def shares_buffers(self, problem: Problem) -> bool:
        """Whether these use the same buffers as the steps, since a core has too few descriptors for separate buffers
        (`air-to-aie`).
        """
        return self.k // self.k_step + self.turn_count(problem) + 3 > DESCRIPTORS

    def epilogue_tiles(self, problem: Problem) -> tuple[int, int]:
        """Transfers of such operands on the channels of A and of B, per tile.

        If they are of one kind, they are divided among the two channels, B's first (`air-label-channels-to-fuse`).
        """
        if self.cores == 1:
            count = len(problem.epilogue)
            return count // 2, count - count // 2
        rows = sum(1 if s.along == "m" else self.cores_n for s in problem.epilogue if s.along != "n")
        return rows, sum(s.along == "n" for s in problem.epilogue)

    @staticmethod
    def of(plan: Plan) -> GemmPlan | None:
        """The plan of a matrix multiplication; None if it is another, or its sizes do not divide each other."""
        if plan.family != "matmul" or not len(plan.padded) == len(plan.core) == len(plan.micro) == 3 or len(plan.cores) != 2:
            return None
        a, b = plan.route("a"), plan.route("b")
        panel: Panel = "a" if a.panel else "b" if b.panel else ""
        strips, multiplexed = plan.route("c").parts, plan.route("others").multiplexed
        values = (*plan.core, *plan.cores, *plan.micro, plan.padded[2], plan.piece, strips)
        if any(size < 1 for size in values) or multiplexed not in ("", "a", "b"):
            return None
        m, n, k = plan.micro
        if any(size % unit for size, unit in zip(plan.core, (m * strips, n, k), strict=True)):
            return None
        (herd_m, herd_n, step), extent, piece = plan.core, plan.padded[2], plan.piece
        if extent % step or extent % piece or piece % step:
            return None
        tiles, turned = max(1, a.panel, b.panel), cast(Panel, multiplexed)
        sizes = herd_m, herd_n, *plan.cores, (m, n, k), step, extent, piece, panel, tiles
        return GemmPlan(*sizes, turned, plan.spread, strips, plan.is_paired)

    @property
    def text(self) -> str:
        """Cores, tiles, pieces and panel as text for the user."""
        text = f", panel of {self.panel.upper()} for {self.tiles} tiles" if self.panel else ""
        text += f", others with {self.multiplexed.upper()}" if self.multiplexed else ""
        text += f", result in {self.strips} strips" if self.strips > 1 else ""
        text += ", B by pairs of memtiles" if self.paired else ""
        sizes = f"tile {self.herd_m}x{self.herd_n}x{self.k_step}, pieces of {self.k_piece}"
        return f"herd {self.cores_m}x{self.cores_n}, {sizes}{text}"

    def decided(self, problem: Problem, why: str = "") -> Plan:
        """The plan as passes and tuner read it; `why` is for the user."""
        m, n, k = self.micro
        notes = f", panel of {self.panel.upper()} in L2 for {self.tiles} tiles" if self.panel else ""
        notes += f", other operands in turns with {self.multiplexed.upper()}" if self.multiplexed else ""
        notes += f", result in {self.strips} strips" if self.strips > 1 else ""
        notes += ", B by pairs of memtiles" if self.paired else ""
        times = self.k // self.k_step
        rounded = f", sums rounded to {problem.accumulator_bits} bits after each of {times} steps" if problem.wide_bits else ""
        text = (
            f"herd {self.cores_m}x{self.cores_n}, core tile {self.herd_m}x{self.herd_n}, k step {self.k_step}, "
            f"micro-tile {m}x{n}x{k}, L1 {self.l1_bytes(problem)} bytes{notes}{rounded}; {why}"
        )
        channels = pair_channels(self.spread) if self.paired and self.spread else 0
        routes = (
            Route("a", panel=self.tiles if self.panel == "a" else 0),
            Route("b", panel=self.tiles if self.panel == "b" else 0, memtiles=1 + self.paired, channels=channels),
            Route("c", parts=self.strips),
            Route("others", multiplexed=self.multiplexed),
        )
        padded, launch = self.padded(problem), (self.launch_m, self.launch_n, self.k)
        return Plan(
            "matmul",
            text,
            padded,
            launch,
            problem.batch * (padded[0] // launch[0]) * (padded[1] // launch[1]),
            (self.herd_m, self.herd_n, self.k_step),
            self.micro,
            (self.cores_m, self.cores_n),
            self.spread,
            self.k_piece,
            narrow=bool(problem.wide_bits),
            routes=tuple(r for r in routes if r != Route(r.operand)),
            l1=self.l1_bytes(problem),
        )


def planned(function: ir.Operation) -> GemmPlan | None:
    """The plan that `plan-gemm` attached to `function`; None if there is none."""
    plan = plan_of(function)
    return None if plan is None else GemmPlan.of(plan)


def up(extent: int, unit: int) -> int:
    """`extent` rounded up to a multiple of `unit`."""
    return -(-extent // unit) * unit


@cache
def piece(k: int, step: int, least: int) -> int:
    """The smallest multiple of `step` that divides `k` and is at least `least`; `k` itself if there is none."""
    return next((p for p in range(up(least, step), k, step) if k % p == 0), k)
