"""Renames kernels whose names are in the host's C library, so that both can be in one library."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

_PREFIX = "allo_kernel_"


def own_names(names: Collection[str], expanded: Iterable[str]) -> dict[str, str]:
    """New names for the entries of `names` that the C library declares in one of the preprocessed files `expanded`."""
    library = "\n".join(map(_of_the_library, expanded))
    return {name: f"{_PREFIX}{name}" for name in names if re.search(rf"\b{name}\s*\(", library)}


def _of_the_library(expanded: str) -> str:
    """Extracts the parts of preprocessed files that come from the C library's headers."""
    inside, results = False, []
    for line in expanded.splitlines():
        if line.startswith("# "):
            file = line.split('"')[1] if '"' in line else ""
            inside = file.startswith("/usr/") and file.endswith(".h") and "/c++/" not in file
        elif inside:
            results.append(line)
    return "\n".join(results)


def with_names(source: Path, names: dict[str, str]) -> str:
    """The text of `source` with renamed functions; members keep their names, and compiler messages still refer to `source`."""
    word = re.compile(rf"(?<![\w:.])(?<!->)({'|'.join(map(re.escape, names))})\b(?!\s*::)")
    lines = [
        line if line.lstrip().startswith("#include") else word.sub(lambda m: names[m[1]], line)
        for line in source.read_text(errors="replace").split("\n")
    ]
    return "\n".join([f'#line 1 "{source}"', *lines])


def file_with_names(source: Path, names: dict[str, str], folder: Path) -> tuple[Path, Sequence[str]]:
    """The file to compile for `source`, and the flags that this takes: itself, or a copy in `folder` with `names`."""
    if not names:
        return source, ()
    copy = folder / f"named_{source.name}"
    copy.write_text(with_names(source, names))
    return copy, (f"-I{source.resolve().parent}",)
