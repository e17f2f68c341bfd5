"""What a user may compile, as MLIR text: a file, text, a module, or the description of a matmul."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError, OptionError
from allo_air.program.matmul import RESULTS, Matmul, matmul_of

_LEVELS = (
    ("aie", r"\baie\.device\b"),
    ("channel", r"\bair\.channel\b"),
    ("air", r"\bair\.(launch|segment|herd)\b"),
    ("linalg", r"\btensor<"),
)


@dataclass(frozen=True)
class Source:
    """MLIR text with the name that diagnostics give it."""

    text: str
    name: str
    matmul: Matmul | None = None

    @property
    def level(self) -> str:
        """The IR level that the text is at, by the operations that it names."""
        return level_of(self.text)


def level_of(text: str) -> str:
    """The IR level of `text`: `linalg` (tensors), `tiled`, `air`, `channel`, `aie`, or `npu` (with a runtime sequence)."""
    code = re.sub(r"//[^\n]*", "", text)
    found = next((level for level, pattern in _LEVELS if re.search(pattern, code)), "tiled")
    return "npu" if found == "aie" and re.search(r"\baiex?\.runtime_sequence\b", code) else found


def source_of(given: Any, shape: Any = None, dtype: Any = None) -> Source:
    """The Source for `given`, or for a matmul of `shape` and `dtype` where nothing else is given."""
    if given is None or isinstance(given, tuple | list):
        if given is not None and shape is not None:
            raise OptionError("the shape is given twice")
        shape = given if shape is None else shape
        if shape is None:
            raise OptionError("nothing to compile: give a file, MLIR text, a module, or shape=(M, N, K)")
        given = matmul_of(shape, dtype or "bf16")
    elif shape is not None or dtype is not None:
        raise OptionError("shape and dtype describe a matmul; they do not go with another source")
    if isinstance(given, Matmul):
        return Source(given.text, f"<matmul {given.m}x{given.n}x{given.k} {given.dtype}>", given)
    if isinstance(given, str) and ("\n" in given or "{" in given or "(" in given):
        return Source(given, "<text>")
    if isinstance(given, str | os.PathLike):
        return Source(read_text(Path(given)), os.fspath(given))
    if hasattr(given, "operation"):
        from allo_air import asm

        with given.operation.context:
            return Source(asm.write(given), "<module>")
    raise AlloAirError(f"cannot compile a {type(given).__name__}: wanted a path, MLIR text, a module, or a Matmul")


def read_text(path: Path) -> str:
    """The text of file `path`; AlloAirError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise AlloAirError(f"cannot read '{path}': it is no text in UTF-8") from None


def default_pipeline(source: Source) -> str:
    """The pipeline for `source` where the user names none: the gemm pipeline of its matmul's type; empty for a device."""
    if source.matmul is not None:
        return source.matmul.pipeline
    if source.level in ("aie", "npu"):
        return ""
    matmul = r"linalg\.(?:batch_)?matmul\b[^\n]*?\sins\([^:]*:\s*(?:tensor|memref)<[\dx?]+x(\w+)[,>]"
    found = set(re.findall(matmul, source.text))
    if len(found) == 1 and (element := found.pop()) in RESULTS:
        return f"gemm-{element}"
    from allo_air import asm
    from allo_air.mlir import new_context

    with new_context():
        asm.read(source.text, source.name)  # a mistake in the text is the first thing to tell
    raise OptionError(f"{source.name}: name the pipeline, as in pipeline='gemm-bf16'; allo-opt --list-pipelines lists all")
