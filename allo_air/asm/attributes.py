"""Attributes of AIE with their own syntax: as the real tools write them, and as they are stored in memory.

A Python-defined attribute only prints its parameters. So `#aie.packet_info<pkt_type = 0, pkt_id = 4>` is stored as
`#aie.packet_info<0 : i16, 4 : i16>`, and `#aie<bd_dim_layout_array[<size = 8, stride = 1>]>` as
`#aie.bd_dim_layout_array<[array<i64: 8, 1>]>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from allo_air.asm.text import Failure, closing_offset, split_top

_FIELDS = {
    "packet_info": ("pkt_type", "pkt_id"),
    "bd_dim_layout": ("size", "stride"),
    "bd_pad_layout": ("const_pad_before", "const_pad_after"),
    "bd_iteration": ("size", "stride", "current"),
}
_OPTIONAL = {"current": "0"}
"""Optional fields, with their defaults."""
_EARLIER = {"wrap": "size", "step": "stride"}  # names of 2023 and early 2024
_ELEMENT = {
    "bd_dim_layout_array": "bd_dim_layout",
    "bd_pad_layout_array": "bd_pad_layout",
    "bd_dim_layout_array_array": "bd_dim_layout_array",
    "bd_pad_layout_array_array": "bd_pad_layout_array",
}
_REAL = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'
    r"#aie(?:\.|<)(packet_info|trace_event|bd_iteration"
    r"|bd_(?:dim|pad)_layout(?:_array){0,2})\s*(?=[<\[])"
)


def _rewrite(text: str, change: Callable[[str, str], str]) -> str:
    """Replaces each attribute in `text` by `change(name, inside of its brackets)`."""
    pieces, start = [], 0
    position = 0
    while match := _REAL.search(text, position):
        position = match.end()
        if match[1] is None:  # a string
            continue
        bracket = closing_offset(text, match.end())
        end = bracket
        if text[match.start() + 4] == "<":  # `#aie<name...>`: one more '>' closes it
            end = text.index(">", bracket) + 1
        pieces += [text[start : match.start()], change(match[1], text[match.end() + 1 : bracket - 1])]
        start = position = end
    return "".join([*pieces, text[start:]])


def to_memory(text: str) -> str:
    """`text` with these attributes converted from the real tools' spelling to the stored one."""
    return _rewrite(text, _to_memory) if "#aie" in text else text


def attribute_at(text: str, start: int) -> tuple[str, int]:
    """The attribute at `start` of `text`, in its stored form, and the position after it."""
    bracket = min((i for i in (text.find("<", start), text.find("[", start)) if i >= 0), default=-1)
    if bracket < 0:
        return text[start : start + 5], start + 5
    end = closing_offset(text, bracket)
    try:
        return to_memory(text[start:end]), end
    except ValueError as error:
        raise Failure(start, str(error)) from None


def to_real(text: str) -> str:
    """`text` with these attributes converted from the stored spelling to that of the real tools."""
    return _rewrite(text, _to_real) if "#aie" in text else text


def _numbers(name: str, inside: str) -> list[str]:
    """The numbers of an attribute, by their names, in the declared order."""
    names = _FIELDS[name]
    form = f"<{', '.join(f'{field} = N' for field in names)}>"
    results: dict[str, str] = {}
    for piece in split_top(inside):
        key, separator, value = (part.strip() for part in piece.partition("="))
        key = _EARLIER.get(key, key)
        if not separator or key not in names or key in results:
            raise ValueError(f"expected {form}, found <{inside.strip()}>")
        try:
            results[key] = str(int(value.split(":")[0], 0))
        except ValueError:
            raise ValueError(f"expected a number for {key}, found '{value}'") from None
    results = {field: _OPTIONAL[field] for field in names if field in _OPTIONAL} | results
    if len(results) != len(names):
        raise ValueError(f"expected {form}, found <{inside.strip()}>")
    return [results[key] for key in names]


def _to_memory(name: str, inside: str) -> str:
    if name == "trace_event":
        event = inside.strip()
        return f"#aie.trace_event<{event if event.startswith(chr(34)) else f'@{chr(34)}{event}{chr(34)}'}>"
    if name in _ELEMENT:
        return f"#aie.{name}<{_array(name, inside)}>"
    width = "i16" if name in ("packet_info", "bd_pad_layout") else "i32"
    return f"#aie.{name}<" + ", ".join(f"{number} : {width}" for number in _numbers(name, inside)) + ">"


def _array(name: str, inside: str) -> str:
    element = _ELEMENT[name]
    if element in _ELEMENT:
        return "[" + ", ".join(_array(element, piece.strip()[1:-1]) for piece in split_top(inside)) + "]"
    pairs = (_numbers(element, piece.strip()[1:-1]) for piece in split_top(inside))
    return "[" + ", ".join(f"array<i64: {a}, {b}>" for a, b in pairs) + "]"


def _to_real(name: str, inside: str) -> str:
    if name == "trace_event":
        return f"#aie.trace_event<{inside[2:-1] if inside.startswith('@') else inside}>"
    if name in _ELEMENT:
        return f"#aie<{name}[{_real_array(name, inside.strip()[1:-1])}]>"
    pair = [piece.split(":")[0].strip() for piece in split_top(inside)]
    return f"#aie.{name}<" + ", ".join(f"{k} = {v}" for k, v in zip(_FIELDS[name], pair, strict=True)) + ">"


def _real_array(name: str, inside: str) -> str:
    element = _ELEMENT[name]
    if element in _ELEMENT:
        return ", ".join(f"[{_real_array(element, piece[1:-1])}]" for piece in split_top(inside))
    keys = _FIELDS[element]
    pairs = (piece[len("array<i64:") : -1].split(",") for piece in split_top(inside))
    return ", ".join("<" + ", ".join(f"{k} = {v.strip()}" for k, v in zip(keys, pair, strict=True)) + ">" for pair in pairs)
