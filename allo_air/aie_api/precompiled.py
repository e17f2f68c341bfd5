"""Keeps the headers of kernels precompiled, since a compiler spends most of a kernel's time on them.

Only GCC's form: a file `x.hpp.gch` beside `x.hpp`. Where a macro of the command line is a name that the headers use, GCC takes
the text of `x.hpp`, so both forms compile alike.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from allo_air.aie_api.cache import user_folder

HEADERS = Path(__file__).with_name("include")
PRELUDE = "allo_aie_prelude.hpp"
API = "aie_api/aie.hpp"
_TEXT = f'#include "{PRELUDE}"\n#include "{API}"\n'


def with_headers(command: Sequence[str], flags: Sequence[str], expanded: str) -> list[str] | None:
    """`command` with the precompiled headers in place of the prelude, or None where there are none for it.

    `flags` are the compiler and those flags of `command` that all kernels have. `expanded` is the kernel's file with all that
    it includes: where the AIE API is not among it, there are none, as a kernel must not see more than it includes.
    """
    if f'/{API}"' not in expanded or (header := _header(tuple(flags))) is None:
        return None
    return [str(header) if word == PRELUDE else word for word in command]


@functools.cache
def _header(flags: tuple[str, ...]) -> Path | None:
    version = subprocess.run([flags[0], "--version"], capture_output=True, text=True, check=False).stdout
    if "Free Software Foundation" not in version or (kernels := user_folder()) is None:
        return None
    files = sorted(path for path in HEADERS.rglob("*") if path.is_file())
    contents = b"\0".join([*(word.encode() for word in (*flags, version, _TEXT)), *(path.read_bytes() for path in files)])
    folder = kernels / f"headers-{hashlib.sha256(contents).hexdigest()[:20]}"
    header = folder / "headers.hpp"
    return header if header.with_suffix(".hpp.gch").exists() or _made(flags, folder) else None


def _made(flags: Sequence[str], folder: Path) -> bool:
    """Whether the compiler could precompile the headers into `folder`. It appears whole, and older ones are removed."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        header = Path(work) / folder.name / "headers.hpp"
        header.parent.mkdir()
        header.write_text(_TEXT)
        words = [word for word in flags if word not in ("-shared", "-include", PRELUDE)]
        done = subprocess.run(
            [*words, "-x", "c++-header", str(header), "-o", f"{header}.gch"], capture_output=True, check=False
        )
        if done.returncode:
            return False
        for old in _unused(folder):
            shutil.rmtree(old, ignore_errors=True)
        try:
            os.rename(header.parent, folder)
        except OSError:  # another process was first
            return (folder / "headers.hpp.gch").exists()
    return True


def _unused(folder: Path) -> list[Path]:
    """All but the newest three, which with the one that is made serve two devices in two versions of the package."""
    return sorted(folder.parent.glob("headers-*"), key=lambda path: path.stat().st_mtime, reverse=True)[3:]
