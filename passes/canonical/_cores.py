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
        constants = {op.results[0]: op.operation for op in block.operations if op.name in _CONSTANTS}
        users = {use.owner for value in constants for use in value.uses}
        for core in cores:
            outer |= _copy_constants(core, constants, users)
    for value, constant in outer.items():
        if not list(value.uses):
            constant.erase()


def _copy_constants(core: ir.Operation, constants: dict[Any, Any], users: set[ir.OpView]) -> dict[Any, Any]:
    """Lets the operations of `core` among `users` use copies of the `constants` around it; those by their values."""
    own: dict[ir.Value, ir.Value] = {}
    start = ir.InsertionPoint.at_block_begin(core.regions[0].blocks[0])
    for op in (o for o in walk_post_order(core)[:-1] if o in users):
        for index, value in enumerate(op.operands):
            constant = constants.get(value)
            if constant is None:
                continue
            if value not in own:
                own[value] = constant.clone(ip=start).results[0]
            op.operands[index] = own[value]
    return {value: constants[value] for value in own}
