"""White space between the tokens of a custom form, as in the real printers."""

from __future__ import annotations

_NO_SPACE_BEFORE = frozenset(")],>")
_OPEN = frozenset("(<[{")
_SPACED = frozenset(
    {"air.channel", "air.dma_memcpy_nd", "air.launch", "air.rank", "air.custom", "aie.amsel", "aie.objectfifo.link"}
)  # with spaces inside brackets


def spaced(name: str, tokens: list[int | str]) -> list[int | str]:
    """Joins tokens with the white space of the real printers; regions stay in the list as integers."""
    pieces: list[int | str] = []
    text = last = name
    for token in tokens:
        if isinstance(token, int):
            pieces += [text, token]
            text = last = ""
        elif token:
            text += token if _is_tight(token, last, name) else f" {token}"
            last = token
    return [*pieces, text]


def _is_tight(token: str, last: str, name: str) -> bool:
    """Whether `token` follows `last` without a space in operation `name`."""
    first = token[0]
    if last[-1:] in _OPEN or not last or first in _NO_SPACE_BEFORE or (token == "}" and last != "{"):
        return True
    if first == "(":
        return (
            last[0] == "@"
            or (last == name and name not in _SPACED)
            or (last == ">" and name not in _SPACED)
            or last in ("unroll", "channels", "locks")
        )
    if first == "<":
        return token == "<" and last == name
    if first == "{":
        return name in ("airrt.module_metadata", "airrt.segment_metadata") and len(token) == 1
    if name == "aiex.npu.dma_memcpy_nd" and first == "[":
        return True
    return first == "[" and name not in _SPACED and last[0] in "%@]"
