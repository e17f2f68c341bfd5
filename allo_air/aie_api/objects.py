"""Object files of our replacement of the cores' compiler, which record the source, macros and include folders."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

MAGIC = "allo_air object file 1\n"
_MOST = 1 << 22


@dataclass(frozen=True)
class ObjectNote:
    """One compiled source: the data to build it for the simulator, and the functions that it defines."""

    source: str
    defines: dict[str, str] = field(default_factory=dict)
    includes: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    def kernel(self, beside: Sequence[ObjectNote] = ()) -> Any:
        """Its CppKernel, linked with `beside`."""
        from allo_air.aie_api.kernel import CppKernel

        return CppKernel(self.source, self.defines, self.includes, beside=tuple(n.kernel() for n in beside))


def write(path: str | os.PathLike[str], notes: Iterable[ObjectNote]) -> None:
    """Writes an object file, or an archive of several."""
    Path(path).write_text(MAGIC + json.dumps([asdict(n) for n in notes], indent=1) + "\n", encoding="utf-8")


def read(path: str | os.PathLike[str]) -> list[ObjectNote] | None:
    """The sources of an object file or archive; None if the file is missing or was made by another tool."""
    file = Path(path)
    if not file.is_file() or file.stat().st_size > _MOST:
        return None
    data = file.read_bytes()
    if not data.startswith(MAGIC.encode()):
        return None
    return [
        ObjectNote(n["source"], n["defines"], tuple(n["includes"]), tuple(n["functions"]))
        for n in json.loads(data[len(MAGIC) :])
    ]


def kernels_in(notes: Sequence[ObjectNote]) -> dict[str, Any]:
    """For each function of the objects, the kernel that is built; the first object that defines it counts."""
    kernels: dict[str, Any] = {}
    for note in notes:
        kernel = note.kernel([n for n in notes if n is not note and n.source != note.source])
        for name in note.functions:
            kernels.setdefault(name, kernel)
    return kernels
