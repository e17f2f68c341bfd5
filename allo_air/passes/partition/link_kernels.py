"""link-kernels: links a program that calls kernels into one device with one runtime sequence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp
from allo_air.dialects.aie import RuntimeSequenceOp
from allo_air.dialects.host_buffers import COPY_OF, host_buffers
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._ir.main_device import main_device
from allo_air.passes._ir.names import Names
from allo_air.passes.partition._flow import Buffer, Place, Run, flow_of
from allo_air.passes.partition._host_record import argument_type, is_beginning, record_host_buffers
from allo_air.passes.partition._merge import remove_copies
from allo_air.passes.partition._merge_devices import merge_devices
from allo_air.passes.partition._order import grouped_by_device, share
from allo_air.passes.partition._uses import uses_of

WORD = 32
"""Bits of the DMAs' words."""

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp


@dataclass(frozen=True)
class LinkKernels(Pass):
    """Turns a function that calls kernels into a sequence of device `@main` that configures devices and runs their sequences.

    First, devices that run one after another become one device if they fit on the array side by side: those between which the
    function switches most often, since each switch loads a configuration. Where the next kernel does not fit, later ones that
    fit and that do not need it run first, if that saves loads. A device that only streams data from shim to shim, in
    one column, fits where others leave channels of shims idle. No core gets the code of two kernels. A device stays alone if
    its sequences use tile or register numbers, or if it has traces or packets whose header no descriptor writes.

    The arguments of the sequence are those of the function, then the constants of kernels, then scratch buffers for
    intermediates; `allo_air.host_buffers` of the device describes them. Copies are removed by computing in place. Buffers that
    are never in use at the same time share memory. Runs of one device are grouped, since each load of a device costs time. If a
    kernel takes a part of a buffer, a copy of its sequence takes an argument that begins there; the run names the kernel.

    Before:

        aie.device(npu1) @k_0 { ... aie.runtime_sequence @k(%a: memref<64xf32>, %b: memref<64xf32>) { ... } }
        func.func private @k(memref<64xf32>, memref<64xf32>)
        func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
          %t = memref.alloc() : memref<64xf32>
          call @k(%x, %t) : (memref<64xf32>, memref<64xf32>) -> ()
          call @k(%t, %y) : (memref<64xf32>, memref<64xf32>) -> ()
          return
        }

    After:

        aie.device(npu1) @k_0 { ... aie.runtime_sequence @k(%a: memref<64xf32>, %b: memref<64xf32>) { ... } }
        aie.device(npu1) @main {
          aie.runtime_sequence @f(%x: memref<64xf32>, %y: memref<64xf32>, %t: memref<64xf32>) {
            aiex.configure @k_0 {
              aiex.run @k(%x, %t) : (memref<64xf32>, memref<64xf32>)
              aiex.run @k(%t, %y) : (memref<64xf32>, memref<64xf32>)
            }
          }
        } {allo_air.host_buffers = {f = {holds = [{argument = 0}, {argument = 1}, {}], ...}}}
    """

    name = "link-kernels"
    anchor = "builtin.module"
    works_on = ("aie.*",)

    merge_only: bool = False
    """Only merge devices; functions still call kernels."""

    def run(self, op: AnyOp, /) -> None:
        calls = merge_devices(op, reorder=not self.merge_only)
        if not self.merge_only:
            _link(op, calls)


