"""Compiles a kernel's C++ file for the host with the headers in this folder, once for each content."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from allo_air.aie_api import apart
from allo_air.aie_api.cache import default_folder
from allo_air.aie_api.open_loops import functions_in, open_loops
from allo_air.aie_api.precompiled import HEADERS, PRELUDE, RUNTIME, runtime, with_headers
from allo_air.errors import AlloAirError

SUFFIXES = (".cc", ".cpp", ".cxx", ".c++", ".C")
ARCHITECTURES = {"AIE2": 20, "AIE2p": 21}
"""`__AIE_ARCH__` as the cores' compilers define it."""

_FLAGS = (
    "-std=c++20",
    "-O2",
    "-fPIC",
    "-shared",
    "-fstack-protector-strong",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-ffp-contract=off",
    "-w",
)
_AROUND = ("aie_api/detail/hide_macros.hpp", "allo_aie_call.hpp")
"""Headers of the functions through which kernels are called."""
_LOOP_HINTS = "aie_kernel_utils.h"
_ENDS = ("exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail", "__stack_chk_fail")
"""Functions that would end the process; allo_aie_faults.hpp has what kernels call instead."""


def compiler() -> str:
    """The host's C++ compiler: `$CXX`, c++, g++ or clang++. Raises AlloAirError if none of them is installed."""
    if (path := find_compiler()) is not None:
        return path
    raise AlloAirError(
        f"a kernel in C++ needs a C++ compiler, and the host has none (searched: {', '.join(_compilers())}); install one "
        "(as `apt install g++`), set CXX, or give the kernel as a Python function"
    )


def find_compiler() -> str | None:
    """The path of the host's C++ compiler, or None."""
    return next((path for name in _compilers() if (path := shutil.which(name)) is not None), None)


def _compilers() -> list[str]:
    return [c for c in (os.environ.get("CXX"), "c++", "g++", "clang++") if c]


def build(
    source: Path,
    name: str,
    arch: str,
    defines: Mapping[str, object],
    includes: Sequence[Path],
    folder: Path | None = None,
    beside: Sequence[tuple[Path, Mapping[str, object], Sequence[Path]]] = (),
) -> Path:
    """The shared library of the functions of `source`, `name` among them, from `folder` (a cache) if it was built before.

    `beside` are other sources (file, macros, include folders) that are linked with it: functions and tables that it uses.

    AlloAirError with the compiler's message where the file does not compile or has no such function.
    """
    line = command(arch, defines, includes)
    text = _expanded(line, source)
    names = sorted({name, *functions(text)})
    rest = [_Source(file, words := command(arch, macros, folders), _expanded(words, file)) for file, macros, folders in beside]
    texts = [text, *(each.expanded for each in rest)]
    all_names = {*names, *(n for each in rest for n in functions(each.expanded))}
    renamed = apart.own_names(all_names, [*texts, *_expanded_runtime(all_names, arch)])
    wrapper = "".join(f"#include <{header}>\n" for header in _AROUND)
    wrapper += f'extern "C" decltype({renamed.get(name, name)}) {renamed.get(name, name)};\n'  # fails for another linkage
    wrapper += "".join(f"ALLO_AIE_KERNEL({n}, {renamed.get(n, n)})\n" for n in names)
    heads = [
        f'"{renamed.get(function, function)}", {head}, '
        for each in texts
        for function, head in open_loops(_own(each), functions(each))
    ]
    wrapper += f"extern const char *const allo_aie_open_loops[] = {{{''.join(heads)}nullptr}};\n"
    parts = [part for each in rest for part in (*each.command, each.expanded)]
    parts += [(HEADERS / file).read_text() for file in (*_AROUND, *RUNTIME)]
    digest = hashlib.sha256("\0".join([*line, str(source.resolve()), wrapper, text, *parts]).encode()).hexdigest()
    library = (folder or default_folder()) / f"{source.stem}-{digest[:20]}.so"
    if not library.exists():
        _compile(_Job(arch, name, wrapper, renamed), _Source(source, line, text), library, rest)
    return library


def functions_of(source: Path, defines: Mapping[str, object], includes: Sequence[Path]) -> list[str]:
    """Names of the `extern "C"` functions of a file."""
    return functions(_expanded(command("AIE2", defines, includes), source))


