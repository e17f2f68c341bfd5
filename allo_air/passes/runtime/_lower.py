"""Turns the control functions of a module into runtime sequences of their devices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

from allo_air import dialects
from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.core.functions import declare_function
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_unused, parents, walk_named
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.dialects.declarations import device_of
from allo_air.dialects.host_shapes import keep_host_shapes
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.main_device import add_main
from allo_air.passes.runtime._core_order import spans_of
from allo_air.passes.runtime._emit import Herds, MemcpyEmitter, TaskEmitter
from allo_air.passes.runtime._pieces import pieces
from allo_air.passes.runtime._plan import Target, plan
from allo_air.passes.runtime._program import extent
from allo_air.passes.runtime._schedule import S2MM
from allo_air.passes.runtime._sequence import write_sequence
from allo_air.passes.runtime._sequence_coalesce import coalesce
from allo_air.passes.runtime._sequence_loops import unroll_loops
from allo_air.passes.runtime._trace import trace
from allo_air.passes.runtime._trace_units import TraceBuffer, add_traces

_EMITTERS = {"tasks": TaskEmitter, "dma-memcpy": MemcpyEmitter}
_ANY = -(2**63)
"""A dynamic number of elements in the type of a buffer."""
_CONTROL = ("airrt.dma_memcpy_nd", "airrt.wait_all", "airrt.herd_load", "airrt.segment_load")


@dataclass(frozen=True)
class ToSequences(Pass):
    """Lowers AIRRt control programs to runtime sequences; described in `airrt-to-npu`."""

    trace_size: int = 0
    """Bytes of the trace buffer, an additional argument of the sequence; 0 for no trace."""
    trace_offset: int = 0
    """Offset of the trace in that argument, in bytes."""
    output_elf: bool = False
    """Add the device @main, whose sequences configure the others and run theirs."""
    coalesce_shim_dma: bool = False
    """Merge consecutive transfers of a paced channel; a planned order always does."""
    form: Literal["tasks", "dma-memcpy"] = "tasks"
    """The form of transfers: DMA tasks, or aiex.npu.dma_memcpy_nd, which are always planned."""
    order: Literal["written", "planned"] = "written"
    """Keep the written order of transfers, or plan one for each launch that does not hang and takes few descriptors."""
    unroll_loops: bool = False
    """Unroll loops with constant bounds if the order is kept."""

    def run(self, op: AnyOp, /) -> None:
        trace = TraceBuffer.of(self.name, self.trace_size, self.trace_offset)
        _lower_to_sequences(op, self, trace)


def _lower_to_sequences(module: Any, options: ToSequences, buffer: TraceBuffer | None) -> None:
    """Replaces every AIRRt control function in `module` by a runtime sequence in its device.

    With a `buffer`, the sequences trace the device's cores. With `output_elf`, or if a function drives several devices, a
    main device has the sequences that the host calls; they configure the other devices and run their sequences. Called
    functions become declarations, for link-kernels.
    """
    dialects.load(module.context, ("airrt", "aie", "aiex"))
    top = module.operation.regions[0].blocks[0]
    functions = [o.operation for o in top.operations if o.operation.name == "func.func" and walk_named(o, *_CONTROL)]
    if not functions:
        _drop_metadata(top)
        return
    called = _called(module, functions)
    devices = [o for o in top.operations if o.operation.name == "aie.device"]
    programs: dict[str, list[tuple[DeviceOp, RuntimeSequenceOp]]] = {}
    for function in functions:
        parts = pieces(function, _CONTROL, lambda op: _device_of(op, devices)) if len(devices) > 1 else [function]
        has_main = function not in called and (options.output_elf or len(parts) > 1)
        results = [_lower(part, _device_of(part, devices), options, has_main=has_main) for part in parts]
        _agree([sequence for _, sequence in results])
        if function not in called:
            programs[sym_name_of(function)] = results
        elif len(parts) > 1:
            raise error_at(function, "is called, and drives several devices; inline it before (inline)")
        if buffer is not None:
            for device, sequence in results:
                add_traces(device, sequence, buffer)
        for part in parts:
            if part != function:
                part.erase()
    if options.output_elf or any(len(parts) > 1 for parts in programs.values()):
        add_main(devices, programs)
    for function in called:
        _declare(function)
    for function in functions:
        function.erase()
    _drop_metadata(top)


def _drop_metadata(top: ir.Block) -> None:
    for op in [o.operation for o in top.operations]:
        if op.name == "airrt.module_metadata":
            op.erase()


def _agree(sequences: list[RuntimeSequenceOp]) -> None:
    """Gives a buffer without a static length the greatest length that one of `sequences` accesses; it stays dynamic if one is
    unknown."""
    blocks = [s.regions[0].blocks[0] for s in sequences]
    for arguments in zip(*(b.arguments for b in blocks), strict=False):
        kinds = {a.type for a in arguments}
        if len(kinds) > 1 and all(isinstance(k, ir.MemRefType) and k.rank == 1 for k in kinds):
            largest = max(kinds, key=lambda k: (not k.has_static_shape, k.shape[0]))
            for argument in arguments:
                argument.set_type(largest)


def _called(module: AnyOp, functions: list[ir.Operation]) -> list[ir.Operation]:
    """The functions of `functions` that a program of kernels calls; DiagnosticError if one calls another."""
    by_name = {sym_name_of(f): f for f in functions}
    called = dict[str, ir.Operation]()
    for call in walk_named(module, "func.call"):
        callee = callee_of(call)
        if callee not in by_name:
            continue
        if any(parent in functions for parent in parents(call)):
            raise error_at(
                call,
                f"calls @{callee}, a control program, from another; inline it before (inline), or call both from a "
                "function that transfers nothing itself",
            )
        called[callee] = by_name[callee]
    return list(called.values())


def _declare(function: ir.Operation) -> None:
    """Declares `function`, so that its calls stay valid after it is erased."""
    with function.location:
        declare_function(sym_name_of(function), function_type_of(function), ip=ir.InsertionPoint(function))


def _lower(
    function: ir.Operation, device: DeviceOp, options: ToSequences, *, has_main: bool
) -> tuple[DeviceOp, RuntimeSequenceOp]:
    """An empty sequence for `function`, with its name, or with the name `<device>_sequence` if a main device runs it."""
    if not arch_of(device_of(device)).semaphore_locks:
        name = device_of(device).name
        raise error_at(device, f"is made for {name}, which no instruction stream drives; give air-to-aie an NPU: device=npu1")
    name = sym_name_of(function)
    used_names = {sym_name_of(o) for o in device.block.operations if "sym_name" in o.attributes}
    if has_main:
        stem = f"{device.sym_name}_sequence"
        name = next(n for i in count() if (n := f"{stem}_{i}" if i else stem) not in used_names)
    elif name in used_names:
        raise error_at(function, f"has the name of another operation of device @{device.sym_name}; rename it")
    if options.order == "planned" or options.form == "dma-memcpy":
        return device, _planned(function, device, name, options.form)
    return device, _written(function, device, name, options)


def _written(function: ir.Operation, device: DeviceOp, name: str, options: ToSequences) -> RuntimeSequenceOp:
    """The sequence that keeps the order of `function`."""
    allocations = {o.sym_name: (o.tile, o.channel_dir, o.channel_index) for o in _shim_allocations(device)}
    outputs = frozenset(a for a, (_, direction, _) in allocations.items() if direction == S2MM)
    unroll_loops(function, outputs, unrolls=options.unroll_loops)
    if options.coalesce_shim_dma:
        coalesce(function, allocations, device.block)
    reload = _reset(device) if options.output_elf and _needs_reset(device) else ()
    types = [a.type for a in function.regions[0].blocks[0].arguments]
    with ir.InsertionPoint(device.block), function.location:
        sequence = RuntimeSequenceOp(sym_name=name)
        keep_host_shapes(function, device.operation, name)
        block = sequence.regions[0].blocks.append(*types, arg_locs=[function.location] * len(types))
        with ir.InsertionPoint(block):
            elements = write_sequence(function, device.block, allocations, block, reload)
    for argument in block.arguments:
        kind = argument.type
        if isinstance(kind, ir.UnrankedMemRefType):
            size = elements.get(argument, 0)
            argument.set_type(ir.MemRefType.get([_ANY if size is None else size], kind.element_type, None, kind.memory_space))
    return sequence


def _needs_reset(device: AnyOp) -> bool:
    """Whether a device needs a reset before it runs again: a DMA program has a repeat count, or cores with cascades end."""
    if any(o.opview.repeat_count for o in walk_named(device, "aie.dma_start")):
        return True
    return any(
        walk_named(core, "aie.put_cascade", "aie.get_cascade") and not walk_named(core, "scf.while", "cf.br", "cf.cond_br")
        for core in walk_named(device, "aie.core")
    )


def _reset(device: DeviceOp) -> tuple[str, str]:
    """The names of the devices to load so that `device` starts again: an empty device of the same kind, which is created,
    and itself."""
    name = f"{device.sym_name}_reset"
    with ir.InsertionPoint(device.operation), device.operation.location:
        DeviceOp(device=device.device, sym_name=name).add_block()
    return name, device.sym_name


def _planned(function: ir.Operation, device: DeviceOp, name: str, form: str) -> RuntimeSequenceOp:
    """The sequence of `function` with a planned order."""
    emitter = _EMITTERS[form]
    types = [a.type for a in function.regions[0].blocks[0].arguments]
    target = Target(_allocations(device), spans_of(device), types, emitter.max_repeat, emitter.iterates_again, emitter.chains)
    program = trace(function)
    steps = plan(program, target)
    with ir.InsertionPoint(device.block), function.location:
        sequence = RuntimeSequenceOp(sym_name=name)
        keep_host_shapes(function, device.operation, name)
        block = sequence.regions[0].blocks.append(*types, arg_locs=[function.location] * len(types))
        with ir.InsertionPoint(block):
            herds = Herds(device.block)
            emitter(list(block.arguments), herds).emit(steps)
        with ir.InsertionPoint.at_block_begin(block):
            herds.start_others()
    for number, (argument, kind) in enumerate(zip(block.arguments, types, strict=True)):
        if isinstance(kind, ir.UnrankedMemRefType):
            argument.set_type(ir.MemRefType.get([extent(tuple(program), number)], kind.element_type, None, kind.memory_space))
    _drop_unused_scalars(block)
    return sequence


def _drop_unused_scalars(block: ir.Block) -> None:
    """Drops trailing unused arguments that are not buffers: sizes and ids of a launch grid."""
    for argument in reversed(list(block.arguments)):
        if isinstance(argument.type, ir.ShapedType) or not is_unused(argument):
            return
        block.erase_argument(argument.arg_number)


def _shim_allocations(device: DeviceOp) -> list[Any]:
    return [o for o in device.block.operations if o.operation.name == "aie.shim_dma_allocation"]


def _allocations(device: DeviceOp) -> dict[str, tuple[int, int, int]]:
    allocations = {}
    for op in _shim_allocations(device):
        tile = op.tile.owner.operation
        if "col" not in tile.attributes:
            raise error_at(op, "is on a tile without a column; place the tiles before (aie-place-tiles)")
        allocations[op.sym_name] = (tile.attributes["col"].value, op.channel_dir, op.channel_index)
    return allocations


def _device_of(function: AnyOp, devices: list[DeviceOp]) -> DeviceOp:
    """The one device that the function loads or transfers to."""
    loads = {sym_name_of(o) for o in walk_named(function, "airrt.segment_load")}
    herds = [o.attributes for o in walk_named(function, "airrt.herd_load")]
    loads |= {a["segment_name"].value for a in herds if "segment_name" in a}
    results = [d for d in devices if d.sym_name in loads]
    if not results:
        used = {
            o.attributes["metadata"].value for o in walk_named(function, "airrt.dma_memcpy_nd") if "metadata" in o.attributes
        }
        results = [d for d in devices if used & _symbols(d)] or (devices if len(devices) == 1 else [])
    if len(results) == 1:
        return results[0]
    names = ", ".join(f"@{d.sym_name}" for d in results or devices) or "none"
    if not results:
        raise error_at(
            function,
            f"uses no aie.device of the module (there: {names}): nothing in it runs on the array; "
            "put its work into an air.herd, and run air-to-aie first",
        )
    raise error_at(
        function,
        f"drives the devices {names} in one loop; a runtime sequence belongs to one: put the loop around each launch by itself",
    )


def _symbols(device: DeviceOp) -> set[str]:
    return {o.sym_name for o in _shim_allocations(device)}
