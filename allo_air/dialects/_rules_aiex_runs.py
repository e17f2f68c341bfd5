"""Rules of resets, re-arming, guards, and scratchpad parameters of runtime sequences."""

from __future__ import annotations

from typing import Any

from allo_air.arch import arch_of
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.dialects._aie_objectfifo import ObjectFifoRearmBindingOp
from allo_air.dialects._aiex_npu import (
    CoreResetOp,
    DmaBdPoolPopOp,
    DmaChannelResetForOp,
    DmaChannelResetOp,
    NpuAssertBdDivisibleOp,
    NpuAssertBdFieldOp,
    NpuCreateScratchpadOp,
    NpuUpdateFromScratchpadOp,
    ReadScratchpadParameterOp,
    ScratchpadParameterOp,
)
from allo_air.dialects._places import device_of, kind_of, place_of, symbols_in_sequence
from allo_air.dialects._rules import Report, enclosing, rule
from allo_air.mlir import ir

_MAX_SCRATCHPAD = 128
_REARMED = ("aie.objectfifo", "aie.objectfifo_rearm_binding")


@rule("aiex.dma_channel_reset")
def channel_reset(op: DmaChannelResetOp, report: Report) -> None:
    """Only core tiles and memtiles have the reset bit; the channel exists."""
    device, kind = device_of(op, report), kind_of(op.tile, report)
    if device is not None and not arch_of(device).semaphore_locks:
        report.error(op, "is not supported on AIE1.")
    elif kind is not None and kind not in ("core", "mem"):
        report.error(op, f"resets a channel of a {kind} tile; only channels of core tiles and memtiles are reset")
    elif (place := place_of(op.tile, report)) is not None:
        count = place.tile.channels[op.direction]
        if not 0 <= op.channel < count:
            report.error(op, f"channel {op.channel} does not exist: {place} has {count} of this direction")


@rule("aiex.core_reset")
def core_reset(op: CoreResetOp, report: Report) -> None:
    """Core tiles have a core."""
    device, kind = device_of(op, report), kind_of(op.tile, report)
    if device is not None and not arch_of(device).semaphore_locks:
        report.error(op, "is not supported on AIE1.")
    elif kind is not None and kind != "core":
        report.error(op, f"resets the core of a {kind} tile, which has none")


@rule("aiex.dma_channel_reset_for")
def channel_reset_for(op: DmaChannelResetForOp, report: Report) -> None:
    """The symbol is an objectFifo, or the record of a lowered one."""
    if device_of(op, report) is None:
        return
    symbols = symbols_in_sequence(op, report)
    symbol = symbols.get(op.symbol) or symbols.get(f"{op.symbol}_rearm")
    if symbol is None or symbol.name not in _REARMED:
        report.error(op, f"names @{op.symbol}, which is not an aie.objectfifo or aie.objectfifo_rearm_binding of the device")


@rule("aie.objectfifo_rearm_binding")
def rearm_binding(op: ObjectFifoRearmBindingOp, report: Report) -> None:
    """Each channel has a direction and a number, each lock a count."""
    counts = {"channels": len(op.channels), "locks": len(op.locks)}
    lists = (
        ("channel_dirs", op.channel_dirs, "channels"),
        ("channel_indices", op.channel_indices, "channels"),
        ("lock_inits", op.lock_inits, "locks"),
        ("head_bd_ids", op.head_bd_ids, "channels"),
        ("repeat_counts", op.repeat_counts, "channels"),
    )
    for name, values, of in lists:
        if values is not None and len(values) != counts[of]:
            report.error(op, f"has {counts[of]} {of} and {len(values)} {name}; expected one for each")
            return


@rule("aiex.npu.assert_bd_field")
def bd_field(op: NpuAssertBdFieldOp, report: Report) -> None:
    """A constant fits the field; a run-time value is checked at run time."""
    number = constant_of(op.value)
    if number is not None and not 0 <= number <= op.max:
        report.error(op, f"value {number} does not fit the field of a BD, [0:{op.max}]")


