"""Directives of the AIE dialect's custom assembly: devices, tiles, locks, buffers, regions with arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import INTEGER, SKIP, SYMBOL, VALUE, Cursor, Failure, integer, split_top
from allo_air.dialects._enums import DEVICE, DMA_DIR
from allo_air.dialects._fields import Attr, Region
from allo_air.dialects._kinds import SYM_NAME
from allo_air.dialects._op import Decl

if TYPE_CHECKING:
    from allo_air.dialects._kinds import Enum

_WORD = re.compile(SKIP + r"(\w+)")
_VALUE = re.compile(SKIP + f"({VALUE})")
_NAME = re.compile(VALUE)
_SHAPED = re.compile(r"(?:memref|tensor)<(.*)>\Z", re.DOTALL)


def _integer(cur: Cursor, what: str) -> int:
    text = cur.take(INTEGER)
    if text is None:
        raise cur.failure(f"expected {what}")
    return integer(text)


def _keyword(cur: Cursor, kind: Enum) -> str:
    start = cur.skip()
    word = cur.take(_WORD)
    try:
        return kind.stored(word or "")
    except ValueError as error:
        raise Failure(start, str(error)) from None


class Device(Element):
    """`(npu1) @name { ... }`; the name is omitted if it is `main`."""

    def __init__(self, decl: Decl) -> None:
        self.decl = decl
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"device", "sym_name"})

    def parse(self, cur: Cursor, st: State) -> None:
        st.attrs["device"] = DEVICE.stored("xcvc1902")
        if cur.accept("("):
            st.attrs["device"] = _keyword(cur, DEVICE)
            cur.expect(")")
        if name := cur.take(SYMBOL):
            st.attrs["sym_name"] = SYM_NAME.stored(name)
        st.host.region(cur, st)
        self.attr_dict.parse(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        out.append(f"({DEVICE.custom(st.attrs['device'] or '')})")
        name = st.attrs.get("sym_name")
        if name is not None and name != '"main"':
            out.append(SYM_NAME.custom(name))
        out += ["{", 0, "}"]
        self.attr_dict.print(st, out)


class Unknown(Element):
    """An integer attribute; `?` if it is missing."""

    def __init__(self, decl: Decl, field: Attr) -> None:
        self.field = field
        self.shows = (field.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        if not cur.accept("?"):
            st.attrs[self.field.name] = f"{_integer(cur, 'an integer or ?')} : i32"

    def print(self, st: State, out: list[str]) -> None:
        text = st.attrs.get(self.field.name)
        out.append(text.split(" :")[0] if text else "?")


class InitialValue(Element):
    """`= dense<...>`, whose tensor type follows from the buffer's."""

    shows = ("initial_value",)

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if not cur.accept("="):
            return
        value = cur.attribute()
        if not re.search(r">\s*:\s*\S", value):
            value += f" : {self.tensor(st.host.resolve(st.types['buffer'][0]))}"
        st.attrs["initial_value"] = value

    @staticmethod
    def tensor(memref: str) -> str:
        match = _SHAPED.match(memref)
        return f"tensor<{split_top(match[1])[0]}>" if match else memref

    def print(self, st: State, out: list[str]) -> None:
        text = st.attrs.get("initial_value")
        if text is None:
            return
        suffix = f" : {self.tensor(st.types['buffer'][0])}"
        out += ["=", text.removesuffix(suffix)]


class LockValue(Element):
    """`, 1` or `, %c1`: a lock's value or the amount of a use_lock, stored as an attribute if it is a constant."""

    shows = ("value",)

    def __init__(self, decl: Decl) -> None:
        [self.values] = [f.name for f in decl.operands if f.arity == "optional"]

    def parse(self, cur: Cursor, st: State) -> None:
        if not cur.accept(","):
            return
        if value := cur.take(_VALUE):
            constant = st.host.constant_of(value)
            if constant is not None:
                st.attrs["value"] = f"{constant} : i32"
                return
            st.operands[self.values] = [value]
            st.types[self.values] = ["i32"]
            return
        st.attrs["value"] = f"{_integer(cur, 'an integer or an SSA value')} : i32"
        if cur.accept(","):  # an earlier spelling adds the blocking mode
            from allo_air.dialects._enums import LOCK_BLOCKING

            st.attrs["blocking"] = _keyword(cur, LOCK_BLOCKING)

    def print(self, st: State, out: list[str]) -> None:
        if operand := st.operands.get(self.values):
            out += [",", operand[0]]
        elif "value" in st.attrs:
            out += [",", (st.attrs["value"] or "").split(" :")[0]]


