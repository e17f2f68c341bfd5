"""Our replacement of the cores' tool chain (Peano): `clang++ -c k.cc -o k.o -DDIM_M=64` records how `k.o` is made.

Kernels are built for the simulator when a program runs. They are also compiled once for the host immediately, so that errors
are shown at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from allo_air.aie_api import build, objects
from allo_air.errors import AlloAirError

_WITH_VALUE = frozenset({
    "-o", "-x", "-MF", "-MT", "-MQ", "-target", "--target", "-isystem", "-iquote", "-idirafter", "-include", "-I", "-D", "-U",
    "-L", "-Xclang", "-mllvm", "-Xlinker", "-T", "-arch", "-march", "-std", "--sysroot", "-isysroot",
    "-resource-dir", "-u", "-z",
})  # fmt: skip
_TARGETS = ("aie2", "aie2p")
"""The cores that the emulation of the AIE API has."""
_SOURCES = (".cc", ".cpp", ".cxx", ".c++", ".C", ".c")
_VERSION = "clang version 20.0.0 (allo_air's stand-in: kernels run on the simulator)\nTarget: aie2-none-unknown-elf"
_OBJECTS = (".o", ".a", ".obj", ".lo")


@dataclass
class _Line:
    """The relevant parts of a C++ compiler's command line."""

    inputs: list[str] = field(default_factory=list)
    output: str = ""
    defines: dict[str, str] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    target: str = ""
    only: str = ""
    flags: list[str] = field(default_factory=list)
    depends: str = ""


def _parsed(arguments: Sequence[str]) -> _Line:
    line, rest = _Line(), list(arguments)
    while rest:
        word = rest.pop(0)
        if word.startswith("@") and Path(word[1:]).is_file():
            import shlex

            rest[:0] = shlex.split(Path(word[1:]).read_text())
            continue
        name, value = word, ""
        if word in _WITH_VALUE:
            if not rest:
                raise AlloAirError(f"argument to '{word}' is missing")
            value = rest.pop(0)
        elif word.startswith(("--target=", "-std=")):
            name, _, value = word.partition("=")
        elif len(word) > 2 and word[:2] in ("-D", "-I", "-U", "-o") and not word.startswith("-offload"):
            name, value = word[:2], word[2:]
        elif word.startswith("-isystem") and len(word) > 8:
            name, value = "-isystem", word[8:]
        _take(line, name, value)
    return line


def _take(line: _Line, name: str, value: str) -> None:
    if name == "-D":
        key, _, text = value.partition("=")
        line.defines[key] = text if "=" in value else "1"
    elif name == "-U":
        line.defines.pop(value, None)
    elif name in ("-I", "-isystem", "-iquote", "-idirafter"):
        line.includes.append(value)
    elif name == "-include":
        line.before.append(value)
    elif name in ("-target", "--target", "-march"):
        line.target = value
    elif name == "-o":
        line.output = value
    elif name == "-MF":
        line.depends = value
    elif name in ("-c", "-S", "-E", "-fsyntax-only", "-emit-llvm"):
        line.only = name if line.only in ("", "-c") else line.only
    elif not name.startswith("-") or name == "-":
        line.inputs.append(name)
    else:
        line.flags.append(name)


def _clang(arguments: Sequence[str]) -> int:
    if not arguments:
        raise AlloAirError("no input files")
    if {"--version", "-dumpversion", "--help", "-print-resource-dir", "-print-search-dirs"} & set(arguments):
        print(_VERSION)
        return 0
    line = _parsed(arguments)
    if "-v" in line.flags:
        print(_VERSION, file=sys.stderr)
        if not line.inputs:
            return 0
    is_program = not line.target and not line.only and any(f.startswith("-l") for f in line.flags)
    if is_program or (line.target and "aie" not in line.target.lower()):
        return _host(arguments)
    if line.target and line.target.lower().partition("-")[0] not in _TARGETS:
        raise AlloAirError(f"unknown target triple '{line.target}': there are aie2-none-unknown-elf and aie2p-none-unknown-elf")
    sources = [f for f in line.inputs if Path(f).suffix in _SOURCES]
    inputs = [f for f in line.inputs if f not in sources]
    if not line.inputs:
        raise AlloAirError("no input files")
    if line.only == "-E":
        return subprocess.call([*_base(line), "-E", "-x", "c++", *sources, *(["-o", line.output] if line.output else [])])
    notes = [_recorded(line, Path(f)) for f in sources]
    for input_path in inputs:
        result = objects.read(input_path)
        if result is None:
            raise AlloAirError(_has_unknown_kind(input_path))
        notes += result
    if line.only == "-fsyntax-only":
        return 0
    _write_output(line, sources, notes)
    return 0


def _write_output(line: _Line, sources: Sequence[str], notes: Sequence[objects.ObjectNote]) -> None:
    ending = {"-S": ".s", "-emit-llvm": ".bc"}.get(line.only, ".o")
    if line.output:
        objects.write(line.output, notes)
    elif line.only:
        for file, note in zip(sources, notes, strict=False):
            objects.write(Path(file).with_suffix(ending).name, [note])
    else:
        objects.write("a.out", notes)
    if line.depends:
        Path(line.depends).write_text(f"{line.output}: {' '.join(sources)}\n")


