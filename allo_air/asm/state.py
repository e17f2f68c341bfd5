"""One operation between its two textual forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allo_air.asm.attributes import to_memory
from allo_air.dialects._fields import Result
from allo_air.dialects._op import Decl
from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.dialects._fields import Value

MIN_INDEX = -(2**63)
"""The value of a static offset, size or stride that is an operand."""


NEW_OPERANDS = ("universe", "dest")
"""Optional operands added after March 2026: segment sizes without an entry for them are accepted."""


def array_of(text: str) -> list[str]:
    """The entries of `array<i64: 1, 2>`, as text."""
    return [entry.strip() for entry in text.strip()[len("array<i64") : -1].lstrip(": ").split(",") if entry.strip()]


def segment_counts(attribute: str, text: str, fields: Any) -> list[int]:
    """The number of values of each of `fields`, by the segment sizes `text`; ValueError for other text."""
    entries = array_of(text)
    if not all(re.fullmatch(r"-?\d{1,9}", n) for n in entries):
        raise ValueError(f"expected {attribute} to be an array<i32: ...> of {counted(len(fields), 'size')}")
    counts = [int(n) for n in entries]
    if len(counts) == len(fields) - sum(f.name in NEW_OPERANDS for f in fields):  # text from before these operands
        given_counts = iter(counts)
        counts = [0 if f.name in NEW_OPERANDS else next(given_counts) for f in fields]
    return counts


class State:
    """Operands and types by field, attributes as MLIR text, regions as chunks of text."""

    __slots__ = (
        "attrs",
        "decl",
        "host",
        "names",
        "operands",
        "places",
        "regions",
        "spans",
        "successors",
        "tile_prefix",
        "types",
    )

    def __init__(self, decl: Decl, host: Any = None) -> None:
        self.decl = decl
        self.host = host
        self.operands: dict[str, list[str]] = {}
        self.types: dict[str, list[str]] = {}
        self.attrs: dict[str, str | None] = {}
        self.regions: list[Any] = []
        self.spans: list[tuple[int, int]] = []  # the source range of each region's contents
        self.successors: dict[str, str] = {}
        self.names: list[str] = []
        self.places: dict[str, str] = {}
        self.tile_prefix: Any = None

    # Queries for `result_names` of a declaration.

    def integer(self, name: str) -> int:
        return int((self.attrs.get(name) or "0").split(" :")[0])

    def symbol(self) -> str:
        """The operation's sym_name without quotes; empty if there is none."""
        text = self.attrs.get("sym_name") or ""
        return text[1:-1] if text[1:-1].replace("_", "a").isalnum() and not text[1:2].isdigit() else ""

    def tile_of(self, index: int) -> str:
        """The column and row of the tile that is operand `index`, as "COL_ROW"; empty if they are unknown."""
        return self.places.get(self.names[index], "") if index < len(self.names) else ""

    def tile_name(self, col: int, row: int) -> str:
        return f"{self.tile_prefix(col, row) if self.tile_prefix else 'tile'}_{col}_{row}"

    # Assembling the generic form.

    def spread(self, attribute: str, fields: Any, types: list[str]) -> None:
        """Converts segment sizes from one for each field, as in the real tools, to one for each slot."""
        value = self.attrs.get(attribute)
        if value is not None:
            counts = segment_counts(attribute, value, fields)
        else:
            free = len(types) - sum(f.arity == "single" for f in fields)
            counts = [1 if f.arity == "single" else free for f in fields]
        self.check_counts(attribute, counts, fields, types)
        sizes: list[int] = []
        first = 0
        for field, count in zip(fields, counts, strict=True):
            sizes += field.segments(types[first : first + count])
            first += count
        self.attrs[attribute] = f"array<i32: {', '.join(map(str, sizes))}>"

    def check_counts(self, attribute: str, counts: list[int], fields: tuple[Value, ...], types: list[str]) -> None:
        """Raises ValueError if `counts`, one for each field, do not add up to the number of values."""
        if len(counts) != len(fields) or sum(counts) != len(types) or min(counts, default=0) < 0:
            raise ValueError(f"'{self.decl.name}' op {attribute} {counts} does not fit its {counted(len(types), 'value')}")

    def fill_defaults(self) -> None:
        for name, declared in self.decl.attrs.items():
            if declared.default is not None and name not in self.attrs and not self.operands.get(f"{name}_operand"):
                default = declared.default
                if isinstance(default, bool):
                    self.attrs[name] = str(default).lower()
                elif isinstance(default, str):
                    self.attrs[name] = f'"{default}"'
                else:
                    self.attrs[name] = declared.kind.stored(str(default))

    def header(self) -> str:
        """`"name"(operands)[successors]`."""
        flat = [name for field in self.decl.operands for name in self.operands.get(field.name, ())]
        text = f'"{self.decl.name}"({", ".join(flat)})'
        if self.successors:
            text += f"[{', '.join(self.successors[s.name] for s in self.decl.successors)}]"
        return text

    def trailer(self) -> str:
        """` {attributes} : (types) -> types`."""
        self.fill_defaults()
        decl, attrs = self.decl, self.attrs
        operand_types, sizes = self._types(decl.operands)
        result_types, result_sizes = self._types(decl.results)
        if decl.operand_segments:
            attrs["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, sizes))}>"
        if decl.result_segments:
            attrs["resultSegmentSizes"] = f"array<i32: {', '.join(map(str, result_sizes))}>"
        text = ""
        if attrs:
            body = ", ".join(k if v is None else f"{k} = {v}" for k, v in attrs.items())
            text = f" {{{to_memory(body)}}}"
        results = ", ".join(result_types)
        if len(result_types) != 1 or "->" in results:
            results = f"({results})"
        return f"{text} : ({', '.join(operand_types)}) -> {results}"

    def _types(self, fields: tuple[Value, ...]) -> tuple[list[str], list[int]]:
        types: list[str] = []
        sizes = []
        for field in fields:
            texts = self.types.get(field.name)
            values = self.operands.get(field.name)
            if values is not None:
                if field.rule.text is not None:
                    texts = [field.rule.text] * len(values)
                elif texts is None or len(texts) != len(values):
                    raise ValueError(
                        f"'{self.decl.name}' op has "
                        f"{counted(len(values), 'operand')} for '{field.name}' but {counted(len(texts or []), 'type')}"
                    )
            elif texts is None and isinstance(field, Result) and field.arity == "single" and field.rule.text:
                texts = [field.rule.text]
            types += texts or []
            sizes += field.segments(texts or [])
        return types, sizes
