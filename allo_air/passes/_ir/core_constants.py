"""Constants of cores."""

from allo_air.core.walking import copy_constants, is_unused, walk_named
from allo_air.mlir import AnyOp

_CONSTANTS = ("arith.constant", "ub.poison")


def keep_constants_in_cores(root: AnyOp) -> None:
    """Gives each `aie.core` its own copies of the constants it uses.

    MLIR's canonicalization hoists constants to the device's block, since a core is not isolated from above; tools that outline
    cores one by one need them inside.

    Before:

        %c0 = arith.constant 0 : index
        %core = aie.core(%tile) { ... memref.load %buf[%c0] ... }

    After:

        %core = aie.core(%tile) {
          %c0 = arith.constant 0 : index
          ... memref.load %buf[%c0] ...
        }
    """
    outer = {constant: None for core in walk_named(root, "aie.core") for constant in copy_constants(core, _CONSTANTS)}
    for constant in outer:
        if is_unused(constant.results[0]):
            constant.erase()
