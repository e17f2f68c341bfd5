"""Rules of DMA tasks, BD chains, device configuration, tokens and multicast."""

from __future__ import annotations

from typing import Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_REPEAT
from allo_air.dialects._aie_dma import BDChainOp
from allo_air.dialects._aiex_tasks import (
    BroadcastPacketOp,
    ConfigureOp,
    DMAAwaitTaskOp,
    DMAConfigureTaskOp,
    DMAStartBdChainOp,
    MulticastOp,
    RunOp,
    SetLockOp,
    UseTokenOp,
)
from allo_air.dialects._enums import DEVICE
from allo_air.dialects._places import device_name, device_of, place_of, symbols_in_sequence
from allo_air.dialects._rules import Report, enclosing, operations, rule
from allo_air.mlir import AnyOp, ir

_TASKS = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")
_TOKEN_USERS = ("func.func", "aie.core", "aie.mem", "aie.shim_dma")


@rule(*_TASKS, "aie.bd_chain")
def task_blocks(op: AnyOp, report: Report) -> None:
    """Blocks form one chain from the entry; each has one BD, except the end block and an entry block that only leads into a
    cycle."""
    blocks = list(op.regions[0].blocks)
    for i, block in enumerate(blocks):
        body = operations(block)
        if not body:
            continue
        if i and not list(block.predecessors):
            report.error(body[-1], "Block ending in this terminator does not form a chain with entry block.")
            return
        descriptors = [o for o in body if o.name == "aie.dma_bd"]
        if len(descriptors) > 1:
            report.error(descriptors[1], "is the second BD of its block; a block holds exactly one", (descriptors[0], "first"))
            return
        if body[-1].name not in ("aie.next_bd", "aie.end"):
            report.error(body[-1], "is not an allowed terminator; aie.next_bd and aie.end are", (op, "in this context: "))
            return


@rule("aiex.dma_configure_task")
def task_channel(op: DMAConfigureTaskOp, report: Report) -> None:
    """The channel exists."""
    place = place_of(op.tile, report)
    if place is not None and not 0 <= op.channel < (count := place.tile.channels[op.direction]):
        report.error(op, f"channel {op.channel} does not exist: {place} has {count} of this direction")


@rule(*_TASKS, "aiex.dma_start_bd_chain", "aiex.dma_start_bd_chain_for")
def task_repeats(op: ir.OpView, report: Report) -> None:
    """A queued task runs at most 256 times."""
    count = op.repeat_count
    if count is not None and not 0 <= count < MAX_REPEAT:
        report.warning(op, f"repeat_count {count} does not fit the queue's 8 bits, [0, {MAX_REPEAT - 1}]")


@rule("aiex.dma_await_task")
def await_needs_token(op: DMAAwaitTaskOp, report: Report) -> None:
    """Only a task that issues a token can be waited for; the real tool checks this when it lowers tasks."""
    task = op.task
    if isinstance(task, ir.BlockArgument) or task.owner.operation.name not in _TASKS:
        return
    configured = task.owner
    if not configured.issue_token:
        report.warning(op, "waits for a task that issues no token; set issue_token = true there", (configured, "task"))


@rule("aiex.dma_start_bd_chain")
def chain_arguments(op: DMAStartBdChainOp, report: Report) -> None:
    """The BD chain is in this device, and the arguments match its parameters."""
    if device_of(op, report) is None:
        return
    result = symbols_in_sequence(op, report).get(op.symbol)
    if result is None or result.name != "aie.bd_chain":
        report.error(op, f"symbol does not reference valid BD chain: '{op.symbol}'")
        return
    expected = [a.type for a in BDChainOp(result).body.blocks[0].arguments]
    _check_arguments(op, expected, [a.type for a in op.args], result, report)


def _check_arguments(
    op: ir.OpView, expected: list[ir.MemRefType], actual: list[ir.MemRefType], callee: ir.Operation, report: Report
) -> None:
    note = (callee, "declared here")
    if len(expected) != len(actual):
        report.error(op, f"Number of arguments mismatches. Expected {len(expected)}, found {len(actual)}", note)
        return
    for i, (want, have) in enumerate(zip(expected, actual, strict=True)):
        if want != have:
            report.error(op, f"Argument {i + 1} types mismatch: expected {want} but got {have}", note)
            return


