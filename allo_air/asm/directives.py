"""Hand-written directives of the notation, for AIR's hierarchies and access lists and the like.

Directives of one dialect only live in `_directives_aie.py`.
"""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm._directives_aie import AIE_DIRECTIVES
from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import SKIP, VALUE, Cursor, Failure, split_top
from allo_air.dialects._op import Decl, Operand

_INTEGER = re.compile(SKIP + r"(-?\d+)(?![\w.])")
_SYMBOL = re.compile(SKIP + r'(@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*"))')
_AFFINE_SET = re.compile(SKIP + r"(#[\w$.-]+|affine_set\s*<)")
_PLAIN_VALUE = re.compile(VALUE)


class Deps(Element):
    """`[%t0, %t1]`, the tokens that an operation waits for; nothing where there are none."""

    def __init__(self, decl: Decl, *_: Any) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands["deps"] = value_list(cur, st) if cur.peek() == "[" else []

    def print(self, st: State, out: list[Any]) -> None:
        if st.operands["deps"]:
            out.append("[" + ", ".join(st.operands["deps"]) + "]")


class Async(Deps):
    """`async [%t0]`: an operation that returns a token; without the word it is synchronous."""

    def parse(self, cur: Cursor, st: State) -> None:
        if cur.accept("async"):
            st.types["token"] = ["!air.async.token"]
        super().parse(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        if st.types.get("token"):
            out.append("async")
        super().print(st, out)


def value_list(cur: Cursor, st: State) -> list[str]:
    """`[%a, 4, %b]` as SSA values; an integer becomes a constant of type index."""
    start = cur.skip()
    text = cur.balanced("[")
    values = []
    for piece in split_top(text[1:-1]):
        if _PLAIN_VALUE.fullmatch(piece):
            values.append(piece)
        elif _INTEGER.fullmatch(piece):
            values.append(st.host.constant(int(piece), "index"))
        else:
            raise Failure(start, f"expected SSA values or integers in this list, found '{piece}'")
    return values


class ListOf(Element):
    """`[%a, %b]`, also when it is empty."""

    def __init__(self, decl: Decl, field: Operand) -> None:
        self.field = field

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands[self.field.name] = value_list(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        out.append("[" + ", ".join(st.operands[self.field.name]) + "]")


class Access(Element):
    """`%buffer[offsets] [sizes] [strides]`."""

    def __init__(self, decl: Decl, memref: Operand, *lists: Operand) -> None:
        self.memref = memref
        self.lists = lists

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands[self.memref.name] = [cur.value()]
        for field in self.lists:
            st.operands[field.name] = value_list(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        lists = " ".join("[" + ", ".join(st.operands[f.name]) + "]" for f in self.lists)
        out.append(f"{st.operands[self.memref.name][0]}{lists}")


class Hierarchy(Element):
    """`@name async [deps] tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : types attributes {...} { ... }`.

    The body's block arguments are ids, sizes, args. `tile` is air.herd's word; with `unroll` (air.segment) ids and sizes may
    be missing altogether.
    """

    def __init__(self, decl: Decl, word: str = "") -> None:
        self.decl = decl
        self.word = word
        self.attr_dict = AttrDict(decl, keyword=True)
        self.attr_dict.hide({"sym_name"})
        self.head = Async(decl)

    def parse(self, cur: Cursor, st: State) -> None:
        if name := cur.take(_SYMBOL):
            st.attrs["sym_name"] = self.decl.attrs["sym_name"].kind.stored(name)
        self.head.parse(cur, st)
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
            raise Failure(start, f"{len(ids)} ids but {len(sizes)} sizes")
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
            raise cur.failure(f"expected {len(args)} types for the args, one each; there are {len(types)}")
        return types

    def print(self, st: State, out: list[Any]) -> None:
        if "sym_name" in st.attrs:
            out.append(self.decl.attrs["sym_name"].kind.custom(st.attrs["sym_name"] or ""))
        self.head.print(st, out)
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
        if not equals or not _PLAIN_VALUE.fullmatch(inner) or not _PLAIN_VALUE.fullmatch(outer):
            raise Failure(start, f"expected '%inner = %outer', found '{piece}'")
        pairs.append((inner, outer))
    return pairs


class Results(Element):
    """The types of all results: `i64`, `(i64, !airrt.event)`."""

    def __init__(self, decl: Decl) -> None:
        self.decl = decl

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        types = split_top(cur.balanced()[1:-1]) if cur.peek() == "(" else [cur.type()]
        while cur.accept(","):
            types.append(cur.type())
        if not 1 <= len(types) <= len(self.decl.results):
            raise Failure(start, f"expected 1 to {len(self.decl.results)} result types, found {len(types)}")
        for field, text in zip(self.decl.results, types, strict=False):
            st.types[field.name] = [text]

    def print(self, st: State, out: list[Any]) -> None:
        types = [text for field in self.decl.results for text in st.types.get(field.name, ())]
        out.append(types[0] if len(types) == 1 else f"({', '.join(types)})")


class AffineIf(Element):
    """`affine.if #set(%d)[%s] -> (types) { ... } else { ... }`, held as `air.affine_if`."""

    def __init__(self, decl: Decl) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"condition", "dims"})

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        found = _AFFINE_SET.match(cur.text, start)
        if found is None:
            raise cur.failure("expected an integer set")
        cur.pos = found.end()
        if found[1].endswith("<"):
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
    """`affine.yield %a : type`, held as `air.affine_yield`."""

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

    def print(self, st: State, out: list[Any]) -> None:
        if values := st.operands["values"]:
            out.append(f"{', '.join(values)} : {', '.join(st.types['values'])}")


class AirrtDma(Element):
    """`(%id, %x, %y, %memref[offsets], [lengths], [strides]) {...} : (i32, i64, i64, type[, [i64, ...] x 3]) [: event]`."""

    FIELDS = ("id", "x", "y", "memref")

    def __init__(self, decl: Decl) -> None:
        self.lists = [[f"{kind}{i}" for i in (3, 2, 1, 0)] for kind in ("offset", "length", "stride")]
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide(set())

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        cur.expect("(")
        for number, name in enumerate(self.FIELDS):
            if number:
                cur.expect(",")
            st.operands[name] = [cur.value()]
        for number, names in enumerate(self.lists):
            if number:
                cur.expect(",")
            values = [self._value(piece, st, start) for piece in split_top(cur.balanced("[")[1:-1])]
            if len(values) == 3 and number == 2:
                values.append(st.host.constant(1, "i64"))
            if len(values) != 4:
                raise cur.failure(f"expected 4 entries in this list, there are {len(values)}")
            for name, value in zip(names, values, strict=True):
                st.operands[name] = [value]
        cur.expect(")")
        self.attr_dict.parse(cur, st)
        cur.expect(":")
        types = split_top(cur.balanced("(")[1:-1])
        if len(types) < 4:
            raise cur.failure("expected the types of id, x, y and the memref before this")
        st.types["memref"] = [types[3]]
        if cur.accept(":"):
            cur.expect("!airrt.event")
            st.types["event"] = ["!airrt.event"]

    @staticmethod
    def _value(piece: str, st: State, start: int) -> str:
        if _PLAIN_VALUE.fullmatch(piece):
            return piece
        if _INTEGER.fullmatch(piece):
            return st.host.constant(int(piece), "i64")
        raise Failure(start, f"expected SSA values or integers in these lists, found '{piece}'")

    def print(self, st: State, out: list[Any]) -> None:
        lists = ["[" + ", ".join(st.operands[name][0] for name in names) + "]" for names in self.lists]
        head = ", ".join(st.operands[name][0] for name in self.FIELDS)
        out.append(f"({head}{', '.join(lists)})")
        self.attr_dict.print(st, out)
        four = "[i64, i64, i64, i64]"
        out.append(f": (i32, i64, i64, {st.types['memref'][0]}, {four}, {four}, {four})")
        if st.types.get("event"):
            out.append(": !airrt.event")


DIRECTIVES: dict[str, Any] = {
    "async": Async,
    "deps": Deps,
    "list": ListOf,
    "access": Access,
    "hierarchy": Hierarchy,
    "results": Results,
    "affine_if": AffineIf,
    "affine_yield": AffineYield,
    "airrt_dma": AirrtDma,
    **AIE_DIRECTIVES,
}
