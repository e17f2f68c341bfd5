"""Tasks of the sequence: BDs on a channel that are configured, started, awaited and freed; and the sequence itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.building.regions import Blocks, block_of, fill_with, has_end
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import Scalar, as_integer, converted, value_of, wrapped
from allo_air.aie.dialects._aie_dma import direction, dma_bd
from allo_air.aie.dialects._aie_fifos import symbol_of
from allo_air.aie.dialects._aie_tiles import EndOp
from allo_air.dialects import aie as _aie
from allo_air.dialects import aiex as _aiex
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aiex_tasks import DMAConfigureTaskForOp


def runtime_sequence(*types: object, sym_name: str = "sequence", **keywords: object) -> Callable[[Callable[..., Any]], Any]:
    """`@runtime_sequence(A, B)`: the decorated function, called with the arguments, builds the body of the runtime sequence."""
    refuse(keywords, "runtime_sequence", ignored=("loc", "ip"))
    kinds = list(types[0]) if len(types) == 1 and isinstance(types[0], list | tuple) else list(types)

    def fill(function: Callable[..., object]) -> Any:
        op = _aie.RuntimeSequenceOp(sym_name=sym_name)
        fill_with(op, function, None, [mlir_type(k, "runtime_sequence") for k in kinds])
        return op

    return fill


def _configured(
    kind: Any, fields: dict[str, int | str | ir.Value], issue_token: object, repeat_count: Any, bd_id: Any, loc: Any, ip: Any
) -> Any:
    for name, value in (("repeat_count", repeat_count), ("bd_id", bd_id)):
        if isinstance(value, ir.Value):
            fields[f"{name}_operand"] = converted(Scalar(value), "i32")
        elif value is not None:
            fields[name] = int(value)
    if issue_token:
        fields["issue_token"] = True
    result = kind(loc=loc, ip=ip, **fields)
    block_of(result)
    return result


def dma_configure_task(
    tile: object, direction_: object = None, channel: int = 0, *, issue_token: bool | None = None, repeat_count: object = None,
    bd_id: object = None, direction: object = None, packet: object = None, loc: object = None, ip: object = None,
) -> Any:  # fmt: skip
    """A task on a channel of a tile, whose BDs `bds` builds."""
    from allo_air.aie.building.attributes import packet as header

    fields: dict[str, Any] = {"tile": value_of(tile), "direction": _way(direction_ if direction is None else direction)}
    fields |= {"channel": int(channel)}
    if (result := header(packet)) is not None:
        fields["packet"] = result
    return _configured(_aiex.DMAConfigureTaskOp, fields, issue_token, repeat_count, bd_id, loc, ip)


def dma_configure_task_for(
    alloc: object,
    *,
    issue_token: bool | None = None,
    repeat_count: object = None,
    bd_id: object = None,
    loc: object = None,
    ip: object = None,
) -> Any:
    """A task on the shim channel of an objectFifo or an allocation, whose BDs `bds` builds."""
    fields: dict[str, Any] = {"alloc": symbol_of(alloc)}
    return _configured(_aiex.DMAConfigureTaskForOp, fields, issue_token, repeat_count, bd_id, loc, ip)


_way = direction


@contextmanager
def bds(task: DMAConfigureTaskForOp) -> Iterator[Blocks]:
    """`with bds(task) as bd: with bd[0]: ...`: the blocks of a task's BDs."""
    region = task.operation.regions[0]
    yield Blocks(region)
    for block in region.blocks:
        if not has_end(block):
            with ir.InsertionPoint(block):
                EndOp()


def shim_dma_bd(
    mem: object, tap: Any = None, offset: int | ir.Value | None = None, sizes: Sequence[int] | None = None,
    strides: list[int] | None = None,
    transfer_len: int | ir.Value | None = None,
    burst_length: int = 0, packet: object = None,
    **keywords: object,
) -> Any:  # fmt: skip
    """A BD of the sequence: sizes and strides, outermost first, or a TensorAccessPattern (`tap`)."""
    if tap is not None:
        if sizes is not None or strides is not None or offset is not None:
            raise IronValueError("a transfer takes a tap, or offset, sizes and strides, not both")
        sizes, strides, offset = tap.sizes, tap.strides, tap.offset
    memory = wrapped(value_of(mem))
    if sizes is None:
        sizes = [1, 1, 1, prod(memory.shape)]
    if strides is None:
        strides = [0] * (len(sizes) - 1) + [1]
    length = transfer_len
    if length is None:
        length = _count(sizes[1:] if len(sizes) == 4 else sizes)
    fields = {"burst_length": int(burst_length)} if burst_length else {}
    return dma_bd(
        memory, offset=0 if offset is None else offset, len=length, dimensions=list(zip(sizes, strides, strict=True)),
        packet=packet, **fields, **keywords,
    )  # fmt: skip