@rule("aiex.npu.assert_bd_divisible")
def bd_divisible(op: NpuAssertBdDivisibleOp, report: Report) -> None:
    """A constant is a multiple of the divisor; a run-time value is checked at run time."""
    number = constant_of(op.value)
    if op.divisor < 1:
        report.error(op, f"divisor must be positive, found {op.divisor}")
    elif number is not None and number % op.divisor and not (op.allow_unit and number == 1):
        report.error(op, f"value {number} is not a multiple of {op.divisor}")


@rule("aiex.dma_bd_pool_pop", "aiex.dma_bd_pool_push")
def bd_pool(op: DmaBdPoolPopOp, report: Report) -> None:
    """The tile exists."""
    device = device_of(op, report)
    if device is not None and not device.holds(op.column, op.row):
        report.error(op, f"names tile ({op.column}, {op.row}), but {device.name} has {device.columns} x {device.rows} tiles")


@rule("aiex.scratchpad_parameter")
def scratchpad_parameter(op: ScratchpadParameterOp, report: Report) -> None:
    """The value fits into a word, and has one kind of use: by cores, or as the offset of BDs."""
    kind = op.type
    if not (isinstance(kind, ir.BF16Type) or (isinstance(kind, ir.IntegerType) and kind.width <= 32)):
        report.error(op, f"has type {kind}; expected bf16, or an integer of at most 32 bits")
        return
    around = op.operation
    while around.parent is not None:
        around = around.parent.operation
    users: dict[str, Any] = {}
    for user in walk_named(around, "aiex.read_scratchpad_parameter", "aie.dma_bd", "aiex.npu.dma_memcpy_nd"):
        key = "parameter" if user.name == "aiex.read_scratchpad_parameter" else "offset_parameter"
        if key in user.attributes and user.attributes[key].value == op.sym_name:
            users.setdefault(key, user)
    if len(users) > 1:
        report.error(
            op,
            "is read by a core and is the offset of a BD; a parameter is used in one way only",
            *((user, "used here") for user in users.values()),
        )
    elif "offset_parameter" in users and str(kind) != "i32":
        report.error(op, f"is the offset of a BD, which is an i32 in elements, and has type {kind}")


@rule("aiex.read_scratchpad_parameter")
def read_parameter(op: ReadScratchpadParameterOp, report: Report) -> None:
    """A core reads a parameter with its declared type."""
    if enclosing(op, "aie.core", "func.func") is None:
        report.error(op, "must be inside of an aie.core")
        return
    around = op.operation
    while around.parent is not None:
        around = around.parent.operation
    named = [p.opview for p in walk_named(around, "aiex.scratchpad_parameter") if p.opview.sym_name == op.parameter]
    if not named:
        report.error(op, f"reads @{op.parameter}, which is not an aiex.scratchpad_parameter")
    elif named[0].type != op.value.type:
        report.error(op, f"reads @{op.parameter} as {op.value.type}, which has type {named[0].type}")


@rule("aiex.npu.create_scratchpad")
def create_scratchpad(op: NpuCreateScratchpadOp, report: Report) -> None:
    """A table of whole words within the controller's limit, once in a sequence."""
    if op.size % 4 or not 0 < op.size <= _MAX_SCRATCHPAD:
        report.error(op, f"size must be a multiple of 4, at most {_MAX_SCRATCHPAD}, found {op.size}")
        return
    sequence = enclosing(op, "aie.runtime_sequence")
    if sequence is not None and walk_named(sequence, "aiex.npu.create_scratchpad")[0] != op.operation:
        report.error(op, "is the second of its runtime sequence, which has one scratchpad")


@rule("aiex.npu.update_from_scratchpad")
def update_from_scratchpad(op: NpuUpdateFromScratchpadOp, report: Report) -> None:
    """The index is an entry of the table."""
    if op.state_table_idx >= _MAX_SCRATCHPAD // 4:
        report.error(op, f"state_table_idx must be below {_MAX_SCRATCHPAD // 4}, found {op.state_table_idx}")
    elif (op.column is None) != (op.row is None):
        report.error(op, "gives one of column and row; expected both, or none")
