"""Rewrites former operations whose replacement is more than a new name. Scans and scatters of torch-mlir become linalg. Until
2025, transposed matrix products had names of their own, where indexing maps are used today; until 2026, transform scripts
lowered vector reductions by one pattern descriptor (three today), had commas between the clauses of tiled reductions, and
handles of `transform.air.linalg_tile` had type `!pdl.operation`.
"""

from __future__ import annotations

import re

from allo_air.asm.text import Failure, closing_offset

_NAMES = r"linalg\.(batch_)?matmul_transpose_([ab])"
_CUSTOM = re.compile(rf"(?<![\w.$\"@%!#-]){_NAMES}(?=\s*(?:\{{|ins\b))")
_GENERIC = re.compile(rf"\"{_NAMES}\"(?=\s*\()")
_LOWER = re.compile(r"(?<![\w.\"])transform\.apply_patterns\.vector\.lower_multi_reduction\b([^\n/}]*)")
_REDUCTION = re.compile(r"(?<![\w.\"])transform\.structured\.tile_reduction_using_for(?:all)?\b[^:]*")
_COMMA = re.compile(r",(?=\s*(?:reduction_dims|num_threads|tile_sizes|mapping)\b)")
_HANDLE = re.compile(r"^(?![^\n]*\bpdl\.apply_native)[^\n]*?!pdl\.operation[^\n]*", re.MULTILINE)
_PDL, _ANY = "!pdl.operation", "!transform.any_op"
_SIGNS = ("matmul_transpose_", "lower_multi_reduction", "tile_reduction_using_for", "tm_tensor.")
_LOWERED = ("reorder_multi_reduction_dims", "multi_reduction_flattening", "multi_reduction_unrolling")


def respelled(chunks: list[int | str], source: str) -> list[int | str]:
    """Returns `chunks` of a reader, alternately offsets and texts, with the current spelling of such operations.

    Before: `linalg.matmul_transpose_b ins(...)`; after: `linalg.matmul indexing_maps = [...] ins(...)`.
    """
    handles = "transform.air.linalg_tile" in source and _PDL in source
    if not handles and not any(name in source for name in _SIGNS):
        return chunks
    results: list[int | str] = []
    position = 0
    for chunk in chunks:
        if isinstance(chunk, int):
            position = chunk
            results.append(chunk)
        elif source.startswith(chunk, position):
            results += _split(chunk, position, handles)
        else:
            results.append(chunk.replace(_PDL, _ANY) if handles else chunk)
    return results


def _split(text: str, offset: int, handles: bool) -> list[int | str]:
    from allo_air.asm import tm_tensor

    pieces: list[int | str] = []
    done = 0
    edits = [(m.start(), m.end(), f"linalg.{m[1] or ''}matmul {_maps(m)}") for m in _CUSTOM.finditer(text)]
    edits += tm_tensor.edits(text)
    for match in _LOWER.finditer(text):
        names = [f"transform.apply_patterns.vector.{name}{match[1].rstrip()}" for name in _LOWERED]
        edits.append((match.start(), match.end(), " ".join(names)))
    for match in _REDUCTION.finditer(text):
        commas = (match.start() + m.start() for m in _COMMA.finditer(match[0]))
        edits += [(place, place + 1, "") for place in commas]
    for match in _GENERIC.finditer(text):
        if (where := _attributes(text, match.end())) is not None:
            edits.append((match.start(), match.end(), f'"linalg.{match[1] or ""}matmul"'))
            edits.append((*where, f"{_maps(match)}, "))
    for line in _HANDLE.finditer(text) if handles else ():
        places = (line.start() + m.start() for m in re.finditer(_PDL, line[0]))
        edits += [(place, place + len(_PDL), _ANY) for place in places]
    for start, end, new in sorted(edits):
        pieces += [text[done:start], offset + start, new, offset + end]
        done = end
    return [*pieces, text[done:]]


def _attributes(text: str, position: int) -> tuple[int, int] | None:
    """The position after the brace of the attributes of a generic operation whose operands begin at `position`."""
    try:
        position = _skip_attributes(text, closing_offset(text, text.index("(", position)))
        if not text.startswith("<", position):  # properties follow the regions in text before 2023
            position = _skip_attributes(text, closing_offset(text, position))
        position = text.index("{", position) + 1
    except (Failure, ValueError):
        return None
    return position, position


def _skip_attributes(text: str, position: int) -> int:
    while text[position : position + 1].isspace():
        position += 1
    return position


def _maps(match: re.Match[str]) -> str:
    batch, turned = match[1], match[2]
    a, b = ("k, m" if turned == "a" else "m, k"), ("n, k" if turned == "b" else "k, n")
    lead = "batch, " if batch else ""
    maps = [f"affine_map<({lead}m, n, k) -> ({lead}{results})>" for results in (a, b, "m, n")]
    return f"indexing_maps = [{', '.join(maps)}]"