@rule("aiex.configure")
def configured_device(op: ConfigureOp, report: Report) -> None:
    """The symbol is a device of the module, of the same kind as the enclosing one."""
    around = enclosing(op, "aie.device")
    result = _device_named(op, op.symbol)
    if result is None:
        report.error(op, f"No such device: '@{op.symbol}'")
        return
    if around is not None and around.attributes["device"] != result.attributes["device"]:
        kinds = [DEVICE.keyword(d.attributes["device"].value) for d in (around, result)]
        report.error(op, f"Device types do not match: '{kinds[0]}' and '{kinds[1]}'", (result, "device"))


@rule("aiex.run")
def run_sequence(op: RunOp, report: Report) -> None:
    """The runtime sequence is in the configured device, and the arguments match its parameters."""
    configure = enclosing(op, "aiex.configure")
    if configure is None:
        report.error(op, "expects ancestor op 'aiex.configure'")
        return
    device = _device_named(op, ConfigureOp(configure).symbol)
    if device is None:
        return
    name = op.runtime_sequence_symbol
    sequence = _runtime_sequences(device).get(name)
    if sequence is None:
        report.error(op, f"No such runtime sequence for device '{device.attributes['sym_name'].value}': '{name}'")
        return
    expected = [a.type for a in sequence.regions[0].blocks[0].arguments]
    _check_arguments(op, expected, [a.type for a in op.args], sequence, report)


def _runtime_sequences(device: AnyOp) -> dict[str, ir.Operation]:
    runtime_sequences = {}
    for op in operations(device.regions[0].blocks[0]):
        for inner in operations(op.regions[0].blocks[0]) if op.name == "builtin.module" else (op,):
            if inner.name == "aie.runtime_sequence":
                attributes = inner.attributes
                runtime_sequences[attributes["sym_name"].value if "sym_name" in attributes else "sequence"] = inner
    return runtime_sequences


def _device_named(op: AnyOp, name: str) -> Any:
    device = enclosing(op, "aie.device")
    block = device.block if device is not None else None
    for candidate in operations(block) if block is not None else ():
        if candidate.name == "aie.device" and device_name(candidate) == name:
            return candidate
    return None


@rule("aiex.set_lock")
def set_lock(op: SetLockOp, report: Report) -> None:
    """Semaphore locks only, within their range, and a lock that the tile has."""
    device = device_of(op, report)
    if device is None:
        return
    if not arch_of(device).semaphore_locks:
        report.error(op, "SetLockOp is not supported on AIE1.")
    elif op.value is not None and not 0 <= op.value <= arch_of(device).max_lock_value:
        report.error(op, f"Lock value exceeds the maximum value of {arch_of(device).max_lock_value}: {op.value}")


@rule("aiex.useToken")
def token_place(op: UseTokenOp, report: Report) -> None:
    """Tokens are used in functions, cores and DMA programs."""
    if enclosing(op, *_TOKEN_USERS) is None:
        report.error(op, f"must be inside one of {', '.join(_TOKEN_USERS)}")


@rule("aiex.multicast")
def multicast(op: MulticastOp, report: Report) -> None:
    """The body has destinations only."""
    _check_names(op, ("aiex.multi_dest", "aie.end"), "cannot be contained in a Multicast op", report)


@rule("aiex.broadcast_packet")
def broadcast_packet(op: BroadcastPacketOp, report: Report) -> None:
    """The body has packet ids only."""
    _check_names(op, ("aiex.bp_id", "aie.end"), "cannot be contained in a BroadcastPacket op", report)


def _check_names(op: ir.OpView, names: tuple[str, ...], message: str, report: Report) -> None:
    for inner in operations(op.regions[0].blocks[0]):
        if inner.name not in names:
            report.error(inner, message)
            return