def _link(op: AnyOp, calls: Sequence[ir.Operation]) -> None:
    """Replaces the functions of `op` that call kernels by sequences. Devices were merged for the order of `calls`."""
    top = op.regions[0].blocks[0]
    functions = {sym_name_of(f): f for f in walk_named(op, "func.func") if f.parent == op.operation}
    sequences = {
        sym_name_of(s): s for s in walk_named(op, "aie.runtime_sequence") if _is_declared(functions.get(sym_name_of(s)))
    }
    programs = [f for f in functions.values() if any(callee_of(c) in sequences for c in walk_named(f, "func.call"))]
    if not programs:
        return
    dialects.load(op.context, ("aie", "aiex"))
    kernels = {name: enclosing(s, "aie.device").opview for name, s in sequences.items()}
    uses = {name: uses_of(s) for name, s in sequences.items()}
    devices = [o.operation for o in top.operations if o.operation.name == "aie.device"]
    body: ir.Block | None = None
    for function in programs:
        runs, order = _runs_and_buffers(function, kernels, uses, calls)
        if len(programs) == 1 and len(runs) == 1 and _can_reuse_sequence(function, runs[0], kernels[runs[0].kernel]):
            _rename(function, runs[0], sequences[runs[0].kernel])
            continue
        body = body or main_device(devices, list(dict.fromkeys(kernels.values())))
        _emit(function, body, order, runs, kernels)
    ran = {run.attributes["runtime_sequence_symbol"].value for run in walk_named(op, "aiex.run")}
    for name, sequence in sequences.items():
        if body is not None and name not in ran and any(r.startswith(f"{name}_") for r in ran):
            sequence.erase()  # all runs use copies of it
    for function in programs:
        function.erase()
    for name in sequences:
        functions[name].erase()
    used = {g.attributes["name"].value for g in walk_named(op, "memref.get_global")}
    for constant in [o.operation for o in top.operations if o.operation.name == "memref.global"]:
        if sym_name_of(constant) not in used:
            constant.erase()


def _is_declared(function: ir.Operation | None) -> bool:
    return function is not None and not function.regions[0].blocks


def _runs_and_buffers(
    function: ir.Operation, kernels: Mapping[str, DeviceOp], uses: dict[str, Any], calls: Sequence[ir.Operation]
) -> tuple[list[Run], list[Buffer]]:
    """The runs of a program in order, and the buffers that are arguments of its sequence, in order."""
    flow = flow_of(function, uses)
    remove_copies(flow)
    runs = grouped_by_device(flow, {name: device.sym_name for name, device in kernels.items()}, calls)
    used = [p.buffer for run in runs for p in run.places]
    flow.buffers = [b for b in flow.buffers if b.argument is not None or b in used]
    share(flow, runs)
    return runs, sorted(flow.buffers, key=lambda b: (b.argument is None, b.constant is None))


def _can_reuse_sequence(function: ir.Operation, run: Run, device: AnyOp) -> bool:
    """Whether a program has a single run that takes all buffers unchanged, so that the kernel's sequence can be the
    program's.
    """
    buffers = host_buffers(function)
    if buffers is None or buffers.gives is None:
        return False
    descriptions: dict[Any, list[Any]] = {None: []}
    """For each argument: its contents at the start, and the results that it has at the end."""
    for number, content in enumerate(buffers.holds):
        descriptions.setdefault(number, []).append(content)
    for argument in buffers.gives:
        for part in argument.parts():
            descriptions.setdefault(part.place, []).append(part)
    for place, value in zip(run.places, run.op.operands, strict=True):
        contents = [] if place.buffer.argument is None else descriptions.get(place.buffer.argument, [])
        is_flat = all(is_beginning(content, place.buffer) for content in contents)
        is_same = place.buffer.size == math.prod(value.type.shape) and place.buffer.element == value.type.element_type
        if place.offset or not (argument_type(place.buffer) == value.type or (is_flat and is_same)):
            return False
    return (
        {n for n in descriptions if n is not None} <= {p.buffer.argument for p in run.places}
        and all(len([p for p in run.places if p.buffer is run.places[n].buffer]) == 1 for n in run.writes)
        and (run.kernel == sym_name_of(function) or sym_name_of(function) not in _names(device))
    )


def _names(device: AnyOp) -> list[str]:
    return [sym_name_of(o.operation) for o in device.block.operations if "sym_name" in o.operation.attributes]


def _rename(function: ir.Operation, run: Run, sequence: ir.Operation) -> None:
    """Gives the sequence of the only kernel the name and the host buffers of the program."""
    sequence.attributes["sym_name"] = function.attributes["sym_name"]
    record_host_buffers(
        function, enclosing(sequence, "aie.device"), [place.buffer for place in run.places], [v.type for v in run.op.operands]
    )


