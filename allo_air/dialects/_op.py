"""Declaring the operations of a dialect: fields, custom assembly, traits.

    class LockOp(Op, name="aie.lock"):
        \"\"\"A counting lock of `tile`.\"\"\"

        tile = operand(INDEX)
        lockID = attr(I32, optional=True)
        lock = result(INDEX)
        assembly = "`(` $tile (`,` $lockID^)? `)` attr-dict"

Fields are descriptors: `op.tile` is a value, `op.lockID` an int or None. IRDL checks operands and results in C++; everything
that IRDL cannot express (optional attributes, attribute kinds, parents, the dialect's own rules) is checked by
`allo_air.asm.verify`, in one walk, because a Python verifier attached to an operation costs 16 us at every parse, print and
verification.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from allo_air.core.contexts import retire_all
from allo_air.dialects._fields import Attr, Field, Operand, Region, Result, Successor, needs_segments
from allo_air.dialects.states import AUGUST, MARCH
from allo_air.mlir import cext, ir

# Otherwise each view of one of our operations costs a failed import. First, for our light module of linalg's views.
cext.globals.dialect_search_modules = ["allo_air.dialects", *cext.globals.dialect_search_modules]


@dataclass(frozen=True)
class Decl:
    """An operation's declaration, as the assembly layer, the verifier and the loader read it."""

    name: str
    operands: tuple[Operand[Any], ...]
    results: tuple[Result[Any], ...]
    attrs: dict[str, Attr[Any]]
    regions: tuple[Region[Any], ...]
    successors: tuple[Successor, ...]
    assemblies: dict[str, str]  # the custom form by the first syntax state that has it
    terminator: str | None  # the region's implicit terminator, elided in the custom form
    traits: tuple[str, ...]
    parents: tuple[str, ...]
    result_name: Any  # names results in the custom form: fn(attrs, operand names) -> list of names

    @cached_property
    def assembly(self) -> str:
        """The custom form of the newest state."""
        return self.assembly_of(AUGUST)

    def assembly_of(self, state: str) -> str:
        """The custom form in `state`: the latest one that is not newer."""
        return [text for since, text in self.assemblies.items() if since <= state][-1]

    @cached_property
    def operand_segments(self) -> bool:
        """Whether operandSegmentSizes is needed to separate the operand groups."""
        return needs_segments(self.operands)

    @cached_property
    def result_segments(self) -> bool:
        return needs_segments(self.results)

    @property
    def region_holder(self) -> str | None:
        """The operation that contains each region of a variadic region field; None for other operations."""
        return f"{self.name}_region" if any(r.variadic for r in self.regions) else None


OPS: dict[str, type[Op]] = {}


class Op(ir.OpView):
    """Base of the operations declared here; a subclass with `name=` is registered under it.

    Class attributes other than fields: `assembly` (docs/assembly.md; a dict by state if the states differ), `terminator` (an
    implicit one), `traits` from `isolated`, `terminator`, `no_terminator`, `pure`, `parents` (names of allowed parent
    operations), and `leading` (fields that precede those of the base classes).
    """

    DECL: ClassVar[Decl]
    OPERATION_NAME: ClassVar[str]
    assembly: ClassVar[str | dict[str, str]] = ""
    terminator: ClassVar[str | None] = None
    traits: ClassVar[tuple[str, ...]] = ()
    parents: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[tuple[str, ...]] = ()
    _ODS_REGIONS = (0, False)
    _ODS_OPERAND_SEGMENTS = None
    _ODS_RESULT_SEGMENTS = None

    def __init_subclass__(cls, *, name: str | None = None, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if name is None:
            return
        fields: dict[str, Field[Any]] = {}
        for base in reversed(cls.__mro__):
            fields.update({k: v for k, v in vars(base).items() if isinstance(v, Field)})
        fields = {k: fields[k] for k in dict.fromkeys((*cls.leading, *fields))}
        groups: dict[type, list[Any]] = {Operand: [], Result: [], Attr: [], Region: [], Successor: []}
        for field_name, inherited in fields.items():
            item = copy(inherited)  # its position varies between operations
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
            cls.assembly if isinstance(cls.assembly, dict) else {MARCH: cls.assembly},
            cls.terminator,
            cls.traits,
            cls.parents,
            getattr(cls, "result_names", None),
        )
        OPS[name] = cls
        retire_all()

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
    def _create(cls, fields: dict[str, Any], loc: ir.Location | None, ip: ir.InsertionPoint | None) -> ir.Operation:
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


def _flatten(declared: Sequence[Operand | Result], fields: dict[str, Any]) -> tuple[list[Any], list[int]]:
    """The values of `declared` in order, and the number of values of each field."""
    flat: list[Any] = []
    sizes: list[int] = []
    for item in declared:
        field = fields.pop(item.name, None)
        if (
            isinstance(item, Result)
            and item.rule.text is not None
            and (field is True or (field is None and item.arity == "single"))
        ):
            field = item.rule.type()
        values = [] if field is None or field is False else list(field) if item.arity == "variadic" else [field]
        if item.arity == "single" and not values:
            raise TypeError(f"field '{item.name}' is required")
        flat += values
        sizes += (
            item.segments(values if isinstance(item, Result) else [v.type for v in values]) if item.slots > 1 else [len(values)]
        )
    return flat, sizes
