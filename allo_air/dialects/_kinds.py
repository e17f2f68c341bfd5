"""Kinds of attributes and types that an operation declares: their custom text, stored text and Python value.

A kind knows three spellings of one attribute:

* *custom*: the text in the custom assembly (`AcquireGreaterEqual`, `3`, `@of_in`);
* *stored*: the attribute's text in the generic form (`2 : i32`, `3 : i32`, `@of_in`);
* *value*: the Python value that accessors return and builders take (`2`, `3`, `"of_in"`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from allo_air.errors import with_article
from allo_air.mlir import ir

T = TypeVar("T")
_INT = r"-?(?:0x[0-9a-fA-F]+|\d+)"


@dataclass(frozen=True)
class Kind(Generic[T]):
    """Any attribute, in MLIR's own text."""

    is_integer: ClassVar[bool] = False
    """Whether `value` is an integer that an `ir.IntegerAttr` can store."""

    name: str = "attribute"
    pattern: str = ""  # regex of the custom spelling; empty: parsed as a balanced attribute

    def stored(self, custom: str) -> str:
        return custom

    def custom(self, stored: str) -> str:
        return stored

    def value(self, attribute: Any) -> T:
        return attribute

    def attribute(self, value: object) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.Attribute.parse(self.stored(str(value)))

    def fits(self, attribute: ir.Attribute) -> bool:
        return True


@dataclass(frozen=True)
class Integer(Kind[int]):
    """An integer of type `name` (`i32`, `ui8`, ...); the custom form omits the type."""

    is_integer = True
    pattern: str = _INT

    def stored(self, custom: str) -> str:
        digits = custom.removeprefix("-")
        if len(digits) > 64:  # too long for any type, and for Python's conversion
            raise ValueError(f"an integer of {len(digits)} digits does not fit {self.name}")
        return f"{int(custom, 16 if 'x' in custom else 10)} : {self.name}"

    def custom(self, stored: str) -> str:
        return stored.split(" :", 1)[0]

    def value(self, attribute: Any) -> int:
        return attribute.value

    def attribute(self, value: Any) -> ir.Attribute:
        if isinstance(value, ir.Attribute):
            return value
        return ir.IntegerAttr.get(_type_of(self.name), int(value))

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.IntegerAttr) and str(attribute.type) == self.name


def _type_of(name: str) -> ir.Type:
    """The type of integers called `name`; parsing it would take twenty times as long."""
    return ir.IntegerType.get_signless(int(name[1:])) if name[0] == "i" and name[1:].isdigit() else ir.Type.parse(name)


@dataclass(frozen=True)
class Enum(Integer):
    """An i32 enumeration; the custom form prints the keyword."""

    cases: Mapping[str, int] = field(default_factory=dict, hash=False)
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    pattern: str = r'"?[\w-]+"?'
    label: str = "enumeration"
    quoted: bool = False  # whether the keyword is printed in quotes

    def stored(self, custom: str) -> str:
        word = custom.strip('"')
        word = self.aliases.get(word, word)
        if word not in self.cases:
            raise ValueError(f"'{word}' is not {with_article(self.label)}; allowed: {', '.join(self.cases)}")
        return f"{self.cases[word]} : {self.name}"

    def custom(self, stored: str) -> str:
        word = self.keyword(int(super().custom(stored)))
        return f'"{word}"' if self.quoted else word

    def keyword(self, number: int) -> str:
        """The keyword of `number`, else ValueError."""
        for word, case in self.cases.items():
            if case == number:
                return word
        allowed = ", ".join(f"{case} ({word})" for word, case in self.cases.items())
        raise ValueError(f"{number} is not {with_article(self.label)}; allowed: {allowed}")

    def attribute(self, value: Any) -> ir.Attribute:
        return super().attribute(self.cases[value] if isinstance(value, str) else value)

    def fits(self, attribute: Any) -> bool:
        return super().fits(attribute) and attribute.value in self.cases.values()


@dataclass(frozen=True)
class String(Kind[str]):
    """A quoted string."""

    pattern: str = r'"(?:[^"\\]|\\.)*"'

    def value(self, attribute: ir.StringAttr) -> str:
        return attribute.value

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.StringAttr.get(value)

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.StringAttr)


_BARE_SYMBOL = re.compile(r"[A-Za-z_][\w$.]*\Z")


