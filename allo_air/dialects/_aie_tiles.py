"""AIE operations of the device itself: tiles, buffers, locks, cores and runtime sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import STACK_BYTES
from allo_air.core.walking import OF_ITS_OWN
from allo_air.dialects._enums import (
    DEVICE,
    LOCK_ACTION,
    LOCK_BLOCKING,
    TILE_TYPE,
)
from allo_air.dialects._fields import I32 as I32_VALUE
from allo_air.dialects._fields import INDEX, MEMREF, attr, operand, region, result
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I32, I64, STRING, SYM_NAME
from allo_air.dialects._op import Op
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.asm.state import State

OF_ITS_OWN.add("air.herd_local_id")  # ids of a core in its herd

DEVICE_BODY = "`(` $tile `)` $body attr-dict"


def at_tile(prefix: str) -> Any:
    """Names a result after the tile it belongs to: `lock_0_2`."""

    @staticmethod  # type: ignore[misc]
    def result_names(state: State) -> list[str]:
        place = state.tile_of(0)
        return [state.symbol() or (f"{prefix}_{place}" if place else prefix)]

    return result_names


class DeviceOp(Op, name="aie.device"):
    """The configuration of one array.

    In memory the body holds one `builtin.module`, which carries the symbol table that the bindings cannot attach here; the text
    shows its operations directly in the device. `ops` and `module` reach them.
    """

    device = attr(DEVICE)
    sym_name = attr(SYM_NAME, default="main")
    body = region()
    traits = ("isolated", "no_terminator")
    assembly = "device()"

    def add_block(self) -> ir.Block:
        """The block that holds the operations of a new device, which is empty so far, in a hidden module."""
        with ir.InsertionPoint(self.regions[0].blocks.append()), self.location:
            module = ir.Operation.create("builtin.module", regions=1)
        return module.regions[0].blocks.append()

    @property
    def module(self) -> ir.OpView:
        """The hidden module that holds the device's operations."""
        return self.regions[0].blocks[0].operations[0]

    @property
    def body_region(self) -> Any:
        """The region that holds the device's operations."""
        return self.module.regions[0]

    @property
    def block(self) -> Any:
        """The block that holds the device's operations."""
        return self.module.regions[0].blocks[0]


class EndOp(Op, name="aie.end"):
    """Ends the body of a core, a DMA program and the like."""

    traits = ("terminator",)
    assembly = "attr-dict"


class TileOp(Op, name="aie.tile"):
    """The tile at column `col`, row `row`."""

    col = attr(I32)
    row = attr(I32)
    allocation_scheme = attr(STRING, optional=True)
    tile = result(INDEX)
    parents = ("aie.device", "builtin.module")  # tests of mlir-aie have tiles without a device
    assembly = "`(` $col `,` $row `)` attr-dict"

    @staticmethod
    def result_names(state: State) -> list[str]:
        return [state.tile_name(state.integer("col"), state.integer("row"))]


class LogicalTileOp(Op, name="aie.logical_tile"):
    """A tile of a kind, whose column or row may not be assigned yet."""

    tile_type = attr(TILE_TYPE)
    col = attr(I32, optional=True)
    row = attr(I32, optional=True)
    allocation_scheme = attr(STRING, optional=True)
    tile = result(INDEX)
    parents = ("aie.device",)
    assembly = "`<` $tile_type `>` `(` unknown($col) `,` unknown($row) `)` attr-dict"

    @staticmethod
    def result_names(state: State) -> list[str]:
        names = ("logical_core", "logical_mem", "logical_shim_noc", "logical_shim_pl")
        return [names[state.integer("tile_type")]]


class BufferOp(Op, name="aie.buffer"):
    """A buffer in the data memory of `tile`; unless `aligned` is false, its address is a multiple of the tile's bus width."""

    tile = operand(INDEX)
    sym_name = attr(STRING, optional=True)
    address = attr(I32, optional=True)
    mem_bank = attr(I32, optional=True)
    aligned = attr(BOOL, optional=True)
    initial_value = attr(ANY_ATTR, optional=True)
    buffer = result(MEMREF)
    assembly = "`(` $tile `)` attr-dict `:` type($buffer) initial_value()"
    result_names = at_tile("buffer")


class ExternalBufferOp(Op, name="aie.external_buffer"):
    """A buffer in external memory."""

    sym_name = attr(STRING, optional=True)
    address = attr(I64, optional=True)
    buffer = result(MEMREF)
    assembly = "attr-dict `:` type($buffer)"

    @staticmethod
    def result_names(state: State) -> list[str]:
        return [state.symbol()]


class LockOp(Op, name="aie.lock"):
    """A lock of `tile`; `init` is its value at start."""

    tile = operand(INDEX)
    lockID = attr(I32, optional=True)
    init = attr(I32, optional=True)
    sym_name = attr(STRING, optional=True)
    lock = result(INDEX)
    assembly = "`(` $tile (`,` $lockID^)? `)` attr-dict"
    result_names = at_tile("lock")


class UseLockOp(Op, name="aie.use_lock"):
    """Acquires or releases `lock` by `value` (default 1), or by `amount`, which a core computes."""

    lock = operand(INDEX)
    amount = operand(I32_VALUE, "optional")
    action = attr(LOCK_ACTION)
    value = attr(I32, optional=True)
    blocking = attr(LOCK_BLOCKING, optional=True)
    acq_en = attr(BOOL, optional=True)
    assembly = {
        "2026-03": "`(` $lock `,` $action lock_value() `)` attr-dict",
        "2026-08": "`(` $lock `,` $action `,` ssa($value, $amount) `)` attr-dict",
    }


class CoreOp(Op, name="aie.core"):
    """The program of the core of `tile`."""

    tile = operand(INDEX)
    stack_size = attr(I32, default=STACK_BYTES)
    elf_file = attr(STRING, optional=True)
    link_with = attr(STRING, optional=True)
    link_files = attr(ANY_ATTR, optional=True)
    link_merge_files = attr(ANY_ATTR, optional=True)
    emit_parameter_sync_preamble = attr(BOOL, optional=True)
    dynamic_objfifo_lowering = attr(BOOL, optional=True)
    body = region()
    core = result(INDEX)
    parents = ("aie.device", "builtin.module")
    assembly = DEVICE_BODY
    result_names = at_tile("core")


class RuntimeSequenceOp(Op, name="aie.runtime_sequence"):
    """The program of the NPU's controller. Its arguments are the host's buffers, and scalars that the host passes for each
    run."""

    sym_name = attr(SYM_NAME, default="sequence")
    emit_parameter_sync_preamble = attr(BOOL, optional=True)
    body = region()
    traits = ("no_terminator",)
    parents = ("aie.device",)
    assembly = {"2026-03": "($sym_name^)? arguments_region($body)", "2026-08": "($sym_name^)? sequence_region($body)"}
