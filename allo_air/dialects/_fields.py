"""The parts of an operation's declaration: operands, results, attributes, regions and successors, as descriptors.

`op.tile` is a value, or a list of them, `op.lockID` an int or None; `TypeRule` gives the allowed types of a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Generic, Literal, TypeVar, overload

from allo_air.core.walking import integer_of, span_of
from allo_air.dialects._kinds import Kind
from allo_air.errors import counted
from allo_air.mlir import ir

T = TypeVar("T")


@dataclass(frozen=True)
class TypeRule:
    """The allowed types of an operand or result: the IRDL constraint, and the type's text if there is only one."""

    constraint: str  # IRDL text that defines the constraint; one value per use
    text: str | None = None

    def type(self) -> Any:
        """The one type that this rule allows."""
        assert self.text is not None
        return ir.Type.parse(self.text)


ANY = TypeRule("irdl.any")
INDEX = TypeRule("irdl.is index", "index")
I1 = TypeRule("irdl.is i1", "i1")
I32 = TypeRule("irdl.is i32", "i32")
I64 = TypeRule("irdl.is i64", "i64")
TOKEN = TypeRule("irdl.base @air::@async.token", "!air.async.token")
UNIVERSE = TypeRule("irdl.base @air::@universe", "!air.universe")
EVENT = TypeRule("irdl.base @airrt::@event", "!airrt.event")
MEMREF = TypeRule("memref")  # ranked or unranked
SUBVIEW = TypeRule("irdl.base @aie::@objectfifosubview")

SLOTS = 16
"""Runs of equal types that a variadic field of open type may have.

IRDL wants all values of a variadic field to have one type. A field whose types differ is therefore defined as this many
variadic slots; each holds a run of neighbouring values of one type, and operandSegmentSizes has an entry for each slot.
Accessors, builders and the assembly layer hide that; the printed generic text has one entry for each field, as in the real
tools.
"""


class Field(Generic[T]):
    """A named part of an operation; in an instance it reads as a `T`."""

    name: str
    index: int

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, op: None, owner: type) -> Field[T]: ...
    @overload
    def __get__(self, op: ir.OpView, owner: type) -> T: ...
    def __get__(self, op: ir.OpView | None, owner: type) -> Any:
        return self if op is None else self.read(op)

    def read(self, op: ir.OpView) -> Any:
        """The field's value in `op`."""
        raise NotImplementedError


@dataclass
class Value(Field[T]):
    """An operand or a result: one (`single`), one that may be missing (`optional`), or any number (`variadic`)."""

    rule: TypeRule
    arity: str
    slots: int = SLOTS  # the number of IRDL definitions, and of entries in the segment sizes, that the field takes
    position: int | None = field(init=False, default=None)  # the index of a single value among all; negative from the end

    def __post_init__(self) -> None:
        if self.arity != "variadic" or self.rule.text is not None:
            self.slots = 1

    def segments(self, types: Sequence[ir.Type | str]) -> list[int]:
        """The entries in the segment sizes for values of `types` (types, or their texts); ValueError if they do not fit."""
        if self.slots == 1:
            return [len(types)]
        runs = [len(list(run)) for _, run in groupby(types)]
        if len(runs) > self.slots:
            raise ValueError(f"'{self.name}' mixes {counted(len(runs), 'run')} of types; at most {self.slots} are held")
        return runs + [0] * (self.slots - len(runs))

    def place(self, fields: Sequence[Value[Operand | Result]]) -> None:
        """Computes the position of the field's values among those of `fields`, its operation's."""
        before, after = fields[: self.index], fields[self.index + 1 :]
        self.by_segments = needs_segments(fields)
        self.first_slot = sum(f.slots for f in before)
        self.start = self.index
        self.after = len(after)
        self.from_end = any(f.arity != "single" for f in before)
        single = self.arity == "single" and not self.by_segments
        self.position = None if not single else -1 - self.after if self.from_end else self.start

    def pick(self, values: Sequence[ir.Value], op: ir.OpView, sizes: str) -> list[ir.Value] | ir.Value | None:
        """The field's value, or values, out of all operands or results of `op`."""
        if self.position is not None:
            return values[self.position]
        if self.by_segments:
            start, count = span_of(op, sizes, self.first_slot, self.slots)
        else:
            start, count = self.start, len(values) - self.after - self.start
        if self.arity == "single":
            return values[start]
        if self.arity == "optional":
            return values[start] if count else None
        return [values[i] for i in range(start, start + count)]


