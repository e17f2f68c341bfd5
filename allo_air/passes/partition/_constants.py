"""Evaluates movements of constants at compile time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.mlir import arith, ir
from allo_air.passes.partition._movement import Movement

if TYPE_CHECKING:
    import numpy as np


def is_constant(value: ir.Value) -> bool:
    """Whether `value` is a tensor constant."""
    return (
        not isinstance(value, ir.BlockArgument)
        and value.owner.name == "arith.constant"
        and is_elements(value.owner.attributes["value"])
    )


class Constants:
    """The constants of a program, at the start of `block`; equal ones are shared."""

    def __init__(self, block: ir.Block) -> None:
        self.block = block
        self.new_values: dict[Any, Any] = {}

    def moved(self, movement: Movement) -> Any:
        """The elements that `movement` produces from its source, a constant."""
        attribute = movement.source.owner.attributes["value"]
        if not movement.steps:
            return attribute
        key = attribute, movement.steps
        if key not in self.new_values:
            kind = movement.ops[-1].results[0].type
            self.new_values[key] = elements_attr(_apply_movement(array_of(attribute), movement), kind, _name(attribute))
        return self.new_values[key]

    def value(self, attribute: ir.Attribute, location: ir.Location) -> Any:
        """The constant with these elements."""
        if attribute not in self.new_values:
            begin = ir.InsertionPoint.at_block_begin(self.block)
            self.new_values[attribute] = arith.constant(attribute.type, attribute, loc=location, ip=begin)
        return self.new_values[attribute]


def _name(attribute: ir.Attribute) -> str:
    text = str(attribute)[:200]
    return text.removeprefix("dense_resource<").partition(">")[0] if text.startswith("dense_resource<") else "constant"


def _apply_movement(array: np.ndarray, movement: Movement) -> Any:
    import numpy as np

    for step in movement.steps:
        if step.kind == "reshape":
            array = array.reshape(step.shape)
        elif step.kind == "pack":
            array = step.layout.pack(array, step.shape)
        elif step.kind == "cut":
            array = array[tuple(slice(0, s) for s in step.shape)]
        else:
            room = np.zeros(step.shape, array.dtype)
            room[tuple(slice(0, s) for s in array.shape)] = array
            array = room
    return array
