"""Elements of a custom assembly; each reads itself from a cursor into a `State` and prints itself from one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.asm.state import State
from allo_air.asm.text import SKIP, VALUE, Cursor, Failure, entries
from allo_air.dialects._fields import Attr, Operand, Region, Successor
from allo_air.dialects._kinds import TypeKind
from allo_air.dialects._op import Decl
from allo_air.dialects.air_values import LITERAL_LISTS

if TYPE_CHECKING:
    from allo_air.dialects._fields import Value

_VALUE = re.compile(SKIP + f"({VALUE})")
_BLOCK = re.compile(SKIP + r"(\^[\w$.-]+)")


class Element:
    """Base of the elements."""

    anchor = False
    shows: tuple[str, ...] = ()  # attributes that this element prints, so that attr-dict leaves them out

    def parse(self, cur: Cursor, st: State) -> None:
        raise NotImplementedError

    def print(self, st: State, out: list[Any]) -> None:
        """Appends tokens to `out`; a region is appended as its index."""
        raise NotImplementedError

    def present(self, st: State) -> bool:
        """Whether this element has something to print, if it is the anchor of a group."""
        return True


def flattened(items: list[Element]) -> Iterator[Any]:
    """All elements, including those in groups."""
    for item in items:
        yield item
        if isinstance(item, Optional):
            yield from flattened(item.items)


class Literal(Element):
    """Fixed text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def parse(self, cur: Cursor, st: State) -> None:
        cur.expect(self.text)

    def print(self, st: State, out: list[str]) -> None:
        out.append(self.text)


class Optional(Element):
    """A group that may be missing."""

    def __init__(self, items: list[Element]) -> None:
        self.items = items

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.pos
        first = self.items[0]
        if isinstance(first, Literal) and not cur.text.startswith(first.text, cur.skip()):
            cur.pos = start
            return
        lead = 2 if isinstance(first, Literal) else 1  # the group is present if these match
        for number, item in enumerate(self.items):
            try:
                item.parse(cur, st)
            except Failure:
                if number >= lead:
                    raise
                cur.pos = start
                return

    def present(self, st: State) -> bool:
        return any(item.present(st) for item in self.items if item.anchor or isinstance(item, Optional))

    def print(self, st: State, out: list[str]) -> None:
        if self.present(st):
            for item in self.items:
                item.print(st, out)


class OperandElement(Element):
    """One operand, an optional one, or a comma-separated list."""

    def __init__(self, field: Operand, decl: Decl) -> None:
        self.field = field

    def parse(self, cur: Cursor, st: State) -> None:
        values = [cur.value()]
        if self.field.arity == "variadic":
            while cur.peek() == "," and _VALUE.match(cur.text, cur.pos + 1):
                cur.expect(",")
                values.append(cur.value())
        st.operands[self.field.name] = values

    def print(self, st: State, out: list[str]) -> None:
        for number, value in enumerate(st.operands.get(self.field.name, ())):
            out += [",", value] if number else [value]

    def present(self, st: State) -> bool:
        return bool(st.operands.get(self.field.name))


class TypeElement(Element):
    """The types of a field; further fields named with it get the same."""

    def __init__(self, fields: Sequence[Value]) -> None:
        self.fields = fields

    def parse(self, cur: Cursor, st: State) -> None:
        field = self.fields[0]
        types = []
        if field.arity != "variadic" or cur.peek() not in ")":
            types.append(cur.type())
            while field.arity == "variadic" and cur.accept(","):
                types.append(cur.type())
        for item in self.fields:
            missing = isinstance(item, Operand) and item.arity == "optional" and not st.operands.get(item.name)
            st.types[item.name] = [] if missing else types

    def print(self, st: State, out: list[str]) -> None:
        for number, text in enumerate(st.types.get(self.fields[0].name, ())):
            out += [",", text] if number else [text]

    def present(self, st: State) -> bool:
        return bool(st.types.get(self.fields[0].name))


