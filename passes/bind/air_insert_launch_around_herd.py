"""air-insert-launch-around-herd."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import LaunchOp, SegmentOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._affine_scope import leave_affine_scope
from allo_air.passes.bind._outline import arranged, fill


@dataclass(frozen=True)
class AirInsertLaunchAroundHerd(Pass):
    """Puts the body of a function whose herds stand in no launch into an `air.launch` of one iteration.

    With `insert_segment` the launch's body goes into an `air.segment`. Functions whose herds are in a launch, or in a parallel
    loop that `air-par-to-launch` can turn into one, stay.

    Before (`air-insert-launch-around-herd`):

        func.func @f(%a: memref<8xi32>) {
          air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%a) : memref<8xi32> { ... }
          return
        }

    After:

        func.func @f(%a: memref<8xi32>) {
          air.launch () in () args(%b=%a) : memref<8xi32> {
            air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%b) : memref<8xi32> { ... }
          }
          return
        }
    """

    name = "air-insert-launch-around-herd"
    anchor = "builtin.module"
    insert_segment: bool = False
    """Put the launch's body into a segment."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for function in walk_named(op, "func.func"):
            if not any(_is_bare(herd, function) for herd in walk_named(function, "air.herd")):
                continue
            launch = _wrap(function.regions[0].blocks[0], LaunchOp)
            if self.insert_segment and not walk_named(launch, "air.segment"):
                name = names.fresh(function.attributes["sym_name"].value)
                _wrap(launch.block, SegmentOp, sym_name=name)
            leave_affine_scope(launch)


def _is_bare(herd: ir.Operation, function: ir.Operation) -> bool:
    """Whether no launch, and no loop that could become one, stands between the herd and its function."""
    between = ("air.launch", "air.segment", "scf.parallel", "scf.forall", "affine.parallel")
    return not any(parent.name in between for parent in parents(herd))


def _wrap(block: ir.Block, kind: Any, **fields: Any) -> Any:
    """Moves all of `block` but its terminator into a new operation of class `kind` without dimensions."""
    [*body, terminator] = [o.operation for o in block.operations]
    if len(terminator.operands):
        raise error_at(
            terminator,
            f"returns values, which an '{kind.OPERATION_NAME}' around them cannot; use buffer-results-to-out-params first",
        )
    args = arranged(list(block.arguments))
    new = kind.build([], args, loc=terminator.location, ip=ir.InsertionPoint(terminator), **fields)
    fill(new, body, dict(zip(args, new.body_args, strict=True)))
    return new
