"""Declaring the operations of a dialect: fields, custom assembly, traits; and loading them into a context.

    class LockOp(Op, name="aie.lock"):
        \"\"\"A counting lock of `tile`.\"\"\"

        tile = operand(INDEX)
        lockID = attr(I32, optional=True)
        lock = result(INDEX)
        assembly = "`(` $tile (`,` $lockID^)? `)` attr-dict"

Fields are descriptors: `op.tile` is a value, `op.lockID` an int or None. IRDL checks operands and results in C++; what IRDL
cannot say (optional attributes, attribute kinds, parents, the dialect's own rules) is checked by `allo_air.asm.verify`, in
one walk, because a Python verifier attached to an operation costs 16 us at every parse, print and verification.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from allo_air.core.rewrite import walk
from allo_air.dialects._kinds import Kind
from allo_air.mlir import cext, ir, irdl


@dataclass(frozen=True)
class TypeRule:
    """What an operand or a result may be: the IRDL constraint, and the type's text where there is only one."""

    constraint: str  # IRDL text that defines the constraint; one value per use
    text: str | None = None

    def type(self) -> Any:
        """The one type that this rule allows."""
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
variadic slots; each holds a run of neighbouring values of one type, and operandSegmentSizes has an entry a slot. Accessors,
builders and the assembly layer hide that; the generic text that is printed has the real tools' one entry a field.
"""


cext.globals.append_dialect_search_prefix("allo_air.dialects")  # else each view of an operation of ours costs a failed import


class Field:
    """A named part of an operation."""

    name: str
    index: int

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


@dataclass
class Value(Field):
    """An operand or a result: one (`single`), one that may be missing (`optional`), or any number (`variadic`)."""

    rule: TypeRule
    arity: str
    slots: int = SLOTS  # the number of IRDL definitions, and of entries in the segment sizes, that the field takes

    def __post_init__(self) -> None:
        if self.arity != "variadic" or self.rule.text is not None:
            self.slots = 1

    def segments(self, types: Sequence[Any]) -> list[int]:
        """The entries in the segment sizes for values of `types` (types, or their texts); ValueError if they do not fit."""
        if self.slots == 1:
            return [len(types)]
        runs = [len(list(run)) for _, run in groupby(types)]
        if len(runs) > self.slots:
            raise ValueError(f"'{self.name}' mixes {len(runs)} runs of types; at most {self.slots} are held")
        return runs + [0] * (self.slots - len(runs))

    def place(self, fields: Sequence[Value]) -> None:
        """Works out where the field's values stand among those of `fields`, its operation's."""
        before, after = fields[: self.index], fields[self.index + 1 :]
        self.by_segments = _needs_segments(fields)
        self.first_slot = sum(f.slots for f in before)
        self.start = self.index
        self.after = len(after)
        self.from_end = any(f.arity != "single" for f in before)

    def pick(self, values: Any, op: Any, sizes: str) -> Any:
        """The field's value, or values, out of all operands or results of `op`."""
        if self.by_segments:
            counts = list(op.attributes[sizes])
            start = sum(counts[: self.first_slot])
            count = sum(counts[self.first_slot : self.first_slot + self.slots])
        elif self.arity == "single":
            return values[len(values) - 1 - self.after] if self.from_end else values[self.start]
        else:
            start, count = self.start, len(values) - self.after - self.start
        if self.arity == "single":
            return values[start]
        if self.arity == "optional":
            return values[start] if count else None
        return [values[i] for i in range(start, start + count)]


@dataclass
class Operand(Value):
    """An operand field."""

    def __get__(self, op: Any, owner: Any = None) -> Any:
        return self if op is None else self.pick(op.operands, op, "operandSegmentSizes")


@dataclass
class Result(Value):
    """A result field."""

    def __get__(self, op: Any, owner: Any = None) -> Any:
        return self if op is None else self.pick(op.results, op, "resultSegmentSizes")


