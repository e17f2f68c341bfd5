"""The notation in which operations declare their custom assembly, parsed into elements.

`(`            a literal
$name          an operand, attribute, region or successor
type($a, $b)   the type of an operand or a result; given to all the fields named
attr-dict      the attributes that no other element shows (attr-dict-with-keyword: after `attributes`)
( ... )?       an optional group, printed when the element marked `^`, or a group inside, is there
name($a, ...)  a directive of `allo_air.asm.directives`, hand-written
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from allo_air.asm import elements
from allo_air.dialects._fields import Attr, Operand, Region, Result, Successor
from allo_air.dialects._op import Decl

if TYPE_CHECKING:
    from allo_air.dialects._fields import Field

_TOKEN = re.compile(r"\s*(`[^`]*`|\$\w+|attr-dict(?:-with-keyword)?|[A-Za-z_]\w*(?=\()|deps|async|generic|\)\?|[(),^?]|\w+)")


class Notation:
    """Parses one declaration's notation for one syntax state."""

    def __init__(self, decl: Decl, assembly: str) -> None:
        self.decl = decl
        self.tokens = _TOKEN.findall(assembly)
        self.index = 0
        assert "".join(self.tokens) == re.sub(r"\s+(?=(?:[^`]*`[^`]*`)*[^`]*$)", "", assembly), assembly
        self.fields: dict[str, Any] = {f.name: f for f in (*decl.operands, *decl.results, *decl.attrs.values(), *decl.regions)}
        self.fields |= {s.name: s for s in decl.successors}

    def sequence(self, end: str | None = None) -> list[Any]:
        sequences: list[Any] = []
        while self.index < len(self.tokens):
            token = self.tokens[self.index]
            if token == end:
                self.index += 1
                return sequences
            sequences.append(self.element())
        return sequences

    def element(self) -> Any:
        token = self.tokens[self.index]
        self.index += 1
        if token[0] == "`":
            return elements.Literal(token[1:-1])
        if token == "(":
            return elements.Optional(self.sequence(")?"))
        if token.startswith("attr-dict"):
            return elements.AttrDict(self.decl, keyword=token != "attr-dict")
        element = self.field(self.fields[token[1:]]) if token[0] == "$" else self.directive(token)
        if self.index < len(self.tokens) and self.tokens[self.index] == "^":
            self.index += 1
            element.anchor = True
        return element

    def field(self, field: Field) -> Any:
        kinds = {
            Operand: elements.OperandElement,
            Attr: elements.AttrElement,
            Region: elements.RegionElement,
            Successor: elements.SuccessorElement,
        }
        return kinds[type(field)](field, self.decl)

    def directive(self, name: str) -> Any:
        from allo_air.asm import directives

        arguments: list[Any] = []
        if name not in ("deps", "async"):
            self.index += 1
            while (token := self.tokens[self.index]) != ")":
                self.index += 1
                if token != ",":
                    arguments.append(self.fields[token[1:]] if token[0] == "$" else token)
            self.index += 1
        if name == "type":
            return elements.TypeElement([f for f in arguments if isinstance(f, (Operand, Result))])
        return directives.DIRECTIVES[name](self.decl, *arguments)


class Format:
    """An operation's custom assembly in one state, both ways."""

    def __init__(self, decl: Decl, assembly: str) -> None:
        self.decl = decl
        self.elements = Notation(decl, assembly).sequence()
        for item in elements.flattened(self.elements):
            if isinstance(item, elements.AttrDict):
                item.hide({name for e in elements.flattened(self.elements) for name in e.shows})


@cache
def format_of(decl_name: str, state: str) -> Format | None:
    """The format of operation `decl_name` in `state`; None if it has only the generic form."""
    from allo_air.dialects import declared

    op = declared(decl_name)
    assert op is not None
    assembly = op.DECL.assembly_of(state)
    return None if assembly == "generic" else _format(decl_name, assembly)


@cache
def _format(decl_name: str, assembly: str) -> Format:
    from allo_air.dialects import declared

    op = declared(decl_name)
    assert op is not None
    return Format(op.DECL, assembly)


@cache
def formats_of(decl_name: str) -> dict[str, Format]:
    """The formats of operation `decl_name` that differ, newest first, by the state in which each began."""
    from allo_air.dialects import declared

    op = declared(decl_name)
    assert op is not None
    results = {since: format_of(decl_name, since) for since in reversed(op.DECL.assemblies)}
    return {since: form for since, form in results.items() if form is not None}
