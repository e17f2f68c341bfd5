"""Constants of cores."""

from itertools import groupby
from typing import Any

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.mlir import AnyOp, ir

_CONSTANTS = ("arith.constant", "ub.poison")


def keep_constants_in_cores(root: AnyOp) -> None:
    """Gives each `aie.core` its own copies of the constants it uses.

    MLIR's canonicalization moves constants to the device's block, for a core is not isolated from above; the tools that outline
    cores one by one want them inside.

    Before:
        %c0 = arith.constant 0 : index
        %core = aie.core(%tile) { ... memref.load %buf[%c0] ... }
    After:
        %core = aie.core(%tile) {
          %c0 = arith.constant 0 : index
          ... memref.load %buf[%c0] ...
        }
    """
    outer: dict[ir.Value, ir.Operation] = {}
    for block, cores in groupby(walk_named(root, "aie.core"), key=lambda core: core.block):
        users = {use.owner for op in block.operations if op.name in _CONSTANTS for use in op.results[0].uses}
        for core in cores:
            outer |= _copy_constants(core, block, users)
    for value, constant in outer.items():
        if not list(value.uses):
            constant.erase()


def _copy_constants(core: ir.Operation, block: ir.Block, users: set[ir.OpView]) -> dict[Any, Any]:
    """Lets the operations of `core` among `users` use copies of the constants in `block`; those by their values."""
    own: dict[ir.Value, ir.Value] = {}
    outer: dict[ir.Value, ir.Operation] = {}
    start = ir.InsertionPoint.at_block_begin(core.regions[0].blocks[0])
    for op in (o for o in walk_post_order(core)[:-1] if o in users):
        for index, value in enumerate(op.operands):
            owner = value.owner
            if isinstance(owner, ir.Block) or owner.name not in _CONSTANTS or owner.operation.block != block:
                continue
            if value not in own:
                own[value] = owner.operation.clone(ip=start).results[0]
                outer[value] = owner.operation
            op.operands[index] = own[value]
    return outer