def _location(function: ir.Operation, buffer: Buffer) -> ir.Location:
    if buffer.argument is None:
        return function.location
    return function.regions[0].blocks[0].arguments[buffer.argument].location


def _emit(function: ir.Operation, body: ir.Block, order: list[Buffer], runs: list[Run], kernels: dict[str, DeviceOp]) -> None:
    """Writes the runtime sequence of a program into `body`, the block of the main device."""
    with function.location:
        sequence = RuntimeSequenceOp(sym_name=sym_name_of(function), ip=ir.InsertionPoint(body))
        block = sequence.regions[0].blocks.append(*map(argument_type, order), arg_locs=[_location(function, b) for b in order])
    values = dict(zip(order, block.arguments, strict=True))
    record_host_buffers(function, body.owner.parent.operation, order)
    views: dict[tuple[Place, Any], Any] = {}
    copies: dict[tuple[Any, ...], str] = {}
    configured: Any = None
    for run in runs:
        device, location = kernels[run.kernel], run.op.location
        if configured is None or configured.symbol != device.sym_name:
            with location:
                configured = ConfigureOp(symbol=device.sym_name, ip=ir.InsertionPoint(block))
                configured.regions[0].blocks.append()
        arguments = []
        for place, operand in zip(run.places, run.op.operands, strict=True):
            key = place, operand.type
            if key not in views:
                views[key] = _view(block, run, values[place.buffer], place, operand.type)
            arguments.append(views[key])
        kinds = tuple(v.type for v in arguments)
        name = run.kernel
        if any(place.offset for place in run.places):
            if (name, kinds) not in copies:
                copies[name, kinds] = _sequence_for(device, name, kinds)
            name = copies[name, kinds]
        runs_block = configured.regions[0].blocks[0]
        op = RunOp(args=arguments, runtime_sequence_symbol=name, loc=location, ip=ir.InsertionPoint(runs_block))
        if name != run.kernel:
            op.operation.attributes[COPY_OF] = ir.FlatSymbolRefAttr.get(run.kernel)


def _sequence_for(device: DeviceOp, name: str, kinds: Sequence[ir.Type]) -> str:
    """Copies the runtime sequence `name`, with arguments of the types `kinds` at offsets. Returns the name of the copy."""
    [result] = [s for s in walk_named(device, "aie.runtime_sequence") if sym_name_of(s) == name]
    op = result.clone(ip=ir.InsertionPoint.after(result)).operation
    free = Names(device).fresh(name)
    op.attributes["sym_name"] = ir.StringAttr.get(free)
    for argument, kind in zip(op.regions[0].blocks[0].arguments, kinds, strict=True):
        argument.set_type(kind)
    return free


def _view(block: ir.Block, run: Run, value: ir.Value, place: Place, kind: ir.MemRefType) -> Any:
    """`value`, or a view of type `kind` of its elements from `place` on, which later runs reuse."""
    if value.type == kind and place.offset == 0:
        return value
    if place.offset * (element_bits(kind) or 0) % WORD:
        raise error_at(
            run.op,
            f"passes @{run.kernel} a part of a buffer from element {place.offset} on, which is not at a multiple of {WORD} "
            "bits; DMAs move whole words: let the part begin at a multiple of 32 bits, or copy it in a kernel of its own",
        )
    shape = list(kind.shape)
    strides = [1] * len(shape)
    for n in reversed(range(len(shape) - 1)):
        strides[n] = strides[n + 1] * shape[n + 1]
    if place.offset:
        kind = ir.MemRefType.get(shape, kind.element_type, ir.StridedLayoutAttr.get(place.offset, strides))
    with run.op.location, ir.InsertionPoint.at_block_begin(block):
        return memref.reinterpret_cast(kind, value, [], [], [], [place.offset], shape, strides)
