"""Sequences that scripts refer to without a definition: from the user's folder, otherwise from `transform_scripts/library/`.

The names of the library are those of the sequences that Triton-XDNA pastes into its scripts; the implementations are our own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from allo_air import asm
from allo_air.core.names import sym_name_of
from allo_air.core.texts import read_text
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError

_OWN = Path(__file__).parents[1] / "transform_scripts" / "library"
_COMMENT = re.compile(r"//[^\n]*")
_SEQUENCE = re.compile(r"transform\.named_sequence\s+(?:private\s+)?@([\w$.]+)")
_USED = re.compile(
    r"(?:transform\.include\s+|->\s*|transform\.(?:foreach_match|collect_matching)\b[^@]*|,\s*)@([\w$.]+)|@([\w$.]+)\s*->"
)
_MODULE = re.compile(r"\bmodule\b[^{]*attributes\s*\{[^{}]*transform\.with_named_sequence[^{}]*\}\s*\{")


def with_library(text: str, folder: str = "") -> str:
    """Script `text` with the sequences that it refers to and does not define, inserted on the line where its module begins."""
    library: dict[str, Path] = {}
    for path in _files(folder):
        for name in _SEQUENCE.findall(_COMMENT.sub("", read_text(path))):
            library.setdefault(name, path)
    sequences: dict[str, str] = {}
    defined = set(_SEQUENCE.findall(_COMMENT.sub("", text)))
    todo = _used_sequences(text) - defined
    while todo:
        name = todo.pop()
        if name in library and name not in sequences:
            sequences[name] = _sequences(library[name])[name]
            todo |= _used_sequences(sequences[name]) - defined
    if not sequences:
        return text
    module = _MODULE.search(text)
    header_end = module.end() if module else 0
    return f"{text[:header_end]} {' '.join(sequences.values())} {text[header_end:]}"


def _used_sequences(text: str) -> set[str]:
    return {a or b for a, b in _USED.findall(_COMMENT.sub("", text))}


def _files(folder: str) -> list[Path]:
    if folder and not Path(folder).is_dir():
        raise AlloAirError(f"cannot read the library of transform sequences '{folder}': no such folder")
    return [*(sorted(Path(folder).glob("*.mlir")) if folder else []), *sorted(_OWN.glob("*.mlir"))]


@cache
def _texts(path: Path) -> str:
    return read_text(path)


def _sequences(path: Path) -> dict[str, str]:
    """The text of each sequence in file `path`, on one line, with its locations in the file."""
    text = _texts(path)
    for _ in range(20):  # sequences that it includes from other files
        names = _used_sequences(text) - set(_SEQUENCE.findall(_COMMENT.sub("", text)))
        if not names:
            break
        rest = {n: p for p in sorted(path.parent.glob("*.mlir")) for n in _SEQUENCE.findall(_COMMENT.sub("", _texts(p)))}
        more = [_COMMENT.sub("", _texts(p)) for p in {rest[n] for n in names if n in rest}]
        if not more:
            break
        inner = [_MODULE.sub("", m, count=1).rsplit("}", 1)[0] for m in more]
        module = _MODULE.search(text)
        header_end = module.end() if module else 0
        text = text[:header_end] + " ".join(inner).replace("\n", " ") + text[header_end:]
    read = asm.read(text, str(path))
    sequences = {}
    for op in walk_named(read, "transform.named_sequence"):
        written = asm.write(op, debug_info=True, local_scope=True)
        sequences[sym_name_of(op)] = " ".join(written.split("\n"))
    return sequences
