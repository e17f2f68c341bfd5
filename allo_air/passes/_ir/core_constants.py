"""Constants of cores."""

from typing import Any

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


def order_of_constants(root: AnyOp) -> list[list[str]]:
    """The numbers that each core begins with, in their order."""
    return [[_number(op) for op in _first_constants(core)] for core in walk_named(root, "aie.core")]


def restore_order(root: AnyOp, orders: list[list[str]]) -> None:
    """Puts the constants that cores begin with in the order that they had before, new ones in front."""
    cores = walk_named(root, "aie.core")
    for core, order in zip(cores, orders, strict=False) if len(cores) == len(orders) else ():
        found = _first_constants(core)
        places = {number: at for at, number in enumerate(order)}
        wanted = sorted(found, key=lambda op: places.get(_number(op), -1))
        if wanted != found:
            for op in reversed(wanted):
                if op != (first := _first_constants(core)[0]):
                    op.move_before(first)


def _first_constants(core: AnyOp) -> list[Any]:
    found = []
    for view in core.operation.regions[0].blocks[0].operations if len(core.operation.regions[0].blocks) else ():
        if view.operation.name != "arith.constant":
            break
        found.append(view.operation)
    return found


def _number(op: Any) -> str:
    return str(op.attributes["value"])
