"""Finds the type of a result from one line of an operation's custom or generic form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from allo_air.asm.text import STRING, Failure, closing_offset, split_top

_END = re.compile(r"\s*(?:\{\s*(?:\}.*)?|\}|loc\(.*\))\s*\Z")  # a region that opens (and closes), a location
_MARKS = re.compile(rf"{STRING}|->|[<>=]=|[<(\[{{>)\]}}:]")
_ELEMENT = ("memref.load", "affine.load", "memref.generic_atomic_rmw", "tensor.extract", "vector.extractelement")
_SIZE = ("memref.dim", "tensor.dim", "memref.rank", "tensor.rank")
_COMPARE = ("arith.cmpi", "arith.cmpf")
_SHAPED = re.compile(r"(?:memref|tensor|vector)<(?:[\[\]\d?]+x)*(.*)>\Z", re.DOTALL)
_PART = re.compile(r"\s+(?:to|into)\s+")


def result_type(text: str, number: int = 0) -> str | None:
    """The type of result `number` of the operation in `text`, which ends at its line's end; None if it cannot be determined."""
    name = re.match(r'\s*"?([\w.]+)', text)
    text = _END.sub("", text)
    marks = list(_top_marks(text))
    if marks and marks[-1][0] == "->":
        after = text[marks[-1].end() :].strip()
        types = split_top(after[1:-1]) if after.startswith("(") and after.endswith(")") else [first_type(after)]
        return types[number] if number < len(types) else None
    if name is None or not marks:
        return None
    types = split_top(text[marks[-1].end() :].strip())
    if not types or not re.match(r"[!\w]", types[-1]):
        return None
    if name[1] in _ELEMENT:
        return element_type(types[0])
    if name[1] in _SIZE:
        return "index"
    if name[1] in _COMPARE:
        shape = re.match(r"(vector<|tensor<)((?:[\[\]\d?]+x)*)", types[0])
        return f"{shape[1]}{shape[2]}i1>" if shape else "i1"
    last = _PART.split(types[-1])[-1]
    return first_type(last)


def first_type(text: str) -> str | None:
    """The type at the start of `text`."""
    match = re.match(r"\s*([!\w.]+)(<)?", text)
    if match is None:
        return None
    if not match[2]:
        return match[1]
    try:
        return text[match.start(1) : closing_offset(text, match.end() - 1)]
    except Failure:
        return None


def _top_marks(text: str) -> Iterator[re.Match[str]]:
    """Colons and arrows of `text` outside of brackets."""
    depth = 0
    for match in _MARKS.finditer(text):
        if match[0] in ("<", "(", "[", "{"):
            depth += 1
        elif match[0] in (">", ")", "]", "}"):
            depth -= 1
        elif depth == 0:
            yield match


def element_type(shaped: str) -> str | None:
    """The element type of a memref, a tensor or a vector."""
    match = _SHAPED.match(shaped.strip())
    return split_top(match[1])[0] if match else None