@dataclass
class Attr(Field):
    """An attribute of `kind`; `default` is what the real tools store when the text leaves it out."""

    kind: Kind
    optional: bool
    default: Any

    def __get__(self, op: Any, owner: Any = None) -> Any:
        if op is None:
            return self
        attributes = op.attributes
        return self.kind.value(attributes[self.name]) if self.name in attributes else self.default

    def __set__(self, op: Any, value: Any) -> None:
        if value is not None:
            op.attributes[self.name] = self.kind.attribute(value)
        elif self.name in op.attributes:
            del op.attributes[self.name]


@dataclass
class Region(Field):
    """A region; a variadic one must be the only one, and is held as `NAME_region` operations in that (see `aie.dma`)."""

    variadic: bool

    def __get__(self, op: Any, owner: Any = None) -> Any:
        if op is None:
            return self
        if not self.variadic:
            return op.regions[self.index]
        return [holder.operation.regions[0] for block in op.regions[0].blocks for holder in block.operations]


class Successor(Field):
    """A successor block of a terminator."""

    def __get__(self, op: Any, owner: Any = None) -> Any:
        return self if op is None else op.successors[self.index]


def operand(rule: TypeRule, arity: str = "single", slots: int = SLOTS) -> Any:
    """Declares an operand: `single`, `optional` (None where it is missing) or `variadic` (a list)."""
    return Operand(rule, arity, slots)


def result(rule: TypeRule, arity: str = "single", slots: int = SLOTS) -> Any:
    """Declares a result; arities as for `operand`."""
    return Result(rule, arity, slots)


def attr(kind: Kind, *, optional: bool = False, default: Any = None) -> Any:
    """Declares an attribute, required unless it is `optional` or has a `default` (stored when the text leaves it out)."""
    return Attr(kind, optional or default is not None, default)


def region(*, variadic: bool = False) -> Any:
    """Declares a region; a variadic one, the last, is a list of them."""
    return Region(variadic)


def successor() -> Any:
    """Declares a successor block of a terminator."""
    return Successor()


def _needs_segments(fields: Sequence[Any]) -> bool:
    return sum(f.arity != "single" for f in fields) > 1 or any(f.slots > 1 for f in fields)


@dataclass(frozen=True)
class Decl:
    """An operation's declaration, as the assembly layer, the verifier and the loader read it."""

    name: str
    operands: tuple[Operand, ...]
    results: tuple[Result, ...]
    attrs: dict[str, Attr]
    regions: tuple[Region, ...]
    successors: tuple[Successor, ...]
    assembly: str
    terminator: str | None  # the region's implicit terminator, elided in the custom form
    traits: tuple[str, ...]
    parents: tuple[str, ...]
    result_name: Any  # names results in the custom form: fn(attrs, operand names) -> list of names

    @property
    def operand_segments(self) -> bool:
        """Whether operandSegmentSizes is needed to tell the operand groups apart."""
        return _needs_segments(self.operands)

    @property
    def result_segments(self) -> bool:
        return _needs_segments(self.results)

    @property
    def region_holder(self) -> str | None:
        """The operation that holds each region where there may be any number of them; None elsewhere."""
        return f"{self.name}_region" if any(r.variadic for r in self.regions) else None


OPS: dict[str, type[Op]] = {}


