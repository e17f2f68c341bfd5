"""The signature of an operation, for the rules of legality: its name, number of lanes, and element types."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Literal

from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import bit_width, element_of

Kind = Literal["wrong", "depends", "refused", "slow"]
"""The effect of a device's tool chain on an operation: wrong results always, or depending on values; an error; or slow code."""


@dataclass(frozen=True)
class Legality:
    """The legality of an operation: how the tool chain lowers it, and what to write instead."""

    kind: Kind
    what: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.what}; {self.instead}" if self.instead else self.what


@dataclass(frozen=True)
class OpSignature:
    """An elementwise operation: its `lanes` (0 for scalars), and the elements of its first operand and of its result."""

    name: str
    lanes: int
    source: str
    result: str
    predicate: int = -1

    @property
    def bits(self) -> int:
        """Bits of the vector of the first operand."""
        return self.lanes * bit_width(self.source)


def signature_of(op: ir.Operation) -> OpSignature:
    """The signature of `op`."""
    source = op.operands[0].type if len(op.operands) else op.results[0].type
    if op.name == "arith.select":
        source = op.operands[1].type
    result = op.results[0].type if len(op.results) else source
    predicate = op.attributes["predicate"].value if "predicate" in op.attributes else -1
    return OpSignature(op.name, lanes_of(result) or lanes_of(source), element_of(source), element_of(result), predicate)


def lanes_of(kind: ir.Type) -> int:
    """Lanes of a vector type; 0 for others."""
    return prod(kind.shape) if isinstance(kind, ir.VectorType) else 0


def not_lowered(instead: str = "", what: str = "") -> Legality:
    return Legality("refused", what or "is refused by mlir-aie's lowering", instead)


def lowered_to_scalars(what: str, instead: str = "") -> Legality:
    return Legality("slow", what, instead)
