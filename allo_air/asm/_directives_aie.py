"""Directives of the AIE and AIEX dialects' custom assembly."""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import MIN_INDEX, State
from allo_air.asm.text import SKIP, STRING, VALUE, Cursor, Failure, split_top
from allo_air.dialects._enums import BD_DIMS, DEVICE, DMA_DIR
from allo_air.dialects._kinds import SYM_NAME
from allo_air.dialects._op import Attr, Decl, Operand, Region

_SYMBOL = re.compile(SKIP + r'(@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*"))')
_INTEGER = re.compile(SKIP + r"(-?(?:0x[0-9a-fA-F]+|\d+))(?![\w.])")
_WORD = re.compile(SKIP + r"(\w+)")
_STRING = re.compile(SKIP + f"({STRING})")
_VALUE = re.compile(SKIP + f"({VALUE})")
_SHAPED = re.compile(r"(?:memref|tensor)<(.*)>\Z", re.DOTALL)


def _integer(cur: Cursor, what: str) -> int:
    text = cur.take(_INTEGER)
    if text is None:
        raise cur.failure(f"expected {what}")
    return int(text, 0)


def _keyword(cur: Cursor, kind: Any) -> str:
    start = cur.skip()
    word = cur.take(_WORD)
    try:
        return kind.stored(word or "")
    except ValueError as error:
        raise Failure(start, str(error)) from None


