"""Directives of the AIR dialect's custom assembly: hierarchies, and affine.if as it is held in memory."""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm._directives_lists import Async
from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import PLAIN_VALUE, SKIP, SYMBOL, Cursor, Failure, split_top
from allo_air.dialects._op import Decl
from allo_air.errors import counted

_AFFINE_SET = re.compile(SKIP + r"(#[\w$.-]+|affine_set\s*<)")


class Hierarchy(Element):
    """`@name async [deps] universe(%u) tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : types attributes {...} { ... }`.

    The body's block arguments are ids, sizes, args. `tile` is the keyword of air.herd; with `unroll` (air.segment) ids and
    sizes may be missing.
    """

    def __init__(self, decl: Decl, word: str = "") -> None:
        self.decl = decl
        self.word = word
        self.attr_dict = AttrDict(decl, keyword=True)
        self.attr_dict.hide({"sym_name"})
        self.head = Async(decl)
        self.has_universe = any(f.name == "universe" for f in decl.operands)

    def parse(self, cur: Cursor, st: State) -> None:
        if name := cur.take(SYMBOL):
            st.attrs["sym_name"] = self.decl.attrs["sym_name"].kind.stored(name)
        self.head.parse(cur, st)
        if self.has_universe and cur.accept("universe"):
            cur.expect("(")
            st.operands["universe"] = [cur.value()]
            cur.expect(")")
        ids, sizes = self._grid(cur, st)
        args = _bindings(cur) if cur.accept("args") else []
        st.operands["args"] = [outer for _, outer in args]
        st.types["args"] = self._types(cur, args)
        self.attr_dict.parse(cur, st)
        inside = [(name, "index") for name in (*ids, *sizes)]
        inside += [(name, text) for (name, _), text in zip(args, st.types["args"], strict=True)]
        if cur.peek() != "{" and "sym_name" in st.attrs:
            st.host.empty_region(st, inside)
            return
        st.host.region(cur, st, ", ".join(f"{name}: {text}" for name, text in inside))

    def _grid(self, cur: Cursor, st: State) -> tuple[list[str], list[str]]:
        if self.word and not cur.accept(self.word):
            if self.word == "tile":
                raise cur.failure("expected 'tile'")
            st.operands["sizes"] = []
            return [], []
        start = cur.skip()
        text = cur.balanced("(")
        ids = split_top(text[1:-1])
        cur.expect("in")
        sizes = _bindings(cur)
        if len(sizes) != len(ids):
            raise Failure(start, f"{counted(len(ids), 'id')} but {counted(len(sizes), 'size')}")
        st.operands["sizes"] = [outer for _, outer in sizes]
        return ids, [inner for inner, _ in sizes]

    @staticmethod
    def _types(cur: Cursor, args: list[tuple[str, str]]) -> list[str]:
        if not args and cur.peek() != ":":
            return []
        cur.expect(":")
        types = [cur.type()] if args else []
        while args and cur.accept(","):
            types.append(cur.type())
        if len(types) != len(args):
            raise cur.failure(f"expected {counted(len(args), 'type')} for the args, one each; there are {len(types)}")
        return types

    def print(self, st: State, out: list[Any]) -> None:
        if "sym_name" in st.attrs:
            out.append(self.decl.attrs["sym_name"].kind.custom(st.attrs["sym_name"] or ""))
        self.head.print(st, out)
        if universe := st.operands.get("universe"):
            out.append(f"universe({universe[0]})")
        names = st.host.block_arguments
        sizes, args = st.operands["sizes"], st.operands["args"]
        rank = len(sizes)
        if rank or self.word != "unroll":
            out += [self.word] if self.word else []
            bound = ", ".join(f"{a}={b}" for a, b in zip(names[rank : 2 * rank], sizes, strict=True))
            out.append(f"({', '.join(names[:rank])}) in ({bound})")
        if args:
            bound = ", ".join(f"{a}={b}" for a, b in zip(names[2 * rank :], args, strict=True))
            out.append(f"args({bound}) : {', '.join(st.types['args'])}")
        self.attr_dict.print(st, out)
        out += ["{", 0, "}"]


def _bindings(cur: Cursor) -> list[tuple[str, str]]:
    """`(%inner = %outer, ...)`."""
    start = cur.skip()
    text = cur.balanced("(")
    pairs = []
    for piece in split_top(text[1:-1]):
        inner, equals, outer = (part.strip() for part in piece.partition("="))
        if not equals or not PLAIN_VALUE.fullmatch(inner) or not PLAIN_VALUE.fullmatch(outer):
            raise Failure(start, f"expected '%inner = %outer', found '{piece}'")
        pairs.append((inner, outer))
    return pairs


class AffineIf(Element):
    """`affine.if #set(%d)[%s] -> (types) { ... } else { ... }`, stored as `air.affine_if`."""

    def __init__(self, decl: Decl) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"condition", "dims"})

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        match = _AFFINE_SET.match(cur.text, start)
        if match is None:
            raise cur.failure("expected an integer set")
        cur.pos = match.end()
        if match[1].endswith("<"):
            cur.pos -= 1
            cur.balanced()
        st.attrs["condition"] = cur.text[start : cur.pos]
        dims = cur.balanced() if cur.peek() == "(" else "()"
        symbols = cur.balanced() if cur.peek() == "[" else "[]"
        st.attrs["dims"] = f"{len(split_top(dims[1:-1]))} : i64"
        st.operands["args"] = split_top(dims[1:-1]) + split_top(symbols[1:-1])
        if cur.accept("->"):
            st.types["values"] = split_top(cur.balanced()[1:-1]) if cur.peek() == "(" else [cur.type()]
        st.host.region(cur, st)
        if cur.accept("else"):
            st.host.region(cur, st)
        else:
            st.host.empty_region(st, None)
        self.attr_dict.parse(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        args, dims = st.operands["args"], st.integer("dims")
        text = st.attrs["condition"] or ""
        text += f"({', '.join(args[:dims])})" if dims else "()"
        text += f"[{', '.join(args[dims:])}]" if args[dims:] else ""
        if st.types.get("values"):
            types = st.types["values"]
            text += f" -> {types[0]}" if len(types) == 1 else f" -> ({', '.join(types)})"
        out += [text, "{", 0, "}"]
        if not st.host.is_blank(st, 1):
            out += ["else", "{", 1, "}"]
        self.attr_dict.print(st, out)


class AffineYield(Element):
    """`affine.yield %a : type`, stored as `air.affine_yield`."""

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        values = []
        types = []
        if cur.peek() == "%":
            values.append(cur.value())
            while cur.accept(","):
                values.append(cur.value())
            cur.expect(":")
            types.append(cur.type())
            while cur.accept(","):
                types.append(cur.type())
        st.operands["values"], st.types["values"] = values, types

    def print(self, st: State, out: list[str]) -> None:
        if values := st.operands["values"]:
            out.append(f"{', '.join(values)} : {', '.join(st.types['values'])}")
