"""The program of a core: the statements of its kernels, one after another, with their tensors and streams in L1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.device import CORE_TILE
from allo_air.frontend.functions import compile_function
from allo_air.frontend.instances import Instance, emit, stream_types
from allo_air.frontend.mac import Macs
from allo_air.frontend.placement import PORTS
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.reuse import channels_of, reuse_buffers
from allo_air.frontend.scripts import Script
from allo_air.frontend.state import Module
from allo_air.frontend.storage import widen_buffers
from allo_air.frontend.streams import block_type
from allo_air.frontend.traffic import LocalFifo, Traffic
from allo_air.frontend.values import Buffer, allocate
from allo_air.mlir import AnyOp, PassManager, arith, func, ir, memref, scf

_PREPARE = "builtin.module(func.func(canonicalize,cse),lower-affine,inline,func.func(mem2reg,canonicalize,cse))"

MEMORY = CORE_TILE.memory - 4 * 1024
"""Bytes of a core's memory for buffers; 4 KiB are left for the stack."""
LOCKS = CORE_TILE.locks - 4
"""Locks of a core for its own channels; neighbours that exchange data over its memory use the remaining locks of the tile."""

End = tuple[str, int]
"""A channel, and the index of the receiver in its broadcast."""


@dataclass
class Wiring:
    """The channels of a core, by the kernel instance's position on the core and the number of its port."""

    gets: dict[tuple[int, int], End] = field(default_factory=dict)
    puts: dict[tuple[int, int], End] = field(default_factory=dict)
    tiles: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """Rows and columns of the tiles (micro-tiles of MAC instructions) in which a received matrix is laid out."""


@dataclass(frozen=True)
class Body:
    """A compiled core: its statements as MLIR text, and the symbols and memory that they need."""

    text: str
    externals: dict[str, Any]
    """External kernels by symbol."""
    declarations: dict[str, str]
    """The `func.func` declarations of external kernels, by symbol."""
    globals: dict[str, str]
    """The `memref.global` operations of constants, by symbol."""
    tiles: dict[tuple[int, int], tuple[int, int]]
    """By the keys of `Wiring`: the tiles in which matrix products want received parts that nothing else reads."""
    bytes: int
    """Bytes of its buffers."""
    locks: int
    """Estimated locks of its channels, if each channel uses a DMA."""
    home_locks: int
    """Estimated locks, if channels between adjacent cores use no DMA and have their buffers at the receiving core."""


@dataclass(frozen=True)
class Core:
    """A core before it is compiled: the `instances` of kernels that it runs in order, and their connections."""

    spec: RegionSpec
    instances: Sequence[Instance]
    wiring: Wiring
    local: Mapping[str, int]
    """The streams between kernels of this core, with the number of blocks that each can hold."""
    drains: Mapping[str, int]
    """For each stream whose kernel gets fewer blocks than are put: the number of remaining blocks, which the core discards."""
    names: Mapping[str, str]
    """For each stream to or from another core, its channel."""
    context: Any
    prefix: str
    """Prefix of the symbols of constants, so that they differ from core to core."""
    has_cycle: bool
    """Whether the streams between cores form a cycle."""
    script: Script | None = None
    """The forwarding work of the core (see `forwarding`); None if no stream of the core is forwarded and it forwards none."""


def compile_core(core: Core, arch: str) -> Body:
    """Compiles the statements of `core`. Products use MAC instructions of `arch` if their forms and the memory allow it.

    By default channels share buffers. If that takes more locks than a core has, each channel gets separate buffers, provided
    that these need no more locks and fit in memory.
    """
    macs: Macs | None = Macs(arch)
    body = _compile(core, macs)
    if body.bytes > MEMORY and not core.wiring.tiles:
        macs, body = None, replace(_compile(core, None), tiles=body.tiles)
    if body.locks > LOCKS:
        separate = _compile(core, None if macs is None else Macs(arch), separate_buffers=True)
        if separate.locks <= body.locks and separate.bytes <= max(MEMORY, body.bytes):
            return replace(separate, tiles=body.tiles)
    return body