@dataclass(frozen=True)
class SymbolName(String):
    """The symbol that an operation defines: a string, `@name` in the custom form."""

    pattern: str = r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")'

    def stored(self, custom: str) -> str:
        return custom[1:] if custom[1] == '"' else f'"{custom[1:]}"'

    def custom(self, stored: str) -> str:
        return "@" + (stored[1:-1] if _BARE_SYMBOL.match(stored[1:-1]) else stored)


@dataclass(frozen=True)
class SymbolRef(Kind[str]):
    """A flat reference to a symbol."""

    pattern: str = r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")'

    def value(self, attribute: ir.FlatSymbolRefAttr) -> str:
        return attribute.value

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.FlatSymbolRefAttr.get(value)

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.FlatSymbolRefAttr)


@dataclass(frozen=True)
class Boolean(Kind[bool]):
    """`true` or `false`."""

    pattern: str = r"true|false"

    def value(self, attribute: ir.BoolAttr) -> bool:
        return bool(attribute.value)

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.BoolAttr.get(value)

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.BoolAttr)


@dataclass(frozen=True)
class Unit(Kind[bool]):
    """Present or absent."""

    def value(self, attribute: object) -> bool:
        return True

    def attribute(self, value: object) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.UnitAttr.get()

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.UnitAttr)


@dataclass(frozen=True)
class IntegerArray(Kind[list[int]]):
    """An array of i64 attributes, `[1, 4]`."""

    def value(self, attribute: ir.ArrayAttr) -> list[int]:
        return [element.value for element in attribute]

    def attribute(self, value: Any) -> ir.Attribute:
        if isinstance(value, ir.Attribute):
            return value
        i64 = ir.IntegerType.get_signless(64)
        return ir.ArrayAttr.get([ir.IntegerAttr.get(i64, v) for v in value])

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.ArrayAttr) and all(isinstance(a, ir.IntegerAttr) for a in attribute)


@dataclass(frozen=True)
class DenseI64(Kind[list[int]]):
    """`array<i64: 1, 2>`."""

    def value(self, attribute: ir.DenseI32ArrayAttr | ir.DenseI64ArrayAttr) -> list[int]:
        return list(attribute)

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.DenseI64ArrayAttr.get(list(value))

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.DenseI64ArrayAttr)


@dataclass(frozen=True)
class DenseI32(DenseI64):
    """`array<i32: 1, 2>`."""

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.DenseI32ArrayAttr.get(list(value))

    def fits(self, attribute: ir.Attribute) -> bool:
        return isinstance(attribute, ir.DenseI32ArrayAttr)


@dataclass(frozen=True)
class TypeKind(Kind[Any]):
    """A type as an attribute."""

    def value(self, attribute: ir.TypeAttr) -> Any:
        return attribute.value

    def attribute(self, value: Any) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else ir.TypeAttr.get(value)


@dataclass(frozen=True)
class Structured(Kind[Any]):
    """An attribute of the AIE dialect whose prefix the custom form drops.

    `#aie.packet_info<pkt_type = 0, pkt_id = 2>` is written `<pkt_type = 0, pkt_id = 2>`, and with `bracket`
    `#aie<bd_dim_layout_array[<size = 2, stride = 1>]>` is written `[<size = 2, stride = 1>]`.
    """

    bracket: bool = False

    def stored(self, custom: str) -> str:
        if custom.startswith("#"):
            return custom
        return f"#aie<{self.name}{custom}>" if self.bracket else f"#aie.{self.name}{custom}"

    def custom(self, stored: str) -> str:
        prefix = f"#aie<{self.name}" if self.bracket else f"#aie.{self.name}"
        if not stored.startswith(prefix):
            return stored
        return stored[len(prefix) : -1] if self.bracket else stored[len(prefix) :]


ANY_ATTR = Kind[Any]()
I8, I16, I32, I64 = (Integer(f"i{w}") for w in (8, 16, 32, 64))
UI8, UI16, UI32, UI64 = (Integer(f"ui{w}") for w in (8, 16, 32, 64))
STRING = String("string")
SYM_NAME = SymbolName("symbol name")
SYMBOL = SymbolRef("symbol")
BOOL = Boolean("bool")
UNIT = Unit("unit")
INTS = IntegerArray("array of integers")
I64S = DenseI64("array<i64>")
I32S = DenseI32("array<i32>")
TYPE = TypeKind("type")
