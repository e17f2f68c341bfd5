"""The program of a core: the statements of its kernels, one after another, with their tensors and streams in L1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from allo_air.core.names import sym_name_of
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

MEMORY = 60 * 1024
"""Bytes of a core's memory for buffers, without its stack."""
LOCKS = 12
"""Locks of a core for its own channels; neighbours that exchange data over its memory use the remaining locks of the tile."""

End = tuple[str, int]
"""A channel, and the index of the receiver in its broadcast."""


@dataclass
class Wiring:
    """The channels of the parts of a core's instances, by the instance's position on the core and its port's number."""

    gets: dict[tuple[int, int], End] = field(default_factory=dict)
    puts: dict[tuple[int, int], End] = field(default_factory=dict)
    tiles: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """The tiles in which received parts are laid out."""


@dataclass(frozen=True)
class Body:
    """The text of a core's statements, and its external kernels with their declarations."""

    text: str
    externals: dict[str, Any]
    declarations: dict[str, str]
    globals: dict[str, str]
    tiles: dict[tuple[int, int], tuple[int, int]]
    """The tiles in which products need parts that have no other readers."""
    bytes: int
    """Bytes of its buffers."""
    locks: int
    """Estimated locks of its channels, if each channel uses a DMA."""
    home_locks: int
    """The same, if channels without a DMA have their memory at the receiving core."""


@dataclass(frozen=True)
class Core:
    """The parts of a core's program: the `instances` of kernels that it runs in order, and their connections."""

    spec: RegionSpec
    instances: Sequence[Instance]
    wiring: Wiring
    local: Mapping[str, int]
    """The streams that stay on the core, with their numbers of blocks."""
    drains: Mapping[str, int]
    """How many blocks kernels leave in their streams."""
    names: Mapping[str, str]
    """The channels of the other streams."""
    context: Any
    prefix: str
    """Symbols of constants begin with it."""
    circle: bool
    """Whether streams go in one."""
    script: Script | None = None
    """The core's script for its own streams over other cores and for streams of other cores that it forwards."""


def compile_core(core: Core, arch: str) -> Body:
    """Compiles the statements of `core`. Products use MACs of `arch` if their forms and the memory allow it.

    Channels get separate buffers if they would otherwise need more locks than exist, and memory suffices.
    """
    macs: Macs | None = Macs(arch)
    body = _compile(core, macs)
    if body.bytes > MEMORY and not core.wiring.tiles:
        macs, body = None, replace(_compile(core, None), tiles=body.tiles)
    if body.locks > LOCKS:
        other = _compile(core, None if macs is None else Macs(arch), apart=True)
        if other.locks <= body.locks and other.bytes <= max(MEMORY, body.bytes):
            return replace(other, tiles=body.tiles)
    return body


def _compile(core: Core, macs: Macs | None, *, apart: bool = False) -> Body:
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
                    _drain(core, instance, traffic)
                func.ReturnOp([])
        module.operation.verify()
        tiles = macs.tiles_of_ports() if macs is not None else {}
        PassManager.parse(_PREPARE).run(module.operation)
        op = next(o for o in module.body.operations if isinstance(o, func.FuncOp) and o.name.value == "core")
        widen_buffers(op)
        reuse_buffers(op, keep_sent=core.circle or core.script is not None, apart=apart)
        _free(op.entry_block)
        _into_l1(op)
        return _body(module, op, externals, core.prefix, tiles)