def _has_unknown_kind(file: str) -> str:
    if not Path(file).exists():
        return f"no such file or directory: '{file}'"
    if Path(file).suffix in (".ll", ".bc", ".s", ".S", ".mlir"):
        return (
            f"'{file}' is not C++: the simulator runs kernels that are C++ (also MLIR and Python, by `kernels=`), "
            "no LLVM IR or assembly"
        )
    return f"'{file}' is not an object file of this tool chain: build it by clang++ -c under allo-env"


def _arch(line: _Line) -> str:
    return "AIE2p" if "aie2p" in line.target.lower() else "AIE2"


def _base(line: _Line) -> list[str]:
    return build.command(_arch(line), line.defines, _folders(line))


def _folders(line: _Line) -> list[Path]:
    """The include folders, without those of the replaced tool chain, since the emulation's headers precede them."""
    own = os.environ.get("ALLO_ENV_ROOT", "")
    results = [Path(i).absolute() for i in line.includes]
    return [p for p in results if not (own and p.resolve().is_relative_to(Path(own).resolve()))]


def _recorded(line: _Line, source: Path) -> objects.ObjectNote:
    if not source.is_file():
        raise AlloAirError(f"no such file or directory: '{source}'")
    if line.before:
        header = line.before[0]
        raise AlloAirError(f'-include {header} is not supported for cores: write #include "{header}" in {source}')
    includes = [source.absolute().parent, *_folders(line)]
    names = build.checked(source, _arch(line), line.defines, includes)
    return objects.ObjectNote(
        str(source.absolute()), dict(line.defines), tuple(map(str, includes)), tuple(dict.fromkeys(names))
    )


def _host(arguments: Sequence[str]) -> int:
    return subprocess.call([build.compiler(), *arguments])


def _ar(arguments: Sequence[str]) -> int:
    """`llvm-ar rcs lib.a a.o b.o`, or `t lib.a`."""
    rest = [a for a in arguments if not a.startswith("--")]
    if len(rest) < 2:
        print("llvm-ar: allo_air's stand-in")
        return 0
    action, archive, *files = rest
    if "t" in action:
        print("\n".join(Path(n.source).with_suffix(".o").name for n in objects.read(archive) or []))
        return 0
    if "x" in action:
        for note in objects.read(archive) or []:
            objects.write(Path(note.source).with_suffix(".o").name, [note])
        return 0
    notes = (objects.read(archive) or []) if "r" in action or "q" in action else []
    added = _of_objects(files)
    objects.write(archive, [*(n for n in notes if n not in added), *added])
    return 0


def _of_objects(files: Sequence[str]) -> list[objects.ObjectNote]:
    notes: list[objects.ObjectNote] = []
    for file in files:
        if (result := objects.read(file)) is None:
            raise AlloAirError(_has_unknown_kind(file))
        notes += result
    return notes


def _lld(arguments: Sequence[str]) -> int:
    line = _parsed(arguments)
    if "--version" in arguments or ("-v" in arguments and not line.inputs):
        print("LLD 20.0.0 (allo_air's stand-in)")
        return 0
    files = [f for f in line.inputs if Path(f).suffix in _OBJECTS]
    objects.write(line.output or "a.out", _of_objects(files))
    return 0


def _copy(arguments: Sequence[str]) -> int:
    """Tools that change an object in ways that have no effect here: objcopy, strip, ranlib; `opt` and `llc` on our records."""
    line = _parsed(arguments)
    if {"--version", "-v"} & set(arguments):
        print("LLVM version 20.0.0 (allo_air's stand-in)")
        return 0
    if not line.inputs:
        return 0
    output = line.output or (line.inputs[1] if len(line.inputs) > 1 else line.inputs[0])
    objects.write(output, _of_objects(line.inputs[:1]))
    return 0


def _names(arguments: Sequence[str]) -> int:
    """`nm`, `objdump -t`, `size`: the functions of an object."""
    for file in (a for a in arguments if not a.startswith("-")):
        for note in _of_objects([file]):
            print("\n".join(f"00000000 T {name}" for name in note.functions))
    return 0


TOOLS: dict[str, Callable[[Sequence[str]], int]] = {
    "clang": _clang, "clang++": _clang, "llvm-ar": _ar, "llvm-ranlib": _copy, "ld.lld": _lld, "lld": _lld, "llvm-link": _lld,
    "llvm-objcopy": _copy, "llvm-strip": _copy, "opt": _copy, "llc": _copy, "llvm-nm": _names, "llvm-objdump": _names,
    "llvm-size": _names, "llvm-readelf": _names,
}  # fmt: skip
"""The programs in `$PEANO_INSTALL_DIR/bin`, each with its replacement."""


def main(tool: str, arguments: Sequence[str]) -> int:
    """Runs `tool`. If it fails, prints the reason to standard error and returns 1."""
    try:
        return TOOLS[tool](arguments)
    except AlloAirError as error:
        print("\n".join(f"{tool}: error: {d.message}" for d in error.diagnostics), file=sys.stderr)
    except OSError as error:
        print(f"{tool}: error: {error.filename or ''}: {error.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
