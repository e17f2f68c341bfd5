"""Directives of the objectFifos' custom assembly."""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm._directives_tile import InitialValue
from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import INTEGER, SYMBOL, Cursor, integer, split_top
from allo_air.dialects._enums import BD_DIMS
from allo_air.dialects._kinds import SYM_NAME
from allo_air.dialects._op import Decl


def _dims(cur: Cursor, keyword: str) -> str:
    """`keyword [<size = 8, stride = 1>, ...]`; an empty list if it is missing."""
    return cur.balanced("[") if cur.accept(keyword) else "[]"


class ObjectFifo(Element):
    """`@name(%prod dimensionsToStream [...], {%consumer dimensionsFromStream [...]}, 2 : i32) {...} : type -> type = []`."""

    shows = ()

    def __init__(self, decl: Decl) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide(
            {
                "sym_name",
                "elemNumber",
                "elemType",
                "consumerElemType",
                "dimensionsToStream",
                "dimensionsFromStreamPerConsumer",
                "initValues",
            }
        )

    def parse(self, cur: Cursor, st: State) -> None:
        name = cur.take(SYMBOL)
        if name is None:
            raise cur.failure("expected the objectFifo's symbol, as in aie.objectfifo @name(%producer, {%consumer}, 2 : i32)")
        st.attrs["sym_name"] = SYM_NAME.stored(name)
        cur.expect("(")
        st.operands["producerTile"] = [cur.value()]
        st.attrs["dimensionsToStream"] = BD_DIMS.stored(_dims(cur, "dimensionsToStream"))
        if cur.accept("padDimensions"):
            st.attrs["padDimensions"] = f"#aie<bd_pad_layout_array{cur.balanced('[')}>"
        cur.expect(",")
        cur.expect("{")
        consumers: list[str] = []
        dims: list[str] = []
        while not cur.accept("}"):
            if consumers:
                cur.expect(",")
            consumers.append(cur.value())
            dims.append(_dims(cur, "dimensionsFromStream"))
        st.operands["consumerTiles"] = consumers
        st.attrs["dimensionsFromStreamPerConsumer"] = f"#aie<bd_dim_layout_array_array[{', '.join(dims)}]>"
        cur.expect(",")
        if (number := cur.take(INTEGER)) is None:
            st.attrs["elemNumber"] = cur.attribute()
        else:
            st.attrs["elemNumber"] = f"{integer(number)} : {cur.type() if cur.accept(':') else 'i32'}"
        cur.expect(")")
        self.attr_dict.parse(cur, st)
        cur.expect(":")
        st.attrs["elemType"] = cur.type()
        if cur.accept("->"):
            st.attrs["consumerElemType"] = cur.type()
        if cur.accept("="):
            st.attrs["initValues"] = self._typed(cur.balanced("["), st)

    @staticmethod
    def _typed(text: str, st: State) -> str:
        """Initial values with the tensor type that follows from the objects' type."""
        inner = re.match(r"!aie\.objectfifo<(.*)>\Z", st.host.resolve(st.attrs["elemType"] or ""), re.DOTALL)
        tensor = InitialValue.tensor(st.host.resolve(inner[1])) if inner else ""
        pieces = split_top(text[1:-1])
        return "[" + ", ".join(p if re.search(r">\s*:\s*\S", p) else f"{p} : {tensor}" for p in pieces) + "]"

    def print(self, st: State, out: list[Any]) -> None:
        dims = _bracket(st.attrs["dimensionsToStream"] or "", "bd_dim_layout_array")
        producer = st.operands["producerTile"][0] + (f" dimensionsToStream {dims}" if dims != "[]" else "")
        per_consumer = split_top(_bracket(st.attrs["dimensionsFromStreamPerConsumer"] or "", "bd_dim_layout_array_array")[1:-1])
        consumers = []
        for tile, own in zip(st.operands["consumerTiles"], per_consumer, strict=True):
            consumers.append(tile + (f" dimensionsFromStream {own}" if own != "[]" else ""))
        name = SYM_NAME.custom(st.attrs["sym_name"] or "")
        number = st.attrs["elemNumber"] or ""
        if number.startswith("["):
            number = "[" + ", ".join(piece.split(" :")[0] for piece in split_top(number[1:-1])) + "]"
        out.append(f"{name}({producer}, {{{', '.join(consumers)}}}, {number})")
        self.attr_dict.print(st, out)
        out.append(f": {st.attrs['elemType']}")
        if (smaller := st.attrs.get("consumerElemType")) is not None:
            out.append(f"-> {smaller}")
        if values := st.attrs.get("initValues"):
            pieces = (re.sub(r"\s*:\s*tensor<[^<>]*>\Z", "", piece) for piece in split_top(values[1:-1]))
            out.append(f"= [{', '.join(pieces)}]")


def _bracket(text: str, name: str) -> str:
    prefix = f"#aie<{name}"
    return text[len(prefix) : -1] if text.startswith(prefix) else "[]"


class ObjectFifoLink(Element):
    """`[@a] -> [@b]([src offsets] [dst offsets])`."""

    def __init__(self, decl: Decl) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"fifoIns", "fifoOuts", "src_offsets", "dst_offsets"})

    def parse(self, cur: Cursor, st: State) -> None:
        st.attrs["fifoIns"] = self._fifos(cur)
        cur.expect("->")
        st.attrs["fifoOuts"] = self._fifos(cur)
        st.attrs["src_offsets"] = st.attrs["dst_offsets"] = "[]"
        if cur.accept("("):
            lists = []
            while cur.peek() == "[":
                lists.append(cur.balanced())
                cur.accept(",")
            cur.expect(")")
            if len(lists) == 2:
                st.attrs["src_offsets"], st.attrs["dst_offsets"] = lists
            elif len(lists) == 1:
                st.attrs["src_offsets"] = lists[0]
        self.attr_dict.parse(cur, st)

    @staticmethod
    def _fifos(cur: Cursor) -> str:
        if cur.peek() == "[":
            return cur.balanced()
        if (name := cur.take(SYMBOL)) is None:
            raise cur.failure("expected objectFifo symbols")
        return f"[{name}]"

    def print(self, st: State, out: list[Any]) -> None:
        src, dst = (
            "[" + ", ".join(piece.split(" :")[0] for piece in split_top((st.attrs[k] or "[]")[1:-1])) + "]"
            for k in ("src_offsets", "dst_offsets")
        )
        out.append(f"{st.attrs['fifoIns']} -> {st.attrs['fifoOuts']}({src} {dst})")
        self.attr_dict.print(st, out)