def _compile(core: Core, macs: Macs | None, *, separate_buffers: bool = False) -> Body:
    """Compiles the instances of `core` to one function; with `separate_buffers`, no two channels share a buffer."""
    externals: dict[str, Any] = {}
    traffic = Traffic({name: LocalFifo(count) for name, count in core.local.items()}, dict(core.names), core.script)
    if core.script is not None:
        traffic.blocks = {name: block_type(kind) for name, kind in stream_types(core.spec).items()}
    with core.context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            op = func.FuncOp("core", ir.FunctionType.get([], []))
            block = op.add_entry_block()
            shared = Module(module, compile_function, core.spec.rules, rebinds=core.spec.rebinds)
            with ir.InsertionPoint(block):
                for number, instance in enumerate(core.instances):
                    _instance(core, instance, number, shared, block, traffic, externals, macs)
                    traffic.act()
                    _discard_remaining(core, instance, traffic)
                func.ReturnOp([])
        module.operation.verify()
        tiles = macs.tiles_of_ports() if macs is not None else {}
        PassManager.parse(_PREPARE).run(module.operation)
        op = next(o for o in module.body.operations if isinstance(o, func.FuncOp) and o.name.value == "core")
        widen_buffers(op)
        reuse_buffers(op, keep_sent=core.has_cycle or core.script is not None, separate_channels=separate_buffers)
        _deallocate_buffers(op.entry_block)
        _move_memrefs_to_l1(op)
        return _body(module, op, externals, core.prefix, tiles)


