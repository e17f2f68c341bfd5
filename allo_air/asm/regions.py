"""Reads the regions of operations: the labels and terminators that custom assembly leaves out."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from allo_air.asm.generic import bare_terminator
from allo_air.asm.lookup import Lookup
from allo_air.asm.state import State
from allo_air.asm.text import SKIP, Cursor, Failure, closing_offset
from allo_air.dialects.air_values import HIERARCHIES

if TYPE_CHECKING:
    from allo_air.dialects._op import Decl

MAX_DEPTH = 128
"""Limit on nested regions of our operations: each takes five Python calls, and real programs nest about twenty."""

LOCATION = re.compile(SKIP + r"loc\s*\(")
_NO_CODE = re.compile(SKIP + r"\Z")


class RegionReader(Lookup):
    """Reads one region with its contents."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.owners: list[str] = []  # the operations around the cursor, by name
        self.hierarchies = 0  # how many of them are launches, segments and herds
        self.moved_until = -1  # offsets below this are on a line whose columns have changed
        self.last_op = ("", -1)  # the last operation of the region, and where it ends

    @abstractmethod
    def scan(self, *, nested: bool) -> list[Any]:
        """Copies and rewrites the text up to its end, or to the `}` of the region, which is not consumed."""

    def region(self, cur: Cursor, st: State, arguments: str = "", *, generic: bool = False) -> None:
        """Reads `{ ... }` into `st`; `arguments` are the entry block's, with their types.

        The custom form leaves out empty blocks and implicit terminators, the generic form does not.
        """
        cur.expect("{")
        decl = st.decl
        inner = cur.pos
        self.moved_until = self.line_end(inner)
        self.owners.append(decl.name)
        if len(self.owners) > MAX_DEPTH:
            raise Failure(inner - 1, f"nesting deeper than {MAX_DEPTH} levels is not read")
        self.hierarchies += decl.name in HIERARCHIES
        pending, self.pending = self.pending, []
        chunks = self.scan(nested=True)
        self.pending = pending
        self.hierarchies -= decl.name in HIERARCHIES
        self.owners.pop()
        end = cur.pos
        cur.expect("}")
        st.spans.append((inner, end))
        if generic and decl.name != "aie.device":
            st.regions.append(("", chunks, ""))
        else:
            st.regions.append((self._label(decl, arguments, inner, end), chunks, self._closing(decl, end)))

    def _label(self, decl: Decl, arguments: str, inner: int, end: int) -> str:
        if decl.name == "aie.device":
            return "builtin.module {"
        if arguments.strip():
            return f"^bb0({arguments}):"
        empty = _NO_CODE.match(self.text[inner:end]) is not None
        return "^bb0:" if empty and ("no_terminator" in decl.traits or decl.terminator) else ""

    def _closing(self, decl: Decl, end: int) -> str:
        if decl.name == "aie.device":
            return "}"
        name, after = self.last_op
        if decl.terminator is None or (name == decl.terminator and self._only_location(after, end)):
            return ""
        return " " + bare_terminator(decl.terminator)

    def _only_location(self, start: int, end: int) -> bool:
        if match := LOCATION.match(self.text, start, end):
            start = closing_offset(self.text, match.end() - 1)
        return _NO_CODE.match(self.text[start:end]) is not None

    def empty_region(self, st: State, arguments: list[tuple[str, str]] | None) -> None:
        """A region that the text omits: empty, or a block with `arguments` and the terminator."""
        label = closing_text = ""
        if arguments is not None:
            label = f"^bb0({', '.join(f'{name}: {type_}' for name, type_ in arguments)}):" if arguments else "^bb0:"
            closing_text = " " + bare_terminator(st.decl.terminator)
        st.spans.append((self.cur.pos, self.cur.pos))
        st.regions.append((label, [], closing_text))
