"""What operands of the result's elementwise operations ask for, whose tiles share the channels of A and B."""

from __future__ import annotations

from allo_air.device import Device
from allo_air.passes.linalg._plan import Plan
from allo_air.passes.linalg._problem import Problem


def beside_result(device: Device) -> int:
    """Descriptors of a memtile for A and B in, or for A and B out: half of them serve the channels of one parity, C's too."""
    return device.tiles["mem"].bds // 2 - device.tiles["mem"].channels[0]


def l2_bytes(plan: Plan, problem: Problem, along: str) -> int:
    """Bytes in L2 beside A ("m"), for the rows of one core, or beside B ("n"), for the columns of one core."""
    if along == "n":
        return sum(plan.herd_n * s.bits // 8 for s in problem.epilogue if s.along == "n")
    columns = {"m": 1, "mn": plan.array_n}
    return sum(plan.herd_m * columns[s.along] * s.bits // 8 for s in problem.epilogue if s.along != "n")


def rings(plan: Plan, problem: Problem, device: Device, rows: int, columns: int) -> str | None:
    """Buffer descriptors where such tiles follow the steps of a tile of the result, which then all have one of their own.

    `rows` and `columns` are the streams from a memtile that A and B leave it by. A panel would have to wait for them.
    """
    if not problem.epilogue:
        return None
    if plan.panel:
        return "keeps a panel, whose channel other operands of the result share"
    on_a, on_b = plan.epilogue_tiles(problem)
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


def ring(times: int, following: int = 0) -> int:
    """Descriptors of a channel that moves `times` pieces, in turns to two buffers, and then `following` tiles.

    Two where the buffers change places an even number of times and nothing follows, else one each time.
    """
    return times + following if following else min(times, 2) if times % 2 == 0 or times == 1 else times