class WithType(Element):
    """`: i32` after a value whose type is known; ignored."""

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if cur.accept(":"):
            cur.type()

    def print(self, st: State, out: list[str]) -> None:
        pass


class SignlessValue(Element):
    """`7 : i32`: an unsigned value written as a signless integer of 32 bits with its type, negative from 2^31 on."""

    shows = ("value",)

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        number = _integer(cur, "an integer")
        if cur.accept(":"):
            cur.type()
        st.attrs["value"] = f"{number % (1 << 32)} : ui32"

    def print(self, st: State, out: list[str]) -> None:
        number = int((st.attrs["value"] or "0").split(" :")[0])
        out.append(f"{number - (number >> 31 << 32)} : i32")


class ShimAllocation(Element):
    """`(%tile, MM2S, 0, <packet>)`, or in earlier syntax, before tiles were operands, `(MM2S, channel, column)`."""

    shows = ("channel_dir", "channel_index", "packet")

    def __init__(self, decl: Decl) -> None:
        self.packet = decl.attrs["packet"].kind

    def parse(self, cur: Cursor, st: State) -> None:
        cur.expect("(")
        if cur.peek() == "%":
            st.operands["tile"] = [cur.value()]
            cur.expect(",")
            st.attrs["channel_dir"] = _keyword(cur, DMA_DIR)
            cur.expect(",")
            st.attrs["channel_index"] = f"{_integer(cur, 'a channel')} : i64"
        else:
            st.attrs["channel_dir"] = _keyword(cur, DMA_DIR)
            cur.expect(",")
            st.attrs["channel_index"] = f"{_integer(cur, 'a channel')} : i64"
            cur.expect(",")
            st.operands["tile"] = [st.host.tile(_integer(cur, "a column"), 0)]
        if cur.accept(","):
            st.attrs["packet"] = self.packet.stored(cur.attribute() if cur.peek() == "#" else cur.balanced("<"))
        cur.expect(")")

    def print(self, st: State, out: list[str]) -> None:
        direction = DMA_DIR.custom(st.attrs["channel_dir"] or "")
        channel = (st.attrs["channel_index"] or "").split(" :")[0]
        packet = st.attrs.get("packet")
        tail = f", {self.packet.custom(packet)}" if packet else ""
        out.append(f"({st.operands['tile'][0]}, {direction}, {channel}{tail})")


class ArgumentsRegion(Element):
    """`(%a: type, %b: type) { ... }`."""

    def __init__(self, decl: Decl, field: Region) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"sym_name"})

    def parse(self, cur: Cursor, st: State) -> None:
        text = cur.balanced() if cur.peek() == "(" else "()"
        arguments = self._named(text[1:-1], st.host, cur.pos - len(text) + 1)
        if cur.accept("attributes"):
            self.attr_dict.parse(cur, st)
        st.host.region(cur, st, arguments)
        self.attr_dict.parse(cur, st)

    def _named(self, text: str, host: Any, start: int) -> str:
        """The arguments in the text from offset `start` on, with locations that record their names."""
        if "//" in text or "loc(" in text or not text.strip():
            return text
        results = []
        for piece in split_top(text):
            if name := _NAME.match(piece):
                start = host.text.index(name[0], start)
                piece += host.location(start, f"argument {name[0]}")
                start += len(name[0])
            results.append(piece)
        return ", ".join(results)

    def print(self, st: State, out: list[Any]) -> None:
        self.print_arguments(st, out)
        out += ["{", 0, "}"]
        self.attr_dict.print(st, out)

    def print_arguments(self, st: State, out: list[str]) -> None:
        """`(%a: type, %b: type)`."""
        pairs = zip(st.host.block_arguments, st.host.block_argument_types, strict=True)
        out.append(f"({', '.join(f'{name}: {text}' for name, text in pairs)})")


class SequenceRegion(ArgumentsRegion):
    """`(%a: type) attributes {...} { ... }`."""

    def print(self, st: State, out: list[Any]) -> None:
        self.print_arguments(st, out)
        if self.attr_dict.present(st):
            out.append("attributes")
        self.attr_dict.print(st, out)
        out += ["{", 0, "}"]
