"""air-insert-launch-around-herd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import LaunchOp, SegmentOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._outline import arranged, fill, wrapped

TRANSFERS = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class AirInsertLaunchAroundHerd(Pass):
    """Wraps the body of a function with herds outside of launches in an `air.launch` of one iteration.

    Host buffers that the body allocates stay before it. If there are launches next to the herds, the herds between two of them
    get a launch, with the transfers there. With `insert_segment` the launch's body is wrapped in an `air.segment`. Functions
    whose herds are all in a launch, a segment or a parallel loop stay unchanged.

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
            if not any(_is_bare(herd) for herd in walk_named(function, "air.herd")):
                continue
            block = function.regions[0].blocks[0]
            if any(o.operation.name == "air.launch" for o in block.operations):
                launches = [wrapped(ops, LaunchOp) for ops in _between_launches(block)]
            else:
                launches = [_wrap(block, LaunchOp)]
            for launch in launches:
                if self.insert_segment and not walk_named(launch, "air.segment"):
                    name = names.fresh(sym_name_of(function))
                    _wrap(launch.block, SegmentOp, sym_name=name)
                lower_affine_scope(launch)


def _is_bare(herd: ir.Operation) -> bool:
    """Whether no launch, segment or parallel loop contains the herd."""
    containers = ("air.launch", "air.segment", "scf.parallel", "scf.forall", "affine.parallel")
    return not any(parent.name in containers for parent in parents(herd))


def _between_launches(block: ir.Block) -> list[list[ir.Operation]]:
    """For each part of `block` between launches that has herds: its operations from the first to the last herd, transfer or
    allocation, and their users.
    """
    parts: list[list[ir.Operation]] = [[]]
    for op in [o.operation for o in block.operations][:-1]:
        if op.name == "air.launch":
            parts.append([])
        elif not _is_host_buffer(op):
            parts[-1].append(op)
    ops = []
    for part in parts:
        acts = [n for n, op in enumerate(part) if walk_named(op, "air.herd", *TRANSFERS) or op.name == "memref.alloc"]
        if any(walk_named(op, "air.herd") for op in part):
            ops.append(_with_users(part[acts[0] : acts[-1] + 1], part[acts[-1] + 1 :]))
    return ops


def _with_users(ops: list[ir.Operation], following: list[ir.Operation]) -> list[ir.Operation]:
    """`ops`, and of the operations `following` them, those up to the last one that uses their results, such as a wait."""
    for number, op in enumerate(following):
        if any(not isinstance(v, ir.BlockArgument) and v.owner.operation in ops for v in op.operands):
            return _with_users([*ops, *following[: number + 1]], following[number + 1 :])
    return ops


def _wrap(block: ir.Block, kind: Any, **fields: Any) -> Any:
    """Moves all of `block` except its terminator into a new operation of class `kind` without dimensions."""
    [*body, terminator] = [o.operation for o in block.operations]
    body = [o for o in body if not _is_host_buffer(o)]
    if len(terminator.operands):
        raise error_at(
            terminator,
            f"returns values, which an '{kind.OPERATION_NAME}' around them cannot; use buffer-results-to-out-params first",
        )
    outside = [o for o in block.operations if _is_host_buffer(o.operation)]
    for alloc in reversed([o.operation for o in outside if o.operation.name == "memref.alloc"]):
        alloc.move_before(next(iter(block.operations)).operation)
    allocs = [o.operation.results[0] for o in outside if o.operation.name == "memref.alloc"]
    args = arranged([*block.arguments, *allocs])
    new = kind.build([], args, loc=terminator.location, ip=ir.InsertionPoint(terminator), **fields)
    fill(new, body, dict(zip(args, new.body_args, strict=True)))
    for free in [o.operation for o in outside if o.operation.name == "memref.dealloc"]:
        free.move_before(terminator)
    return new


def _is_host_buffer(op: ir.Operation) -> bool:
    """Whether `op` allocates or frees a host buffer: it stays outside."""
    if op.name not in ("memref.alloc", "memref.dealloc") or (op.name == "memref.alloc" and len(op.operands)):
        return False
    [value] = op.results if op.name == "memref.alloc" else op.operands
    space = value.type.memory_space
    return space is None or (isinstance(space, ir.IntegerAttr) and not space.value)