def _bytes(function: AnyOp) -> int:
    """Bytes of a function's buffers."""
    from allo_air.core.walking import walk_named

    kinds = [ir.MemRefType(op.results[0].type) for op in walk_named(function, "memref.alloc")]
    return sum(prod(k.shape) * -(-_bits(k.element_type) // 8) for k in kinds)


def _locks(function: AnyOp) -> tuple[int, int]:
    """The locks of a core: a pair for each channel with separate buffers, and a pair for each buffer and channel of shared
    buffers.

    The second number counts a pair for each incoming channel, and for outgoing channels only as many pairs as there are DMA
    channels.
    """
    from allo_air.core.walking import walk_named

    results = [channels_of(op.results[0]) for op in walk_named(function, "memref.alloc")]
    channels = frozenset[str]().union(*results)
    into = sum(name.endswith("get") for name in channels)
    apart = len({c for c in results if len(c) == 1}) + sum(len(c) for c in results if len(c) > 1)
    return 2 * apart, 2 * (into + min(len(channels) - into, PORTS))


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
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

    buffers, wiring = list[Buffer](), core.wiring
    for index, port in enumerate(instance.kernel.ports):
        buffers.append(allocate(port.element, port.dealt.local_shape()))
        if (number, index) in wiring.gets:
            name, turn = wiring.gets[number, index]
            into = buffers[-1]
            if macs is not None and (number, index) in wiring.tiles:
                rows, columns = tile = wiring.tiles[number, index]
                into = allocate(port.element, (into.shape[0] // rows, into.shape[1] // columns, rows, columns))
                macs.tiled[buffers[-1].value] = tile, into
            elif macs is not None:
                macs.ports[buffers[-1].value] = number, index
            ChannelGetOp(chan_name=name, indices=_indices(turn), dst=into.value)
    emit(core.spec, instance.kernel, instance.pid, shared, block, [b.value for b in buffers], traffic, externals, macs)
    for index, buffer in enumerate(buffers):
        if (number, index) in wiring.puts:
            name, turn = wiring.puts[number, index]
            ChannelPutOp(chan_name=name, indices=_indices(turn), src=buffer.value)


def _drain(core: Core, instance: Instance, traffic: Traffic) -> None:
    """Takes the blocks that the instance leaves in its streams."""
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


def _indices(turn: int) -> list[Any]:
    return [arith.constant(ir.IndexType.get(), value) for value in (0, turn)]


def _body(
    module: Any, op: func.FuncOp, externals: dict[str, Any], prefix: str, tiles: dict[tuple[int, int], tuple[int, int]]
) -> Body:
    text = op.operation.get_asm(enable_debug_info=True, use_local_scope=True, assume_verified=True)
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith("func.func"))
    last = max(i for i, line in enumerate(lines) if line.lstrip().startswith("return"))
    text = "\n".join(lines[start + 1 : last])
    declarations, constants = {}, {}
    for other in module.body.operations:
        name = other.operation.name
        if name == "func.func" and other.name.value in externals:
            kinds = ", ".join(map(str, other.type.inputs))
            declarations[other.name.value] = kinds
        elif name == "memref.global":
            symbol = sym_name_of(other)
            kind = str(other.attributes["type"].value)
            line = str(other).replace(f'"{symbol}"', f'"{prefix}_{symbol}"')
            constants[f"{prefix}_{symbol}"] = line.replace(f"type = {kind}", f"type = {kind[:-1]}, 2 : i32>")
            text = text.replace(f"memref.get_global @{symbol} ", f"memref.get_global @{prefix}_{symbol} ")
    return Body(text, externals, _declared(text, declarations), constants, tiles, _bytes(op), *_locks(op))


def _declared(text: str, names: Mapping[str, str]) -> dict[str, str]:
    """Declarations of external kernels with the types that calls have in L1."""
    import re

    results = {}
    for name in names:
        match = re.search(rf"call @{name}\([^)]*\) : \((.*)\) -> \(\)", text)
        kinds = names[name] if match is None else match[1]
        results[name] = f'func.func private @{name}({kinds}) attributes {{llvm.emit_c_interface, link_with = "{name}.o"}}'
    return results


def _free(block: ir.Block) -> None:
    terminator = list(block.operations)[-1]
    for op in list(block.operations):
        if op.operation.name == "memref.alloc" and not _is_freed(op):
            with ir.InsertionPoint(terminator), op.location:
                memref.DeallocOp(op.operation.results[0])
        for region in op.operation.regions:
            for inner in region.blocks:
                _free(inner)


def _is_freed(op: AnyOp) -> bool:
    return any(use.owner.name == "memref.dealloc" for use in op.operation.results[0].uses)


def _into_l1(op: func.FuncOp) -> None:
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2)

    def moved(kind: ir.IndexType | ir.IntegerType | ir.MemRefType) -> Any:
        if not isinstance(kind, ir.MemRefType):
            return kind
        return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout, space)

    def visit(block: ir.Block) -> None:
        for argument in block.arguments:
            argument.set_type(moved(argument.type))
        for inner in block.operations:
            for result in inner.operation.results:
                result.set_type(moved(result.type))
            for region in inner.operation.regions:
                for nested in region.blocks:
                    visit(nested)

    visit(op.entry_block)
