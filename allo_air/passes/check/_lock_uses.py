"""The lock operations of each core and DMA channel of a device, in program order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects._rules_aie_tiles import lock_value
from allo_air.dialects.aie import DMAStartOp, UseLockOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes.check._tiles import DeviceUse, Place

_RELEASE = 1


@dataclass(frozen=True)
class Use:
    """One operation on a lock; `amount` is positive for an acquire and negative for a release."""

    op: Any
    lock: ir.Value
    amount: int


@dataclass(frozen=True)
class Agent:
    """A core or DMA channel: its name in messages, and its lock operations in order. `exact` means that all amounts are
    constant.

    `start` is the `aie.dma_start` of a channel, and `bds` are the BDs that it reaches.
    """

    name: str
    uses: tuple[Use, ...]
    exact: bool
    start: Any = None
    bds: tuple[Any, ...] = ()


def agents(use: DeviceUse) -> tuple[Agent, ...]:
    """The cores and DMA channels of a device that use locks."""
    if "agents" not in use.memo:
        use.memo["agents"] = tuple(_agents(use))
    result: tuple[Agent, ...] = use.memo["agents"]
    return result


def _agents(use: DeviceUse) -> Iterator[Agent]:
    for tile in use:
        if tile.core is not None:
            yield _agent(f"the {use.name(tile.place)}", walk_named(tile.core, "aie.use_lock"))
        for start, bds in tile.chains:
            yield _agent(_channel(use, tile.place, start), [op for bd in bds for op in _around(bd)], start, tuple(bds))


def _channel(use: DeviceUse, place: Place, start: AnyOp) -> str:
    view = DMAStartOp(start)
    return f"{('S2MM', 'MM2S')[view.channel_dir]} {view.channel_index} of {use.name(place)}"


def _around(bd: ir.Operation) -> list[Any]:
    """The lock operations of a BD's block, acquires first, which is the hardware's order."""
    ops = [o.operation for o in bd.block.operations if o.operation.name == "aie.use_lock"]
    return sorted(ops, key=lambda op: UseLockOp(op).action == _RELEASE)


def _agent(name: str, ops: Sequence[AnyOp], start: AnyOp | None = None, bds: tuple[AnyOp, ...] = ()) -> Agent:
    views = [UseLockOp(op) for op in ops]
    amounts = [lock_value(view) for view in views]
    signs = [-1 if view.action == _RELEASE else 1 for view in views]
    uses = tuple(
        Use(op, op.operands[0], sign * amount)
        for op, sign, amount in zip(ops, signs, amounts, strict=True)
        if amount is not None
    )
    return Agent(name, uses, None not in amounts, start, bds)