def checked(source: Path, arch: str, defines: Mapping[str, object], includes: Sequence[Path]) -> list[str]:
    """Names of the `extern "C"` functions of a file that compiles; AlloAirError with the compiler's message where not."""
    line = command(arch, defines, includes)
    text = _expanded(line, source)
    names = functions(text)
    with tempfile.TemporaryDirectory() as work:
        file, flags = apart.file_with_names(source, apart.own_names(names, [text]), Path(work))
        done = _run_with_headers(arch, line, text, [*flags, "-fsyntax-only", "-x", "c++", str(file)], Path(work))
    if done.returncode:
        raise AlloAirError(_first_errors(source, done.stderr))
    return names


def command(arch: str, defines: Mapping[str, object], includes: Sequence[Path]) -> list[str]:
    """The host's compiler with the flags that all kernels have, and those of one."""
    macros = [f"-D{k}" if v is None or v == "" else f"-D{k}={v}" for k, v in defines.items()]
    return [*_shared(arch), *(f"-I{i}" for i in includes), *macros]


def _shared(arch: str) -> list[str]:
    """The host's compiler with the flags that all kernels have."""
    own = (HEADERS, HEADERS / "aie_api")  # the second for "../aie_kernel_utils.h"
    macros = ["-D__AIE__=1", "-D__PEANO__=1", f"-D__AIE_ARCH__={ARCHITECTURES[arch]}", f"-D__AIEARCH__={ARCHITECTURES[arch]}"]
    return [compiler(), *_FLAGS, *(f"-I{i}" for i in own), "-include", PRELUDE, *macros]


def uses_ports(source: Path) -> bool:
    """Whether the kernels of a file may wait for a cascade or a stream."""
    return re.search(r"\b(get_scd|put_mcd|get_ss|put_ms)", source.read_text(errors="replace")) is not None


def _expanded(command: Sequence[str], source: Path) -> str:
    """The file with all that it includes, as the compiler sees it."""
    done = _run([*command, "-E", "-x", "c++", str(source)])
    if done.returncode:
        raise AlloAirError(_first_errors(source, done.stderr))
    return done.stdout


def _expanded_runtime(names: Collection[str], arch: str) -> list[str]:
    """The code that calls kernels, as the compiler sees it, if it calls one of `names`: that is not the kernel's function."""
    text = "\n".join((HEADERS / file).read_text() for file in RUNTIME)
    return [_expanded(_shared(arch), HEADERS / RUNTIME[0])] if any(re.search(rf"\b{n}\s*\(", text) for n in names) else []


@dataclass(frozen=True)
class _Source:
    """A file, the compiler with its flags, and the file with all that it includes."""

    file: Path
    command: list[str]
    expanded: str


@dataclass(frozen=True)
class _Job:
    """A library to build: function `name` for `arch`, with the code of `wrapper` after the kernel's file, and new names for
    some functions.
    """

    arch: str
    name: str
    wrapper: str
    renamed: dict[str, str]


def _compile(job: _Job, kernel: _Source, library: Path, beside: Sequence[_Source]) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as work:
        main, result = Path(work) / "kernel.cpp", Path(work) / "kernel.so"
        objects = []
        for number, each in enumerate(beside):
            objects.append(str(Path(work) / f"{number}.o"))
            file, flags = apart.file_with_names(each.file, job.renamed, Path(work))
            words = [word for word in each.command if word != "-shared"] + list(flags)
            done = _run_with_headers(
                job.arch, words, each.expanded, ["-c", "-x", "c++", str(file), "-o", objects[-1]], Path(work)
            )
            if done.returncode:
                raise AlloAirError(_first_errors(each.file, done.stderr))
        file, flags = apart.file_with_names(kernel.file.resolve(), job.renamed, Path(work))
        main.write_text(f'#include "{file}"\n{job.wrapper}')
        # -Bsymbolic: calls are of the library's own functions, not of those of the process with the same name
        linked = ",".join(["-Wl,-Bsymbolic", *(f"--wrap={name}" for name in _ENDS)])
        words = [*flags, str(main), *objects, str(runtime(_shared(job.arch), Path(work))), linked, "-o", str(result)]
        done = _run_with_headers(job.arch, kernel.command, kernel.expanded, words, Path(work))
        if done.returncode:
            raise AlloAirError(_unfit(kernel.file, job.name, done.stderr) or _first_errors(kernel.file, done.stderr))
        os.replace(result, library)