class Op(ir.OpView):
    """Base of the operations declared here; a subclass with `name=` is registered under it.

    Class attributes beside the fields: `assembly` (docs/assembly.md), `terminator` (an implicit one), `traits` out of
    `isolated`, `terminator`, `no_terminator`, `pure`, and `parents` (names of operations that may directly hold it).
    """

    DECL: ClassVar[Decl]
    OPERATION_NAME: ClassVar[str]
    assembly: ClassVar[str] = ""
    terminator: ClassVar[str | None] = None
    traits: ClassVar[tuple[str, ...]] = ()
    parents: ClassVar[tuple[str, ...]] = ()
    _ODS_REGIONS = (0, False)
    _ODS_OPERAND_SEGMENTS = None
    _ODS_RESULT_SEGMENTS = None

    def __init_subclass__(cls, *, name: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if name is None:
            return
        fields: dict[str, Field] = {}
        for base in reversed(cls.__mro__):
            fields.update({k: v for k, v in vars(base).items() if isinstance(v, Field)})
        groups: dict[type, list[Any]] = {Operand: [], Result: [], Attr: [], Region: [], Successor: []}
        for field_name, inherited in fields.items():
            item = copy(inherited)  # its place differs from one operation to the next
            setattr(cls, field_name, item)
            item.index = len(groups[type(item)])
            groups[type(item)].append(item)
        for values in (groups[Operand], groups[Result]):
            for item in values:
                item.place(values)
        cls.OPERATION_NAME = name
        cls.DECL = Decl(
            name,
            tuple(groups[Operand]),
            tuple(groups[Result]),
            {a.name: a for a in groups[Attr]},
            tuple(groups[Region]),
            tuple(groups[Successor]),
            cls.assembly,
            cls.terminator,
            cls.traits,
            cls.parents,
            getattr(cls, "result_names", None),
        )
        OPS[name] = cls

    def __init__(self, *args: Any, loc: Any = None, ip: Any = None, **fields: Any) -> None:
        """Wraps an operation (`LockOp(op)`), or builds one from field values (`LockOp(tile=t, lockID=0)`).

        Optional and variadic operands may be left out. A result of a fixed type need not be given, except that an optional
        one is wanted with `True`; other results take a type or a list of types. Attributes take Python values. Undeclared
        attributes go in `attributes={name: Attribute}`. Regions are created empty.
        """
        if args:
            super().__init__(*args)
            return
        super().__init__(self._create(fields, loc, ip))

    @classmethod
    def _create(cls, fields: dict[str, Any], loc: Any, ip: Any) -> Any:
        decl = cls.DECL
        operands, sizes = _flatten(decl.operands, fields)
        results, result_sizes = _flatten(decl.results, fields)
        attributes = dict(fields.pop("attributes", {}))
        for name, declared in decl.attrs.items():
            value = fields.pop(name, declared.default)
            if value is not None:
                attributes[name] = declared.kind.attribute(value)
            elif not declared.optional:
                raise TypeError(f"{decl.name}: attribute '{name}' is required")
        if decl.operand_segments:
            attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)
        if decl.result_segments:
            attributes["resultSegmentSizes"] = ir.DenseI32ArrayAttr.get(result_sizes)
        successors = [fields.pop(s.name) for s in decl.successors]
        regions = fields.pop("regions", len(decl.regions))
        if fields:
            raise TypeError(f"{decl.name} has no field {', '.join(map(repr, fields))}")
        return ir.Operation.create(
            decl.name, results, operands, attributes, successors=successors, regions=regions, loc=loc, ip=ip
        )


def _flatten(declared: Sequence[Any], fields: dict[str, Any]) -> tuple[list[Any], list[int]]:
    """The values of `declared` in order, and how many each field has."""
    flat: list[Any] = []
    sizes: list[int] = []
    for item in declared:
        given = fields.pop(item.name, None)
        if (
            isinstance(item, Result)
            and item.rule.text is not None
            and (given is True or (given is None and item.arity == "single"))
        ):
            given = item.rule.type()
        values = [] if given is None or given is False else list(given) if item.arity == "variadic" else [given]
        if item.arity == "single" and not values:
            raise TypeError(f"field '{item.name}' is required")
        flat += values
        sizes += (
            item.segments(values if isinstance(item, Result) else [v.type for v in values]) if item.slots > 1 else [len(values)]
        )
    return flat, sizes


