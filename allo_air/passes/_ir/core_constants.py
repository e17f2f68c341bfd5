"""Constants of cores."""

from itertools import takewhile
from typing import Any

from allo_air.core.walking import copy_constants, is_unused, walk_named
from allo_air.mlir import AnyOp, ir

CONSTANTS = ("arith.constant", "ub.poison")


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
    outer = {constant: None for core in walk_named(root, "aie.core") for constant in copy_constants(core, CONSTANTS)}
    for constant in outer:
        if is_unused(constant.results[0]):
            constant.erase()


def order_of_constants(root: AnyOp) -> list[list[ir.Attribute]]:
    """The constants with which each core begins, in order."""
    return [[content(op) for op in _first_constants(core)] for core in walk_named(root, "aie.core")]


def restore_order(root: AnyOp, orders: list[list[ir.Attribute]]) -> None:
    """Restores the order of the constants at the start of cores; new constants come first."""
    cores = walk_named(root, "aie.core")
    for core, order in zip(cores, orders, strict=False) if len(cores) == len(orders) else ():
        first_constants = _first_constants(core)
        numbers = [content(op) for op in first_constants]
        if not numbers or numbers == order:
            continue
        places = {number: position for position, number in enumerate(order)}
        ordered = sorted(range(len(numbers)), key=lambda index: places.get(numbers[index], -1))
        following = first_constants[0]
        for number_before in reversed(ordered):
            if (op := first_constants[number_before]) != following:
                op.move_before(following)
            following = op


def _first_constants(core: AnyOp) -> list[Any]:
    blocks = core.operation.regions[0].blocks
    return list(takewhile(lambda op: op.name in CONSTANTS, (o.operation for o in blocks[0].operations))) if len(blocks) else []


def content(op: AnyOp) -> ir.Attribute:
    """A key of a constant: its value; for poison, its type."""
    return op.attributes["value"] if op.name == "arith.constant" else ir.TypeAttr.get(op.results[0].type)
