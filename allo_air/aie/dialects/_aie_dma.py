"""DMA programs of tiles: chains of blocks with `dma_start`, `dma_bd` and `next_bd`, or `@dma` with a body for each BD."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.attributes import dims, packet, pads, pairs_of
from allo_air.aie.building.errors import IronTypeError
from allo_air.aie.building.regions import Block, block_of, body, fill_with
from allo_air.aie.building.values import Scalar, converted, value_of
from allo_air.aie.dialects._aie_enum_gen import DMAChannelDir
from allo_air.aie.dialects._aie_tiles import EndOp
from allo_air.dialects import aie as _aie
from allo_air.mlir import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allo_air.mlir import AnyOp

_DYNAMIC = -9223372036854775808


def direction(member: Any) -> Any:
    """S2MM or MM2S, as a member, its name or its number."""
    return DMAChannelDir[member] if isinstance(member, str) else int(member)


def _program(kind: Any, doc: str) -> Any:
    def make(tile: AnyOp, *, loc: ir.Location | None = None, ip: ir.InsertionPoint | None = None) -> Any:
        return kind(tile=value_of(tile), loc=loc, ip=ip)

    return body(make, EndOp, doc)


mem = _program(_aie.MemOp, "`@mem(tile)`: the function below builds the DMA program of a core's tile; it may take the blocks.")
memtile_dma = _program(_aie.MemTileDMAOp, "`@memtile_dma(tile)`: as `@mem`, of a memtile.")
shim_dma = _program(_aie.ShimDMAOp, "`@shim_dma(tile)`: as `@mem`, of a shim tile.")
shim_mem = shim_dma


def dma_start(
    channel_dir: object, channel_index: int, *, dest: object = None, chain: object = None, repeat_count: int | None = None,
    pad_value: int | None = None, loc: object = None, ip: object = None,
) -> Any:  # fmt: skip
    """Starts a channel at the block `dest`; the block `chain` starts the next one, or ends."""
    fields = {"repeat_count": repeat_count, "pad_value": pad_value}
    return _aie.DMAStartOp(
        channel_dir=direction(channel_dir), channel_index=int(channel_index), dest=_block(dest), chain=_block(chain), loc=loc,
        ip=ip, **{n: v for n, v in fields.items() if v is not None},
    ).valid  # fmt: skip


def next_bd(dest: object, *, loc: object = None, ip: object = None) -> Any:
    """Continues with the BD of a block."""
    return _aie.NextBDOp(dest=_block(dest), loc=loc, ip=ip)


def _block(block: object) -> Any:
    return block.block if isinstance(block, Block) else block.successor if hasattr(block, "successor") else block


def dma_bd(
    buffer: object, *, offset: ir.Value | int | None = None, len: ir.Value | int | None = None,
    dimensions: Sequence[tuple[int, ...]] | None = None, sizes: Any = None, strides: Any = None,
    pad_dimensions: object = None, loc: object = None, ip: object = None, **keywords: Any,
) -> Any:  # fmt: skip
    """A buffer descriptor; `dimensions` are pairs (size, stride), or `sizes` and `strides` lists, of numbers or values."""
    if sizes is not None:
        if dimensions is not None or strides is None or not _equal(sizes, strides):
            raise IronTypeError("dma_bd takes dimensions, or as many sizes as strides")
        dimensions = list(zip(sizes, strides, strict=True))
    fields: dict[str, Any] = {}
    for name, value in (("offset", offset), ("len", len)):
        if isinstance(value, ir.Value):
            fields |= {f"{name}_operand": converted(Scalar(value), "i32"), name: None}
        elif value is not None:
            fields[name] = int(value)
    if dimensions:
        fields |= _dimensions(list(dimensions))
    if pad_dimensions is not None:
        fields["pad_dimensions"] = pads(pad_dimensions, "dma_bd")
    if (header := packet(keywords.pop("packet", None))) is not None:
        fields["packet"] = header
    if (steps := keywords.pop("iteration", None)) is not None:
        fields["iteration"] = steps if isinstance(steps, ir.Attribute) else iteration(*steps)
    fields |= {n: v for n, v in keywords.items() if v is not None}
    return _aie.DMABDOp(buffer=value_of(buffer), loc=loc, ip=ip, **fields)


def iteration(size: int, stride: int, current: int = 0) -> Any:
    """The iteration of a BD's address over its executions."""
    return ir.Attribute.parse(f"#aie.bd_iteration<{size} : i32, {stride} : i32, {current} : i32>")


def _equal(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    return [*map(bool, [1 for _ in sizes])] == [*map(bool, [1 for _ in strides])]


def _dimensions(pairs: list[tuple[int, ...]]) -> dict[str, Any]:
    if not any(isinstance(n, ir.Value) for pair in pairs if isinstance(pair, tuple | list) for n in pair):
        return {"dimensions": dims(pairs_of(pairs, "dma_bd"), "dma_bd")}
    fixed = [tuple(_DYNAMIC if isinstance(n, ir.Value) else int(n) for n in pair) for pair in pairs]
    columns = [[converted(Scalar(pair[i]), "i64") for pair in pairs if isinstance(pair[i], ir.Value)] for i in (0, 1)]
    return {"dimensions": dims(fixed, "dma_bd"), "size_operands": columns[0], "stride_operands": columns[1]}


def dma(
    channel_dir: object,
    channel_index: int,
    *,
    num_blocks: int = 1,
    num_bds: int | None = None,
    loop: bool | None = None,
    repeat_count: int | None = None,
    sym_name: str | None = None,
    pad_value: int | None = None,
    loc: object = None,
    ip: object = None,
    **keywords: object,
) -> Callable[[Callable[..., Any]], Any]:
    """`@dma(S2MM, 0)`: the decorated function builds the first BD; `@another_bd(dma)` builds further ones, up to
    `num_blocks`."""
    refuse(keywords, "dma")
    fields = {"loop": loop, "repeat_count": repeat_count, "sym_name": sym_name, "pad_value": pad_value}

    def fill(function: Callable[..., object]) -> Any:
        op = _aie.DMAOp(
            channel_dir=direction(channel_dir), channel_index=int(channel_index), loc=loc, ip=ip,
            **{n: v for n, v in fields.items() if v is not None},
        )  # fmt: skip
        another_bd(op)(function)
        return op

    return fill


def another_bd(dma_op: object) -> Callable[[Callable[..., Any]], Any]:
    """`@another_bd(dma)`: the decorated function builds one more BD of the channel."""

    def fill(function: Callable[..., object]) -> Any:
        with ir.InsertionPoint(block_of(dma_op)):
            dma_region = _aie.DMARegionOp()
        fill_with(dma_region, function, EndOp)
        return dma_op

    return fill