@dataclass(frozen=True)
class Dialect:
    """A dialect: its operations, and the types and attributes it defines, by their number of parameters."""

    name: str
    types: dict[str, int]
    attributes: dict[str, int]

    def ops(self) -> list[type[Op]]:
        return [op for name, op in OPS.items() if name.split(".", 1)[0] == self.name]

    def load(self, context: Any) -> None:
        """Defines the dialect in `context`; does nothing where it is loaded already."""
        if context.is_dialect_loaded(self.name):
            return
        with context, ir.Location.unknown(context):
            module = ir.Module.parse(self.irdl_text())
            _restore_names(module)
            irdl.load_dialects(module)
            for op in self.ops():
                for trait in op.DECL.traits:
                    _TRAITS[trait](op.OPERATION_NAME)
        self._register()

    def _register(self) -> None:
        holder = type(self.name, (ir.Dialect,), {"DIALECT_NAMESPACE": self.name})
        cext.globals._register_dialect_impl(self.name, holder, replace=True)
        for op in self.ops():
            cext.register_operation(holder, replace=True)(op)

    def irdl_text(self) -> str:
        """The dialect as IRDL, names as `_plain` spells them (IRDL's own verifier refuses dots and capitals)."""
        lines = [f"irdl.dialect @{self.name} {{"]
        for kind, table in (("type", self.types), ("attribute", self.attributes)):
            for name, params in table.items():
                body = "".join(f"%p{i} = irdl.any\n" for i in range(params))
                names = ", ".join(f"p{i}: %p{i}" for i in range(params))
                params_text = f"irdl.parameters({names})" if params else ""
                lines.append(f"irdl.{kind} @{_plain(name)} {{ {body}{params_text} }}")
        lines += [_irdl_operation(op.DECL) for op in self.ops()]
        return "\n".join([*lines, "}"])


def _plain(name: str) -> str:
    return re.sub(r"[.A-Z]", lambda m: f"_x{ord(m[0]):x}_", name)


def _irdl_operation(decl: Decl) -> str:
    body = []
    for kind, fields in (("operands", decl.operands), ("results", decl.results)):
        parts = []
        slots = [(item, number) for item in fields for number in range(item.slots)]
        for i, (item, number) in enumerate(slots):
            value = f"%{kind}{i}"
            if item.rule is MEMREF:
                body.append(f'%r{kind}{i} = irdl.base "!builtin.memref"')
                body.append(f'%u{kind}{i} = irdl.base "!builtin.unranked_memref"')
                body.append(f"{value} = irdl.any_of(%r{kind}{i}, %u{kind}{i})")
            else:
                body.append(f"{value} = {item.rule.constraint.replace('async.token', _plain('async.token'))}")
            parts.append(f"{item.name.lower()}{number or str()}: {item.arity} {value}")
        if parts:
            body.append(f"irdl.{kind}({', '.join(parts)})")
    if decl.regions:
        body += [f"%region{i} = irdl.region" for i in range(len(decl.regions))]
        body.append("irdl.regions(" + ", ".join(f"{r.name.lower()}: %region{i}" for i, r in enumerate(decl.regions)) + ")")
    inner = "\n".join(body)
    return f"irdl.operation @op_{_plain(decl.name.split('.', 1)[1])} {{ {inner} }}"


def _restore_names(module: Any) -> None:
    """Undoes `_plain` on the names that IRDL defines and refers to."""
    for op in walk(module):
        if op.name in ("irdl.operation", "irdl.type", "irdl.attribute"):
            plain = op.attributes["sym_name"].value
            name = re.sub(r"_x([0-9a-f]{2})_", lambda m: chr(int(m[1], 16)), plain)
            if op.name == "irdl.operation":
                name = name.removeprefix("op_")
            if name != plain:
                op.attributes["sym_name"] = ir.StringAttr.get(name)
        elif op.name == "irdl.base" and "base_ref" in op.attributes and "_x2e_" in str(op.attributes["base_ref"]):
            op.attributes["base_ref"] = ir.Attribute.parse('@air::@"async.token"')


def _attach_pure(name: str) -> None:
    from allo_air.mlir import ext

    ext.Pure.attach(name)


_TRAITS = {
    "isolated": lambda name: ir.IsIsolatedFromAboveTrait.attach(name),
    "terminator": lambda name: ir.IsTerminatorTrait.attach(name),
    "no_terminator": lambda name: ir.NoTerminatorTrait.attach(name),
    "pure": _attach_pure,
}