class AttrElement(Element):
    """An attribute in its kind's custom spelling."""

    def __init__(self, field: Attr, decl: Decl) -> None:
        self.field = field
        self.shows = (field.name,)
        kind = field.kind
        self.pattern = re.compile(f"{SKIP}({kind.pattern})") if kind.pattern else None

    def parse(self, cur: Cursor, st: State) -> None:
        kind = self.field.kind
        start = cur.skip()
        if self.pattern is not None:
            text = cur.take(self.pattern)
            if text is None:
                raise cur.failure(f"expected {self._expected_text()} for '{self.field.name}'")
        elif cur.peek() in "<[" and kind.name.startswith(("packet", "trace", "bd_")):
            text = cur.balanced()
        else:
            text = cur.type() if isinstance(kind, TypeKind) else cur.attribute()
        try:
            st.attrs[self.field.name] = kind.stored(text)
        except ValueError as error:
            raise Failure(start, str(error)) from None

    def _expected_text(self) -> str:
        kind: Any = self.field.kind
        return f"one of {', '.join(kind.cases)}" if hasattr(kind, "cases") else f"{kind.name}"

    def print(self, st: State, out: list[str]) -> None:
        text = st.attrs.get(self.field.name)
        if text is None:
            text = self.field.kind.stored(str(self.field.default))
        out.append(self.field.kind.custom(text))

    def present(self, st: State) -> bool:
        text = st.attrs.get(self.field.name)
        return text is not None and not is_default(self.field, text)


def is_default(field: Attr, text: str) -> bool:
    """Whether stored text `text` is the default of `field`."""
    default = field.default
    if default is None:
        return False
    if isinstance(default, bool):
        return text == str(default).lower()
    if isinstance(default, str):
        return text == f'"{default}"'
    return text == field.kind.stored(str(default))


class SuccessorElement(Element):
    """A block label."""

    def __init__(self, field: Successor, decl: Decl) -> None:
        self.field = field

    def parse(self, cur: Cursor, st: State) -> None:
        label = cur.take(_BLOCK)
        if label is None:
            raise cur.failure("expected a block label")
        st.successors[self.field.name] = label

    def print(self, st: State, out: list[str]) -> None:
        out.append(st.successors[self.field.name])


class RegionElement(Element):
    """A region in braces; a variadic field is a list of them in brackets."""

    def __init__(self, field: Region, decl: Decl) -> None:
        self.field = field
        self.decl = decl

    def parse(self, cur: Cursor, st: State) -> None:
        if not self.field.variadic:
            self._one(cur, st)
            return
        cur.expect("[")
        if not cur.accept("]"):
            self._one(cur, st)
            while cur.accept(","):
                self._one(cur, st)
            cur.expect("]")

    def _one(self, cur: Cursor, st: State) -> None:
        st.host.region(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        if not self.field.variadic:
            out += ["{", self.field.index, "}"]
            return
        out.append("[")
        for number in range(st.host.region_count()):
            out += [",", "{", number, "}"] if number else ["{", number, "}"]
        out.append("]")


class AttrDict(Element):
    """The remaining attributes."""

    def __init__(self, decl: Decl, *, keyword: bool) -> None:
        self.decl = decl
        self.keyword = keyword
        self.hidden: set[str] = set()

    def hide(self, names: set[str]) -> None:
        self.hidden = names | {"operandSegmentSizes", "resultSegmentSizes", LITERAL_LISTS}

    def parse(self, cur: Cursor, st: State) -> None:
        if self.keyword and not cur.accept("attributes"):
            return
        if cur.peek() != "{":
            if self.keyword:
                raise cur.failure("expected '{' after 'attributes'")
            return
        start = cur.pos
        text = cur.balanced()
        try:
            result = entries(text[1:-1])
        except ValueError as error:
            raise Failure(start, str(error)) from None
        st.attrs |= result

    def shown(self, st: State) -> list[str]:
        """The entries to print, by name."""
        declared = self.decl.attrs
        entries = []
        for name in sorted(st.attrs):
            text = st.attrs[name]
            if name in self.hidden or (name in declared and text is not None and is_default(declared[name], text)):
                continue
            entries.append(name if text is None else f"{name} = {text}")
        return entries

    def present(self, st: State) -> bool:
        return bool(self.shown(st))

    def print(self, st: State, out: list[int | str]) -> None:
        if entries := self.shown(st):
            if self.keyword:
                out.append("attributes")
            out.append("{" + ", ".join(entries) + "}")