@dataclass
class Operand(Value[T]):
    """An operand field."""

    @overload
    def __get__(self, op: None, owner: type) -> Operand[T]: ...
    @overload
    def __get__(self, op: ir.OpView, owner: type) -> T: ...
    def __get__(self, op: ir.OpView | None, owner: type) -> Any:
        """The field's value, in one call if its position is fixed."""
        if op is None:
            return self
        return op.operands[self.position] if self.position is not None else self.pick(op.operands, op, "operandSegmentSizes")

    def read(self, op: ir.OpView) -> Any:
        return self.pick(op.operands, op, "operandSegmentSizes")


@dataclass
class Result(Value[T]):
    """A result field."""

    def read(self, op: ir.OpView) -> Any:
        return self.pick(op.results, op, "resultSegmentSizes")


@dataclass
class Attr(Field[T]):
    """An attribute of `kind`; `default` is the value that the real tools store if the text omits it."""

    kind: Kind[Any]
    optional: bool
    default: Any

    @overload
    def __get__(self, op: None, owner: type) -> Attr[T]: ...
    @overload
    def __get__(self, op: ir.OpView, owner: type) -> T: ...
    def __get__(self, op: ir.OpView | None, owner: type) -> Any:
        """The attribute's value, in one call, since it is read very often."""
        if op is None:
            return self
        if self.kind.is_integer:
            attribute = integer_of(op, self.name)
            return self.default if attribute is None else attribute
        attribute = op.attributes.get(self.name)
        return self.default if attribute is None else self.kind.value(attribute)

    def __set__(self, op: ir.OpView, value: T | None) -> None:
        if value is not None:
            op.attributes[self.name] = self.kind.attribute(value)
        elif self.name in op.attributes:
            del op.attributes[self.name]


@dataclass
class Region(Field[T]):
    """A region; a variadic one must be the only one, and is stored as `NAME_region` operations in that region (see
    `aie.dma`)."""

    variadic: bool

    def read(self, op: ir.OpView) -> Any:
        if not self.variadic:
            return op.regions[self.index]
        return [holder.operation.regions[0] for block in op.regions[0].blocks for holder in block.operations]


class Successor(Field[ir.Block]):
    """A successor block of a terminator."""

    def read(self, op: ir.OpView) -> ir.Block:
        return op.successors[self.index]


@overload
def operand(rule: TypeRule) -> Operand[ir.Value]: ...
@overload
def operand(rule: TypeRule, arity: Literal["optional"]) -> Operand[ir.Value | None]: ...
@overload
def operand(rule: TypeRule, arity: Literal["variadic"], slots: int = SLOTS) -> Operand[list[ir.Value]]: ...
def operand(rule: TypeRule, arity: str = "single", slots: int = SLOTS) -> Operand[Any]:
    """Declares an operand: `single`, `optional` (None if it is missing) or `variadic` (a list)."""
    return Operand(rule, arity, slots)


@overload
def result(rule: TypeRule) -> Result[ir.OpResult]: ...
@overload
def result(rule: TypeRule, arity: Literal["optional"]) -> Result[ir.OpResult | Any]: ...
@overload
def result(rule: TypeRule, arity: Literal["variadic"], slots: int = SLOTS) -> Result[list[ir.OpResult]]: ...
def result(rule: TypeRule, arity: str = "single", slots: int = SLOTS) -> Result[Any]:
    """Declares a result; arities as for `operand`."""
    return Result(rule, arity, slots)


@overload
def attr(kind: Kind[T], *, optional: Literal[True]) -> Attr[T | None]: ...
@overload
def attr(kind: Kind[T], *, default: T | None = None) -> Attr[T]: ...
def attr(kind: Kind[Any], *, optional: bool = False, default: object = None) -> Attr[Any]:
    """Declares an attribute, required unless it is `optional` or has a `default` (stored when the text leaves it out)."""
    return Attr(kind, optional or default is not None, default)


@overload
def region() -> Region[ir.Region]: ...
@overload
def region(*, variadic: Literal[True]) -> Region[list[ir.Region]]: ...
def region(*, variadic: bool = False) -> Region[Any]:
    """Declares a region; a variadic one, the last, is a list of them."""
    return Region(variadic)


def successor() -> Successor:
    """Declares a successor block of a terminator."""
    return Successor()


def needs_segments(fields: Sequence[Value[Operand | Result]]) -> bool:
    """Whether segment sizes are needed to assign values to `fields`."""
    return sum(f.arity != "single" for f in fields) > 1 or any(f.slots > 1 for f in fields)
