"""air-regularize-loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at, position
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_pre_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._ir.affine_loops import LABEL, body_of

_LOADS = ("affine.load", "memref.load")
_CONTROL = {"affine.for", "affine.if", "affine.parallel", "scf.for", "scf.if", "scf.forall", "scf.parallel", "scf.reduce"}
_HARMLESS = _CONTROL | {"linalg.index", "memref.alloc", "memref.get_global"}
_ENDS = ("yield", "terminator", "return")


@dataclass(frozen=True)
class AirRegularizeLoop(Pass):
    """Makes labelled nests of `affine.for` perfect: operations before an inner loop move into the innermost loop.

    The pass is the inverse of loop-invariant code motion. Only operations that can be repeated move: pure ones, and loads
    of memory that the nest does not write. Their results may be used in the innermost loop only, not by the bounds
    or initial values of an inner loop.

    Before:

        affine.for %i = 0 to 4 {
          %0 = affine.load %a[%i] : memref<4xf32>
          affine.for %j = 0 to 8 {
            affine.store %0, %b[%i, %j] : memref<4x8xf32>
          }
        } {affine_opt_label = "nest"}

    After:

        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 8 {
            %0 = affine.load %a[%i] : memref<4xf32>
            affine.store %0, %b[%i, %j] : memref<4x8xf32>
          }
        } {affine_opt_label = "nest"}
    """

    name = "air-regularize-loop"
    anchor = "func.func"
    works_on = ("affine.for",)
    air_label: str = ""
    """Change only nests with this `affine_opt_label`."""

    def run(self, op: AnyOp, /) -> None:
        for loop in walk_named(op, "affine.for"):
            if LABEL in loop.attributes and self.air_label in ("", loop.attributes[LABEL].value):
                _regularize(loop)


def _regularize(nest: ir.Operation) -> None:
    written = _written_buffers(nest)
    moving: list[ir.Operation] = []
    loop = nest
    while True:
        inner_ops = [o.operation for o in body_of(loop).operations][:-1]
        inner = [o for o in inner_ops if o.name == "affine.for"]
        if not inner:
            break
        position = inner_ops.index(inner[0])
        if len(inner) > 1 or position != len(inner_ops) - 1:
            extra = inner[1] if len(inner) > 1 else inner_ops[position + 1]
            raise error_at(extra, "follows a loop of a nest that must be perfect; move it into a separate nest")
        for op in inner_ops[:position]:
            if not is_pure(op) and not (op.name in _LOADS and _is_kept(op.operands[0], written)):
                raise error_at(op, "cannot be repeated in each iteration of the loop after it; move it out of the nest")
        moving += inner_ops[:position]
        loop = inner[0]
    for op in moving:
        _check_uses(op, moving, loop)
    first = body_of(loop).operations[0].operation
    for op in moving:
        op.move_before(first)


def _written_buffers(nest: ir.Operation) -> list[Any] | None:
    """Keys of the buffers that `nest` writes; None if the effects of one of its operations are unknown."""
    writes: list[Any] = []
    for op in walk_pre_order(nest):
        if is_pure(op) or op.name in _HARMLESS or op.name.endswith(_ENDS):
            continue
        own_accesses = list(accesses(op))
        if not own_accesses or any(a.is_opaque for a in own_accesses):
            return None
        writes += [_key(a.root) for a in own_accesses if a.kind != "read"]
    return writes


def _is_kept(memref: ir.Value, written: list[ir.Value] | None) -> bool:
    return written is not None and _key(root_of(memref)) not in written


def _key(root: ir.Value) -> Any:
    """A key for the buffer `root`. For a global it is the symbol, since each `memref.get_global` is a new value."""
    is_global = isinstance(root, ir.OpResult) and root.owner.name == "memref.get_global"
    return str(root.owner.attributes["name"]) if is_global else root


def _check_uses(op: AnyOp, moving: list[ir.Operation], innermost: ir.Operation) -> None:
    """Raises an error at `op` if its results have users outside of `moving` and of the body of `innermost`."""
    for use in (use for result in op.results for use in result.uses):
        user = use.owner.operation
        if user not in moving and innermost not in [p.operation for p in parents(user)]:
            line = position(user.location)[1]
            raise error_at(
                op,
                f"cannot go into the innermost loop, since '{user.name}' in line {line} uses it outside of that; move it out of"
                " the nest, or compute it in its user",
            )
