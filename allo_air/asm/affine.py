"""`affine` operations inside AIR's hierarchies, in forms that verify there.

A hierarchy is an affine scope: its ids, sizes and index arguments may be dimensions and symbols. The bindings cannot declare
this for a Python-defined operation, so inside a hierarchy `affine.if` is stored as `air.affine_if` and printed as `affine.if`
again; `affine.load`, `affine.store` and their vector forms become `affine.apply` and `memref.load` / `memref.store`; an
`affine.for` with a bound that is not constant becomes `scf.for` over `affine.max` / `affine.min`. These forms are equivalent.
"""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm.text import SKIP, VALUE, Cursor, Failure, closing_offset, split_top

_CONSTANT_FOR = re.compile(SKIP + rf"{VALUE}\s*(?:loc\((?:[^()]|\([^()]*\))*\)\s*)?=\s*-?\d+\s*to\s*-?\d+")
_MAP = re.compile(SKIP + r"(#[\w$.-]+|affine_map\s*<)")
_INTEGER = re.compile(SKIP + r"(-?\d{1,64})(?!\d)")
_VALUE = re.compile(VALUE)
_ACCESSES = {
    "affine.load": "memref.load",
    "affine.store": "memref.store",
    "affine.vector_load": "vector.load",
    "affine.vector_store": "vector.store",
}
_BOUND_WORD = re.compile(SKIP + r"(min|max)\b")


class AffineScope:
    """The affine rewrites of one reader."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader

    def _air_name(self, name: str, depth: int) -> str | None:
        inside = self.reader.owners[-1] if self.reader.owners else ""
        if name == "affine.yield":
            if depth:
                return None
            return {"air.affine_if": "air.affine_yield", "scf.for": "affine.yield"}.get(inside)
        return "air.affine_if" if name == "affine.if" and self.reader.hierarchies else None

    def generic_name(self, name: str, depth: int) -> str | None:
        """The name that represents `"name"(...)` in memory; None if it does not change."""
        return self._air_name(name, depth)

    def custom_name(self, name: str, depth: int, end: int) -> str | None:
        """The name that represents custom `name`, which ends at `end`, in memory; None if it does not change."""
        if not self.reader.hierarchies:
            return None
        if name in _ACCESSES:
            return name
        if name == "affine.for":
            return None if _CONSTANT_FOR.match(self.reader.text, end) else name
        return self._air_name(name, depth)

    def dims(self, set_: str) -> int:
        """The number of dimensions of an integer set, given itself or by its alias."""
        if set_.startswith("#"):
            result = re.search(rf"^\s*{re.escape(set_)}\s*=\s*(affine_set\s*<.*)", self.reader.text, re.MULTILINE)
            set_ = result[1] if result else ""
        match = re.match(r"affine_set\s*<\s*\(([^)]*)\)", set_)
        return len(split_top(match[1])) if match else 0

    def rewrite(self, name: str, start: int) -> list[int | str]:
        """Rewrites the affine.load, affine.store or affine.for whose name ends at the cursor."""
        reader = self.reader
        cur = reader.cur
        if name == "affine.for":
            return self._for(cur, start)
        if name == "affine.yield":
            return [start, "scf.yield"]
        stored = cur.value() + ", " if name.endswith("store") else ""
        if stored:
            cur.expect(",")
        memref = cur.value()
        pieces = split_top(cur.balanced("[")[1:-1])
        indices = ", ".join(self._index(piece) for piece in pieces)
        op = _ACCESSES[name]
        reader.moved_until = reader.line_end(cur.pos)
        lines = "\n" * reader.text.count("\n", start, cur.pos)
        return [start, f"{op} {stored}{memref}[{indices}]{lines}"]

    def _index(self, text: str) -> str:
        """An index expression as one SSA value."""
        text = re.sub(r"\bsymbol\s*\(\s*(%[^)\s]+)\s*\)", r"\1", text)
        if _VALUE.fullmatch(text):
            return text
        if re.fullmatch(r"-?\d{1,64}", text):
            return self.reader.constant(int(text), "index")
        values = list(dict.fromkeys(_VALUE.findall(text)))
        names = {value: f"d{i}" for i, value in enumerate(values)}
        expression = _VALUE.sub(lambda m: names[m[0]], text)
        return self._define(f"affine.apply affine_map<({', '.join(names.values())}) -> ({expression})>({', '.join(values)})")

    def _define(self, text: str) -> str:
        name = self.reader._fresh("a")
        self.reader.pending.append(f"{name} = {text}")
        return name

    def _for(self, cur: Cursor, start: int) -> list[Any]:
        """`affine.for %i = max #lb(%a) to min #ub(%b) step 2 iter_args(...) -> (...) { ... }` as scf.for."""
        reader = self.reader
        text = reader.text
        iv = cur.value()
        if cur.accept("loc"):
            iv += " loc" + cur.balanced()
        cur.expect("=")
        low = self._bound(cur, "affine.max")
        cur.expect("to")
        high = self._bound(cur, "affine.min")
        step = reader.constant(int(cur.take(_INTEGER) or 1) if cur.accept("step") else 1, "index")
        head_end = cur.pos
        carried = ""
        if cur.accept("iter_args"):
            carried = " iter_args" + cur.balanced("(")
            cur.expect("->")
            carried += " -> " + (cur.balanced() if cur.peek() == "(" else cur.type())
        cur.expect("{")
        inner = cur.pos
        reader.moved_until = reader.line_end(inner)
        pending, reader.pending = reader.pending, []
        reader.owners.append("scf.for")
        chunks = reader.scan(nested=True)
        reader.owners.pop()
        reader.pending = pending
        cur.expect("}")
        lines = "\n" * text.count("\n", min(start, head_end), inner)
        return [start, f"scf.for {iv} = {low} to {high} step {step}{carried} {{{lines}", *chunks, "}"]

    def _bound(self, cur: Cursor, op: str) -> str:
        cur.take(_BOUND_WORD)
        if cur.peek() == "%":
            return cur.value()
        if (number := cur.take(_INTEGER)) is not None:
            return self.reader.constant(int(number), "index")
        start = cur.skip()
        match = _MAP.match(cur.text, start)
        if match is None:
            raise cur.failure("expected a bound")
        cur.pos = closing_offset(cur.text, match.end() - 1) if match[1].endswith("<") else match.end()
        map_ = cur.text[start : cur.pos]
        dims = cur.balanced() if cur.peek() == "(" else "()"
        symbols = cur.balanced() if cur.peek() == "[" else ""
        if dims == "()" and not symbols and cur.text[cur.pos - 1] == ">":
            raise Failure(start, "expected the map's operands")
        return self._define(f"{op} {map_}{dims}{symbols}")