def _count(sizes: Sequence[Any]) -> Any:
    count: Any = 1
    for n in sizes:
        count = n * count if isinstance(n, ir.Value) else count * n
    return count


def shim_dma_single_bd_task(
    alloc: object, mem: object, tap: Any = None, offset: int | ir.Value | None = None, sizes: Any = None, strides: Any = None,
    transfer_len: int | ir.Value | None = None, issue_token: bool = False, burst_length: int = 0, packet: object = None,
    **keywords: object,
) -> Any:  # fmt: skip
    """Configures a transfer of one BD; `dma_start_task` starts it. The outermost of four sizes is how often it runs."""
    require("shim_dma_single_bd_task", "sequence")
    if tap is not None and sizes is None and strides is None and offset is None:
        sizes, strides, offset, tap = tap.sizes, tap.strides, tap.offset, None
    again = None
    if sizes is not None and len(sizes) == 4:
        outer = sizes[0]
        again = outer - 1 if isinstance(outer, ir.Value) or int(outer) > 1 else None
    offset, transfer_len = as_integer(offset, "i32"), as_integer(transfer_len, "i32")
    if transfer_len is None and sizes is not None:
        transfer_len = as_integer(_count(sizes[1:] if len(sizes) == 4 else sizes), "i32")
    sizes, strides = (None if n is None else [as_integer(x, "i64") for x in n] for n in (sizes, strides))
    task = dma_configure_task_for(alloc, issue_token=issue_token, repeat_count=again)
    with bds(task) as bd, bd[0]:
        shim_dma_bd(mem, tap, offset, sizes, strides, transfer_len, burst_length, packet, **keywords)
        EndOp()
    return task


def dma_start_task(*tasks: object) -> None:
    """Starts configured transfers."""
    for task in tasks:
        _aiex.DMAStartTaskOp(task=value_of(task))


def dma_await_task(*tasks: object) -> None:
    """Waits for tasks that issue tokens, and frees them."""
    for task in tasks:
        _aiex.DMAAwaitTaskOp(task=value_of(task))


def dma_free_task(*tasks: object) -> None:
    """Frees the BDs of tasks."""
    for task in tasks:
        _aiex.DMAFreeTaskOp(task=value_of(task))


def dma_start_bd_chain(
    chain: object, args: Sequence[object], tile: object, direction: object, channel: int, **keywords: object
) -> Any:
    """Starts a BD chain of the device on a channel."""
    fields = {n: v for n, v in keywords.items() if v is not None}
    return _aiex.DMAStartBdChainOp(
        args=[value_of(a) for a in args], tile=value_of(tile), symbol=symbol_of(chain), direction=_way(direction),
        channel=int(channel), **fields,
    )  # fmt: skip


def dma_start_bd_chain_for(chain: object, args: Sequence[object], alloc: object, **keywords: object) -> Any:
    """Starts a BD chain of the device on the channel of an allocation."""
    fields = {n: v for n, v in keywords.items() if v is not None}
    return _aiex.DMAStartBdChainForOp(
        args=[value_of(a) for a in args], symbol=symbol_of(chain), alloc=symbol_of(alloc), **fields
    )


def bd_chain(*types: object, sym_name: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """`@bd_chain(A)`: the decorated function, called with the arguments and the blocks, builds a chain of BDs."""

    def fill(function: Callable[..., object]) -> Any:
        op = _aie.BDChainOp(sym_name=sym_name or function.__name__)
        fill_with(op, function, EndOp, [mlir_type(t, "bd_chain") for t in types])
        return op

    return fill


def configure(symbol: object, **keywords: object) -> Callable[[Callable[..., Any]], Any]:
    """`@configure("device")`: loads a device; the decorated function runs sequences of it."""
    refuse(keywords, "configure", ignored=("loc", "ip"))

    def fill(function: Callable[..., object]) -> Any:
        op = _aiex.ConfigureOp(symbol=symbol_of(symbol))
        fill_with(op, function, None)
        return op

    return fill


def run(symbol: object, args: Sequence[object] = (), **keywords: object) -> Any:
    """Runs a sequence of the configured device."""
    refuse(keywords, "run", ignored=("loc", "ip"))
    return _aiex.RunOp(args=[value_of(a) for a in args], runtime_sequence_symbol=symbol_of(symbol))
