"""aie-standard-lowering."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at, position
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_inside, is_unused, walk_named, walk_pre_order
from allo_air.dialects.declarations import ANYWHERE, declarations, device_of, place_of
from allo_air.mlir import func, ir, memref
from allo_air.passes._ir.core_constants import keep_constants_in_cores
from allo_air.passes.kernel._core_functions import to_calls
from allo_air.passes.kernel._intrinsics import Caller

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp

_ALIGNMENT = 32
"""Bytes: the width of a core's load and store bus."""


@dataclass(frozen=True)
class AieStandardLowering(Pass):
    """Lowers the cores of a device to functions and its buffers to globals, and removes the rest, and all other devices.

    A core becomes `@core_COLUMN_ROW`. Locks, streams, cascades and events become calls of the functions that Peano knows.
    A buffer is a public global, with its initial value where its own tile is lowered; aie-localize-locks numbers locks before.
    A core gets copies of the constants that it takes from the device.

    Before (`aie-standard-lowering{tilecol=1 tilerow=3}`, AIE2):

        %b = aie.buffer(%tile_1_3) {sym_name = "b"} : memref<64xi32>
        aie.core(%tile_1_3) {
          aie.use_lock(%c48, AcquireGreaterEqual, 1)
          memref.store %v, %b[%i] : memref<64xi32>
          aie.end
        }

    After:

        memref.global "public" @b : memref<64xi32>
        func.func private @llvm.aie2.acquire(i32, i32)
        func.func @core_1_3() {
          %0 = arith.index_cast %c48 : index to i32
          call @llvm.aie2.acquire(%0, %c-1_i32) : (i32, i32) -> ()
          %1 = memref.get_global @b : memref<64xi32>
          %2 = memref.assume_alignment %1, 32 : memref<64xi32>
          memref.store %v, %1[%i] : memref<64xi32>
          return
        }
    """

    name = "aie-standard-lowering"
    anchor = "builtin.module"
    device: str = ""
    """The device to lower; by default the first one."""
    tilecol: int = -1
    """Column of the core to lower; -1 for any."""
    tilerow: int = -1
    """Row of the core to lower; -1 for any."""

    def run(self, op: ir.Operation, /) -> None:
        devices: list[Any] = [v for v in op.regions[0].blocks[0].operations if v.operation.name == "aie.device"]
        results = [d for d in devices if self.device in ("", d.sym_name)]
        if not results:
            named = f"'aie.device' @{self.device}" if self.device else "'aie.device'"
            raise error_at(op, f"expected {named} operation at toplevel")
        self._lower(op, results[0])
        for device in devices:
            device.operation.erase()

    def _lower(self, module: ir.Operation, device: ir.OpView) -> None:
        arch = device_of(device).arch.lower()
        caller = Caller("aie" if arch == "aie1" else arch)
        block = module.regions[0].blocks[0]
        keep_constants_in_cores(device)
        cores = declarations(device, "aie.core")
        for core in cores:
            if self._is_selected(core):
                _check(core)
        module.attributes["llvm.target_triple"] = ir.StringAttr.get(caller.arch)
        caller.declare(block, device.location, declarations(device, "func.func"))
        for name in ("memref.global", "func.func"):
            for declaration in declarations(device, name):
                declaration.operation.move_before(device.operation)
        for function in [v for v in block.operations if v.operation.name == "func.func"]:
            to_calls(function, caller)
        for core in cores:
            if self._is_selected(core):
                to_calls(core, caller)
        for buffer in declarations(device, "aie.buffer"):
            self._global(buffer, [c for c in cores if self._is_selected(c)], block)
        for core in cores:
            if self._is_selected(core):
                _function(core, device)

    def _is_selected(self, op: ir.OpView) -> bool:
        column, row = place_of(op, op.tile)
        return self.tilecol in (-1, column) and self.tilerow in (-1, row)

    def _global(self, buffer: BufferOp, cores: list[ir.OpView], block: ir.Block) -> None:
        """A global for `buffer`, which `cores` reach by its name."""
        kind, name = buffer.buffer.type, buffer.sym_name
        if name is None:
            raise error_at(buffer, "has no name; give it a sym_name, or run aie-assign-buffer-addresses first")
        results: dict[str, Any] = {"loc": buffer.location, "ip": ir.InsertionPoint.at_block_begin(block)}
        initial = buffer.initial_value if self._is_selected(buffer) else None
        memref.GlobalOp(name, kind, sym_visibility="public", initial_value=initial, **results)
        for use in list(buffer.buffer.uses):
            if any(is_inside(use.owner, core) for core in cores):
                here: dict[str, Any] = {"loc": buffer.location, "ip": ir.InsertionPoint(use.owner)}
                memref_value = memref.GetGlobalOp(kind, name, **here).result
                memref.AssumeAlignmentOp(memref_value, _ALIGNMENT, **here)
                use.owner.operands[use.operand_number] = memref_value


def _check(core: ir.OpView) -> None:
    """Raises DiagnosticError if `core` uses a value that its function would not have."""
    for op in walk_pre_order(core)[1:]:
        if op.name in ANYWHERE:
            continue  # their operand is the tile, which the function does not need
        for value in op.operands:
            result = defining_op(value)
            if result is not None and result.name == "aie.lock":
                raise error_at(op, f"takes {_result_at(result)}, which has no number here; run aie-localize-locks first")
            if is_inside(result or value.owner.owner, core) or (result is not None and result.name == "aie.buffer"):
                continue
            subject = _result_at(result) if result is not None else "a value"
            raise error_at(op, f"takes {subject} from outside of its core; compute it in the core, or pass it in a buffer")


def _result_at(op: ir.Operation) -> str:
    """The result of `op`, with the source location of `op`."""
    return f"the result of '{op.name}' at line {position(op.location)[1]}"


def _function(core: ir.OpView, device: ir.OpView) -> None:
    """Moves the program of `core` into a function after the device."""
    column, row = place_of(core, core.tile)
    for declared in walk_named(core, *ANYWHERE):
        if is_unused(declared.results[0]):
            declared.erase()
    block: Any = device.operation.block
    ops = [v.operation for v in block.operations]
    following = next((b for a, b in pairwise(ops) if a == device.operation), None)
    point = ir.InsertionPoint(block) if following is None else ir.InsertionPoint(following)
    with point, core.location:
        result = func.FuncOp(f"core_{column}_{row}", ir.FunctionType.get([], []))
    for inner in list(core.body.blocks):
        inner.append_to(result.body)
    for inner in result.body.blocks:
        for op in [v.operation for v in inner.operations]:
            if op.name == "aie.end":
                func.ReturnOp([], loc=op.location, ip=ir.InsertionPoint(op))
                op.erase()