class Device(Element):
    """`(npu1) @name { ... }`; the name is left out where it is `main`."""

    def __init__(self, decl: Decl) -> None:
        self.decl = decl
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide({"device", "sym_name"})

    def parse(self, cur: Cursor, st: State) -> None:
        st.attrs["device"] = DEVICE.stored("xcvc1902")
        if cur.accept("("):
            st.attrs["device"] = _keyword(cur, DEVICE)
            cur.expect(")")
        if name := cur.take(_SYMBOL):
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
    """An integer attribute, `?` where it is missing."""

    def __init__(self, decl: Decl, field: Attr) -> None:
        self.field = field
        self.shows = (field.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        if not cur.accept("?"):
            st.attrs[self.field.name] = f"{_integer(cur, 'an integer or ?')} : i32"

    def print(self, st: State, out: list[Any]) -> None:
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

    def print(self, st: State, out: list[Any]) -> None:
        text = st.attrs.get("initial_value")
        if text is None:
            return
        suffix = f" : {self.tensor(st.types['buffer'][0])}"
        out += ["=", text.removesuffix(suffix)]


class LockValue(Element):
    """`, 1` or `, %c1`: the amount of a use_lock, kept as an attribute where it is a constant."""

    shows = ("value",)

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if not cur.accept(","):
            return
        if value := cur.take(_VALUE):
            known = st.host.constant_of(value)
            if known is not None:
                st.attrs["value"] = f"{known} : i32"
                return
            st.operands["amount"] = [value]
            st.types["amount"] = [st.host.type_of(value) or "i32"]
            return
        st.attrs["value"] = f"{_integer(cur, 'an integer or an SSA value')} : i32"
        if cur.accept(","):  # an earlier spelling adds the blocking mode
            from allo_air.dialects._enums import LOCK_BLOCKING

            st.attrs["blocking"] = _keyword(cur, LOCK_BLOCKING)

    def print(self, st: State, out: list[Any]) -> None:
        if st.operands.get("amount"):
            out += [",", st.operands["amount"][0]]
        elif "value" in st.attrs:
            out += [",", (st.attrs["value"] or "").split(" :")[0]]


class ShimAllocation(Element):
    """`(%tile, MM2S, 0, <packet>)`, or as it was before tiles were operands, `(MM2S, channel, column)`."""

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
            st.attrs["packet"] = self.packet.stored(cur.balanced("<"))
        cur.expect(")")

    def print(self, st: State, out: list[Any]) -> None:
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
        st.host.region(cur, st, text[1:-1])
        self.attr_dict.parse(cur, st)

    def print(self, st: State, out: list[Any]) -> None:
        pairs = zip(st.host.block_arguments, st.host.block_argument_types, strict=True)
        out.append(f"({', '.join(f'{name}: {text}' for name, text in pairs)})")
        out += ["{", 0, "}"]
        self.attr_dict.print(st, out)


def _dims(cur: Cursor, keyword: str) -> str:
    """`keyword [<size = 8, stride = 1>, ...]`; an empty list where it is not there."""
    return cur.balanced("[") if cur.accept(keyword) else "[]"


class ObjectFifo(Element):
    """`@name(%producer dimensionsToStream [...], {%consumer dimensionsFromStream [...], ...}, 2 : i32) {...} : type = [...]`."""

    shows = ()

    def __init__(self, decl: Decl) -> None:
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide(
            {
                "sym_name",
                "elemNumber",
                "elemType",
                "dimensionsToStream",
                "dimensionsFromStreamPerConsumer",
                "initValues",
                "padDimensions",
            }
        )

    def parse(self, cur: Cursor, st: State) -> None:
        name = cur.take(_SYMBOL)
        if name is None:
            raise cur.failure("expected the objectFifo's symbol")
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
        number = cur.attribute()
        st.attrs["elemNumber"] = f"{number} : i32" if number.isdigit() else number
        cur.expect(")")
        self.attr_dict.parse(cur, st)
        cur.expect(":")
        st.attrs["elemType"] = cur.type()
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
        if pads := st.attrs.get("padDimensions"):
            producer += f" padDimensions {_bracket(pads, 'bd_pad_layout_array')}"
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
        if (name := cur.take(_SYMBOL)) is None:
            raise cur.failure("expected objectFifo symbols")
        return f"[{name}]"

    def print(self, st: State, out: list[Any]) -> None:
        src, dst = (
            "[" + ", ".join(piece.split(" :")[0] for piece in split_top((st.attrs[k] or "[]")[1:-1])) + "]"
            for k in ("src_offsets", "dst_offsets")
        )
        out.append(f"{st.attrs['fifoIns']} -> {st.attrs['fifoOuts']}({src} {dst})")
        self.attr_dict.print(st, out)


class Mixed(Element):
    """`[0, %a, 4]`: constants in a static array, `%` values as operands, in the order of the list."""

    def __init__(self, decl: Decl, values: Operand, static: Attr) -> None:
        self.values = values
        self.static = static
        self.shows = (static.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        values, static = [], []
        text = cur.balanced("[")
        for piece in split_top(text[1:-1]):
            if re.fullmatch(VALUE, piece):
                values.append(piece)
                static.append(str(MIN_INDEX))
            elif _INTEGER.fullmatch(piece):
                static.append(str(int(piece, 0)))
            else:
                raise Failure(start, f"expected SSA values or integers in this list, found '{piece}'")
        if len(static) == 3 and self.static.name == "static_strides":  # until mid-2024 the innermost 1 was left out
            static.append("1")
        st.operands[self.values.name] = values
        st.types[self.values.name] = [st.host.type_of(value) or "i64" for value in values]
        st.attrs[self.static.name] = f"array<i64: {', '.join(static)}>" if static else "array<i64>"

    def print(self, st: State, out: list[Any]) -> None:
        text = st.attrs[self.static.name] or ""
        values = iter(st.operands[self.values.name])
        static = split_top(text[len("array<i64") : -1].lstrip(":"))
        out.append("[" + ", ".join(next(values, "?") if int(piece) == MIN_INDEX else piece for piece in static) + "]")


class NpuCoordinates(Element):
    """`(0, 0, %arg0[...]...)` of 2024: the column and row before the memref, which the metadata now tells; skipped."""

    _OLD = re.compile(SKIP + r"\(\s*\d+\s*,\s*\d+\s*,\s*(?=%)")

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if match := self._OLD.match(cur.text, cur.pos):
            cur.pos = match.end()
        else:
            cur.expect("(")

    def print(self, st: State, out: list[Any]) -> None:
        out.append("(")


class RtpBuffer(Element):
    """`@rtp,`; before 2025 `"rtp",`, or column and row here and the name after the values, as `buffer_sym_name`."""

    shows = ("buffer",)
    _OLD = re.compile(SKIP + r"(\d+)\s*,\s*(\d+)\s*,(?=\s*\d+\s*,)")

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if match := self._OLD.match(cur.text, cur.pos):
            cur.pos = match.end()
            return
        name = cur.take(_SYMBOL) or (cur.take(_STRING) if cur.peek() == '"' else None)
        if name is None:
            raise cur.failure("expected the symbol of a buffer")
        st.attrs["buffer"] = name if name[0] == "@" else SYM_NAME.custom(name)
        cur.expect(",")

    def print(self, st: State, out: list[Any]) -> None:
        out += [st.attrs["buffer"], ","]


class RtpAttributes(AttrDict):
    """The remaining attributes, and what the buffer was called where it was one of them."""

    def __init__(self, decl: Decl) -> None:
        super().__init__(decl, keyword=False)

    def parse(self, cur: Cursor, st: State) -> None:
        super().parse(cur, st)
        name = st.attrs.pop("buffer_sym_name", None)
        if name is not None and "buffer" not in st.attrs:
            st.attrs["buffer"] = SYM_NAME.custom(name)
        if "buffer" not in st.attrs:
            raise cur.failure("expected {buffer_sym_name = ...} to name the buffer")


AIE_DIRECTIVES: dict[str, Any] = {
    "device": Device,
    "unknown": Unknown,
    "initial_value": InitialValue,
    "lock_value": LockValue,
    "shim_allocation": ShimAllocation,
    "arguments_region": ArgumentsRegion,
    "objectfifo": ObjectFifo,
    "objectfifo_link": ObjectFifoLink,
    "mixed": Mixed,
    "npu_coordinates": NpuCoordinates,
    "rtp_buffer": RtpBuffer,
    "rtp_attributes": RtpAttributes,
}