def _bytes(function: AnyOp) -> int:
    """Bytes of a function's buffers."""
    from allo_air.core.walking import walk_named

    kinds = [ir.MemRefType(op.results[0].type) for op in walk_named(function, "memref.alloc")]
    return sum(prod(k.shape) * -(-_bits(k.element_type) // 8) for k in kinds)


def _locks(function: AnyOp) -> tuple[int, int]:
    """The locks of a core's channels, as `Body.locks` and `Body.home_locks` count them.

    The first number has a pair of locks for each channel with a buffer of its own, and a pair for each channel of each shared
    buffer. The second number has a pair for each incoming channel, and for outgoing channels no more pairs than there are DMA
    channels.
    """
    from allo_air.core.walking import walk_named

    of_buffers = [channels_of(op.results[0]) for op in walk_named(function, "memref.alloc")]
    channels = frozenset[str]().union(*of_buffers)
    incoming = sum(name.endswith("get") for name in channels)
    pairs = len({c for c in of_buffers if len(c) == 1}) + sum(len(c) for c in of_buffers if len(c) > 1)
    return 2 * pairs, 2 * (incoming + min(len(channels) - incoming, PORTS))


def _bits(element: Any) -> int:
    return 64 if isinstance(element, ir.IndexType) else int(element.width)


def _instance(
    core: Core,
    instance: Instance,
    number: int,
    shared: Module,
    block: ir.Block,
    traffic: Traffic,
    externals: dict[str, object],
    macs: Macs | None,
) -> None:
    """Compiles one kernel instance: gets its tensors, runs its statements, puts its results."""
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

    buffers, wiring = list[Buffer](), core.wiring
    for index, port in enumerate(instance.kernel.ports):
        buffers.append(allocate(port.element, port.distributed.local_shape()))
        if (number, index) in wiring.gets:
            channel, receiver = wiring.gets[number, index]
            target = buffers[-1]
            if macs is not None and (number, index) in wiring.tiles:
                rows, columns = tile = wiring.tiles[number, index]
                target = allocate(port.element, (target.shape[0] // rows, target.shape[1] // columns, rows, columns))
                macs.tiled[buffers[-1].value] = tile, target
            elif macs is not None:
                macs.ports[buffers[-1].value] = number, index
            ChannelGetOp(chan_name=channel, indices=_indices(receiver), dst=target.value)
    emit(core.spec, instance.kernel, instance.pid, shared, block, [b.value for b in buffers], traffic, externals, macs)
    for index, buffer in enumerate(buffers):
        if (number, index) in wiring.puts:
            channel, sender = wiring.puts[number, index]
            ChannelPutOp(chan_name=channel, indices=_indices(sender), src=buffer.value)


def _discard_remaining(core: Core, instance: Instance, traffic: Traffic) -> None:
    """Gets and discards the blocks that the instance leaves in its streams."""
    from allo_air.dialects.air import ChannelGetOp

    undrained = [s for s in instance.gets if core.drains.get(s) and s not in traffic.local]
    kinds = stream_types(core.spec) if undrained else {}
    for stream in undrained:
        element, shape = block_type(kinds[stream])
        loop = scf.ForOp(*(arith.constant(ir.IndexType.get(), value) for value in (0, core.drains[stream], 1)))
        with ir.InsertionPoint(loop.body):
            block = allocate(element, shape)
            ChannelGetOp(chan_name=traffic.names.get(stream, stream), dst=block.value)
            memref.DeallocOp(block.value)
            scf.YieldOp([])


def _indices(end: int) -> list[Any]:
    """The indices of an end of a channel: in the bundle, and in its broadcast."""
    return [arith.constant(ir.IndexType.get(), value) for value in (0, end)]


def _body(
    module: Any, op: func.FuncOp, externals: dict[str, Any], prefix: str, tiles: dict[tuple[int, int], tuple[int, int]]
) -> Body:
    """The compiled function as text; constants get the core's prefix and memory space 2."""
    text = op.operation.get_asm(enable_debug_info=True, use_local_scope=True, assume_verified=True)
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith("func.func"))
    last = max(i for i, line in enumerate(lines) if line.lstrip().startswith("return"))
    text = "\n".join(lines[start + 1 : last])
    declarations, constants = {}, {}
    for symbol_op in module.body.operations:
        name = symbol_op.operation.name
        if name == "func.func" and symbol_op.name.value in externals:
            kinds = ", ".join(map(str, symbol_op.type.inputs))
            declarations[symbol_op.name.value] = kinds
        elif name == "memref.global":
            symbol = sym_name_of(symbol_op)
            kind = str(symbol_op.attributes["type"].value)
            line = str(symbol_op).replace(f'"{symbol}"', f'"{prefix}_{symbol}"')
            constants[f"{prefix}_{symbol}"] = line.replace(f"type = {kind}", f"type = {kind[:-1]}, 2 : i32>")
            text = text.replace(f"memref.get_global @{symbol} ", f"memref.get_global @{prefix}_{symbol} ")
    return Body(text, externals, _declarations(text, declarations), constants, tiles, _bytes(op), *_locks(op))


def _declarations(text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Declarations of external kernels with the types that calls have in L1."""
    import re

    results = {}
    for name in names:
        match = re.search(rf"call @{name}\([^)]*\) : \((.*)\) -> \(\)", text)
        kinds = names[name] if match is None else match[1]
        results[name] = f'func.func private @{name}({kinds}) attributes {{llvm.emit_c_interface, link_with = "{name}.o"}}'
    return results


def _deallocate_buffers(block: ir.Block) -> None:
    """Adds a `memref.dealloc` at the end of a block for each of its buffers that has none."""
    terminator = list(block.operations)[-1]
    for op in list(block.operations):
        if op.operation.name == "memref.alloc" and not _is_freed(op):
            with ir.InsertionPoint(terminator), op.location:
                memref.DeallocOp(op.operation.results[0])
        for region in op.operation.regions:
            for inner in region.blocks:
                _deallocate_buffers(inner)


def _is_freed(op: AnyOp) -> bool:
    return any(use.owner.name == "memref.dealloc" for use in op.operation.results[0].uses)


def _move_memrefs_to_l1(op: func.FuncOp) -> None:
    """Gives all memrefs of a function memory space 2 (L1)."""
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)

    def l1_type(kind: ir.IndexType | ir.IntegerType | ir.MemRefType) -> Any:
        if not isinstance(kind, ir.MemRefType):
            return kind
        return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout, space)

    def visit(block: ir.Block) -> None:
        for argument in block.arguments:
            argument.set_type(l1_type(argument.type))
        for inner in block.operations:
            for result in inner.operation.results:
                result.set_type(l1_type(result.type))
            for region in inner.operation.regions:
                for nested in region.blocks:
                    visit(nested)

    visit(op.entry_block)