def calls(source: Path, name: str, defines: Mapping[str, object], includes: Sequence[Path]) -> set[str]:
    """Names of the functions that function `name` of a file calls, by itself or by others of the file."""
    bodies: dict[str, set[str]] = {}
    for function in functions_in(_without_headers(_expanded(command("AIE2", defines, includes), source))):
        bodies.setdefault(function.name, set()).update(re.findall(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>\s*)?\(", function.body))
    symbols: set[str] = set()
    pending = [name]
    while pending:
        new = bodies.get(pending.pop(), set()) - symbols
        symbols |= new
        pending += new
    return symbols


def _without_headers(expanded: str) -> str:
    """The preprocessed file as one line, without our headers and the system's, and without string literals."""
    return re.sub(r'"(\\.|[^"\\])*"', lambda m: m[0] if m[0] == '"C"' else '""', _own(expanded))


def _own(expanded: str) -> str:
    """The preprocessed file as one line, without our headers and the system's."""
    own = True
    lines = []
    for line in expanded.splitlines():
        if line.startswith("# "):
            file = line.split('"')[1] if '"' in line else ""
            own = not (file.startswith(("<", "/usr/", str(HEADERS))) or " 3" in line.rpartition('"')[2])
        elif own:
            lines.append(line)
    return " ".join(lines)


def functions(expanded: str) -> list[str]:
    """Names of the `extern "C"` functions in what the compiler sees of a file, without headers of the system and ours."""
    results = []
    depth, inside = 0, None
    text = _without_headers(expanded)
    for token in re.finditer(r'extern\s+"C"\s*(\{)?|(\w+)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*\{|[{}]', text):
        if token[0] == "}":
            depth -= 1
            inside = None if inside is not None and depth < inside else inside
        elif token[0].startswith("extern"):
            depth += bool(token[1])
            inside = depth
        else:
            if token[2] and inside == depth:
                results.append(token[2])
                inside = None if token[1] is None and depth == 0 else inside
            depth += 1
    return results


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    plain = {**os.environ, "LC_ALL": "C"}  # messages in ASCII
    return subprocess.run(command, capture_output=True, text=True, check=False, env=plain)


def _run_with_headers(
    arch: str, command: Sequence[str], expanded: str, words: Sequence[str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Runs the compiler with precompiled headers. If that fails, runs it without them, so that messages do not depend on the
    cache."""
    line = with_headers(command, _shared(arch), expanded, folder)
    if line is not None and not (done := _run([*line, *words])).returncode:
        return done
    return _run([*command, *words])


def _unfit(source: Path, name: str, message: str) -> str:
    """The error if the file does not define `name`, or not with C linkage; else empty."""
    if re.search(
        rf"\b{name}\b.*(with 'C' linkage|has a different language linkage)"
        r"|'decltype' cannot resolve address of overloaded|reference to overloaded function could not be resolved",
        message,
    ):
        return (
            f"{source}: function '{name}' is not extern \"C\", so that the linker of the core's program does not find it under "
            f'that name; write extern "C" before its definition'
        )
    if not re.search(
        rf"'(::)?{name}' (has not been|was not) declared|undeclared identifier '{name}'"
        rf"|no member named '{name}' in the global namespace",
        message,
    ):
        return ""
    return (
        f"{source} has no function '{name}'; a kernel is an extern \"C\" function of that name, and where macros make it, "
        "defines= (or -D) gives them"
    )


def _first_errors(source: Path, message: str) -> str:
    """The compiler's first errors, with the name from the AIE API that is not emulated, if that is the reason."""
    lines = [line for line in message.splitlines() if "error" in line] or message.splitlines()
    unknown = re.search(r"'(\w+)' is not a member of 'aie'|no member named '(\w+)' in namespace 'aie'", message)
    if unknown:
        lines[4:] = [f"note: aie::{unknown[1] or unknown[2]} is not in the emulation of the AIE API in {HEADERS / 'aie_api'}"]
    own = re.search(r"'(\w+)' was not declared in this scope|use of undeclared identifier '(\w+)'", message)
    if own and not unknown:
        name = own[1] or own[2]
        macros = re.findall(r"#define (\w+)", (HEADERS / _LOOP_HINTS).read_text())
        missing = f"if {name} is a function of the core, the emulation in {HEADERS / 'aie_api'} does not have it"
        lines[4:] = [f"note: {f'{name} is a macro of {_LOOP_HINTS}: include it' if name in macros else missing}"]
    return f"{source} does not compile for the simulator:\n" + "\n".join(lines[:5])
