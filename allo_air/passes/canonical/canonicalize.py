"""`canonicalize`: MLIR's canonicalization and that of AIR's operations, together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import LITERAL_LISTS, TRANSFERS
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir

_ROUNDS = 20


@dataclass(frozen=True)
class Canonicalize(Pass):
    """Canonicalizes operations: MLIR's own pass, and the canonical forms of AIR's operations.

    AIR's part drops unused and duplicate arguments of hierarchies and sinks constants into their bodies; simplifies
    dependences (`air.wait_all`, `air.execute`, dependences that are implied or order nothing); folds chains of views into the
    access lists of transfers; joins events (`airrt.wait_all`); and erases unused channels, and translations of a buffer from a
    rank to itself. Lists of host transfers and of BDs of shims that go from one element to the next become linear, acquires of
    0 and pairs of inverse AIEVec conversions are erased. MLIR's part and the others run alternately until none changes
    anything. August's assembly then prints constants in access lists as literals. Constants that MLIR's part hoisted out of an
    `aie.core` go back into it, and dimensions of affine operations that are fixed in a hierarchy become symbols. The options
    are those of MLIR's pass and apply to its part; `cse` is ours.

    Before:

        %0 = air.wait_all async
        %1 = air.wait_all async [%t, %0]
        %v = memref.subview %m[%i, 0] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
        %2 = air.channel.put async [%1] @c[] (%v[] [] []) : (memref<32x32xf32, strided<[64, 1], offset: ?>>)

    After:

        %2 = air.channel.put async [%t] @c[] (%m[%i, %c0] [%c32, %c32] [%c64, %c1]) : (memref<64x64xf32>)
    """

    name: ClassVar[str] = "canonicalize"
    leaves_valid: ClassVar[bool] = True

    top_down: bool = True
    """Visit operations from the top down."""
    region_simplify: Literal["disabled", "normal", "aggressive"] = "normal"
    """How aggressively control flow blocks are simplified."""
    max_iterations: int = 10
    """Largest number of iterations of the greedy rewrite; -1 for no limit."""
    max_num_rewrites: int = -1
    """Largest number of rewrites of an iteration; -1 for no limit."""
    test_convergence: bool = False
    """Fail if the rewrite does not converge."""
    cse_between_iterations: bool = False
    """Merge equal operations between iterations."""
    disable_patterns: tuple[str, ...] = ()
    """Labels of patterns to leave out."""
    enable_patterns: tuple[str, ...] = ()
    """Labels of the only patterns to run."""
    filter_dialects: tuple[str, ...] = ()
    """The only dialects whose patterns run."""
    cse: bool = False
    """Merge equal operations at the end, as pass `cse` does, and erase copies of a buffer to itself that are left then."""

    def run(self, op: ir.OpView, /) -> None:
        from allo_air.passes._ir.core_constants import keep_constants_in_cores, order_of_constants, restore_order

        orders = order_of_constants(op) if op.context.is_dialect_loaded("aie") else []
        converged = self._alternate(op)
        for transfer in walk_named(op, *TRANSFERS):
            if LITERAL_LISTS not in transfer.attributes:
                transfer.attributes[LITERAL_LISTS] = ir.UnitAttr.get(op.context)
        if op.context.is_dialect_loaded("aie"):
            keep_constants_in_cores(op)
            restore_order(op, orders)
        if self.cse:
            run_upstream(op, "cse")
            for copy in walk_named(op, "memref.copy"):
                if copy.operands[0] == copy.operands[1]:  # a copy between two views that `cse` merged
                    copy.erase()
        if self.test_convergence and not converged:
            operation: ir.Operation = op.operation
            raise PassError(f"did not become canonical in {_ROUNDS} iterations", operation.location, operation.name)

    def _alternate(self, op: AnyOp) -> bool:
        """Runs MLIR's part and AIR's part alternately; returns whether both converged."""
        from allo_air.passes.canonical._rounds import rewrite_once

        upstream = self._upstream()
        run_upstream(op, upstream)
        for _ in range(_ROUNDS):
            if not rewrite_once(op):
                return True
            run_upstream(op, upstream)
        return False

    def _upstream(self) -> str:
        """MLIR's pass with the same options."""
        values = [(f.name.replace("_", "-"), getattr(self, f.name)) for f in fields(self) if getattr(self, f.name) != f.default]
        values = [(name, value) for name, value in values if name != "cse"]
        return f"canonicalize{{{' '.join(f'{name}={_text(value)}' for name, value in values)}}}"


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "{" + ",".join(value) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)
