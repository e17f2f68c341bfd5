"""Keeps the headers of kernels precompiled, and the code that calls kernels: a compiler spends most of a kernel's time on them.

Headers have only GCC's form: a file `x.hpp.gch` beside `x.hpp`. GCC does not take it where a macro of the command line is a
name in the headers, as `N` in -DN=64. The headers hide such macros from themselves, or have them as parameters of their own
macros. So a kernel's macros are defined after the headers, except for those that the headers test.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from allo_air.aie_api.cache import user_folder
from allo_air.errors import AlloAirError

HEADERS = Path(__file__).with_name("include")
PRELUDE = "allo_aie_prelude.hpp"
API = "aie_api/aie.hpp"
RUNTIME = ("allo_aie_runtime.cpp", "allo_aie_runtime.hpp", "allo_aie_record.hpp", "allo_aie_faults.hpp")
"""The source of the object file that is linked with each kernel, and the headers of this source alone."""
_TEXT = f'#include "{PRELUDE}"\n#include "{API}"\n'


def with_headers(command: Sequence[str], flags: Sequence[str], expanded: str, folder: Path) -> list[str] | None:
    """`command` with the precompiled headers instead of the prelude, or None if there are none.

    `flags` are the compiler and those flags of `command` that all kernels have. `expanded` is the kernel's file with all that
    it includes: where the AIE API is not among it, there are none, as a kernel must not see more than it includes. A file in
    `folder` defines macros of `command` after the headers.
    """
    if f'/{API}"' not in expanded:
        return None
    macros = {word: match[1] for word in command if (match := _MACRO.fullmatch(word)) and word not in flags}
    behind = [word for word, name in macros.items() if name not in _tested()]
    if (header := _header((*flags, *(word for word in macros if word not in behind)))) is None:
        return None
    words = [str(header) if word == PRELUDE else word for word in command if word not in behind]
    if not behind:
        return words
    (definitions := folder / "macros.hpp").write_text("".join(map(_definition, behind)))
    return [*words, "-include", str(definitions)]


def runtime(flags: Sequence[str], folder: Path) -> Path:
    """The object file that is linked with each kernel, in `folder` if none can be kept; `flags` are those of all kernels."""
    kernels = user_folder() or folder
    contents = b"\0".join([*(word.encode() for word in (*flags, _version(flags[0]))), *_contents()])
    result = kernels / f"runtime-{hashlib.sha256(contents).hexdigest()[:20]}.o"
    if not _is_there(result):
        words = [word for word in flags if word != "-shared"]
        with tempfile.TemporaryDirectory(dir=kernels) as work:
            file = Path(work) / "runtime.o"
            words += ["-c", str(HEADERS / RUNTIME[0]), "-o", str(file)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
            if done.returncode:
                raise AlloAirError(
                    f"{flags[0]} cannot compile the code that calls kernels; set CXX to g++ 11 or newer:\n{done.stderr}"
                )
            for old in _unused(result, "runtime-*.o"):
                old.unlink(missing_ok=True)
            os.replace(file, result)
    return result


@functools.cache
def _version(compiler: str) -> str:
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout


def _definition(word: str) -> str:
    """The line for `-DNAME` or `-DNAME=VALUE`."""
    name, equals, value = word[2:].partition("=")
    return f"#define {name} {value if equals else 1}\n"


_MACRO = re.compile(r"-D([A-Za-z]\w*)(?:=.*)?")


@functools.cache
def _contents() -> tuple[bytes, ...]:
    """The files of the headers, in order of their names."""
    return tuple(path.read_bytes() for path in sorted(HEADERS.rglob("*")) if path.is_file())


@functools.cache
def _tested() -> frozenset[str]:
    """Names in conditions of the preprocessor in the headers, and the one that <cassert> tests."""
    conditions = r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b((?:.*\\\n)*.*)"
    lines = (line for text in _contents() for line in re.findall(conditions, text.decode(), re.MULTILINE))
    return frozenset({"NDEBUG", *(name for line in lines for name in re.findall(r"[A-Za-z_]\w*", line))})


@functools.cache
def _header(flags: tuple[str, ...]) -> Path | None:
    version = _version(flags[0])
    if "Free Software Foundation" not in version or (kernels := user_folder()) is None:
        return None
    contents = b"\0".join([*(word.encode() for word in (*flags, version, _TEXT)), *_contents()])
    folder = kernels / f"headers-{hashlib.sha256(contents).hexdigest()[:20]}"
    header = folder / "headers.hpp"
    is_there = header.with_suffix(".hpp.gch").exists() and _is_there(folder)
    return header if is_there or _precompile(flags, folder) else None


def _precompile(flags: Sequence[str], folder: Path) -> bool:
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
        for old in _unused(folder, "headers-*"):
            shutil.rmtree(old, ignore_errors=True)
        try:
            os.rename(header.parent, folder)
        except OSError:  # another process was first
            return (folder / "headers.hpp.gch").exists()
    return True


def _is_there(path: Path) -> bool:
    """Whether `path` exists. If so, it is used from now on, and no process removes it for a while."""
    try:
        os.utime(path)
    except OSError:
        return path.exists()
    return True


def _unused(new: Path, pattern: str) -> list[Path]:
    """All but the newest five, which with the one that is made serve two devices, with and without a macro, in two versions.

    One that was used in the last hour stays, as another process may still read it.
    """
    times = {}
    for path in new.parent.glob(pattern):
        with contextlib.suppress(FileNotFoundError):  # another process removed it
            times[path] = path.stat().st_mtime
    oldest = sorted(times, key=lambda path: times[path], reverse=True)[5:]
    return [path for path in oldest if times[path] < time.time() - 3600]
