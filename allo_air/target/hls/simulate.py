"""C simulation: compiles emitted C++ for the host with the headers in this folder, and calls it on numpy arrays."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.aie_api.build import compiler
from allo_air.aie_api.cache import default_folder
from allo_air.errors import AlloAirError
from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.signatures import Signature

if TYPE_CHECKING:
    import numpy as np

HEADERS = Path(__file__).with_name("include")
_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-w", "-pthread")
_ROOM = 4096
_STACK = 1 << 29
"""Local arrays of emitted functions are on the stack."""


def simulation(
    code: str,
    signature: Signature,
    sizes: Sequence[int],
    flavor: Flavor,
    includes: Sequence[Path] = (),
    sources: Sequence[Path] = (),
) -> Callable[[Sequence[Any]], None]:
    """Function `signature` of `code`, called with an array for each argument and result whose elements take `sizes` bytes."""
    text = f"{code}\n{_entry(signature, sizes, flavor)}"
    command = [compiler(), *_FLAGS, f"-I{HEADERS}", *(f"-I{i}" for i in includes)]
    library = _cached_library(signature.name, [*command, text, *(s.read_text() for s in sources)])
    if not library.exists():
        _compile(command, text, sources, library)
    entry = _loaded(library, own="static " in code).allo_hls_entry

    def run(arrays: Sequence[np.ndarray]) -> None:
        error = ctypes.create_string_buffer(_ROOM)
        pointers = (ctypes.c_void_p * max(len(arrays), 1))(*(a.ctypes.data for a in arrays))
        counts = (ctypes.c_int64 * max(len(arrays), 1))(*(a.size for a in arrays))
        _on_large_stack(lambda: entry(pointers, counts, error, _ROOM))
        if error.value:
            raise AlloAirError(f"C simulation of '{signature.name}': {error.value.decode(errors='replace')}")

    return run


def external(name: str, files: Sequence[str], includes: Sequence[str]) -> Callable[[Sequence[Any]], None]:
    """Function `name` of C++ files, called on arrays, which it changes; the compiler knows the types of its parameters."""
    first, *rest = map(Path, files)
    text = f"""#include "{first}"
#include <allo_hls_call.hpp>
extern "C" int allo_hls_entry(void **a, const int64_t *n, const int *sizes, char *error, int room) {{
  return allo_hls::guarded(error, room, [&] {{ allo_hls::apply({name}, a, n, sizes); }});
}}
"""
    command = [compiler(), *_FLAGS, f"-I{HEADERS}", *(f"-I{i}" for i in includes)]
    library = _cached_library(name, [*command, text, *(Path(f).read_text() for f in files)])
    if not library.exists():
        _compile(command, text, rest, library)
    entry = ctypes.CDLL(str(library)).allo_hls_entry

    def run(arrays: Sequence[np.ndarray]) -> None:
        error = ctypes.create_string_buffer(_ROOM)
        pointers = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        counts, sizes = (
            (ctypes.c_int64 * len(arrays))(*(a.size for a in arrays)),
            (ctypes.c_int * len(arrays))(*(a.itemsize for a in arrays)),
        )
        _on_large_stack(lambda: entry(pointers, counts, sizes, error, _ROOM))
        if error.value:
            raise AlloAirError(f"C++ function '{name}': {error.value.decode(errors='replace')}")

    return run


def _loaded(library: Path, *, own: bool) -> ctypes.CDLL:
    """The library; a copy if it has its `own` state, which modules with equal text must not share."""
    if not own:
        return ctypes.CDLL(str(library))
    with tempfile.TemporaryDirectory() as folder:
        return ctypes.CDLL(shutil.copy(library, folder))


def _cached_library(name: str, info: Sequence[str]) -> Path:
    """The file of the cached library for the sources `info`."""
    everything = [*info, *(h.read_text() for h in sorted(HEADERS.iterdir()))]
    return default_folder() / f"{name}-{hashlib.sha256(chr(0).join(everything).encode()).hexdigest()[:20]}.so"


def _compile(command: list[str], text: str, sources: Sequence[Path], library: Path) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as work:
        main, result = Path(work) / "kernel.cpp", Path(work) / "kernel.so"
        main.write_text(text)
        done = subprocess.run(
            [*command, str(main), *map(str, sources), "-o", str(result)], capture_output=True, text=True, check=False,
            env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
            raise AlloAirError("the C++ does not compile on the host:\n" + "\n".join(lines[:5]))
        os.replace(result, library)


def _on_large_stack(run: Callable[[], object]) -> None:
    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()


def _entry(signature: Signature, sizes: Sequence[int], flavor: Flavor) -> str:
    """A function that takes addresses of arrays."""
    lines, values, back = [], [], []
    count = len(signature.arguments)
    for number, result in enumerate(signature.results):
        if isinstance(result, int):
            back.append(f"    std::memcpy(a[{count + number}], a[{result}], b{result}.count * b{result}.size);")
    numbers = [*range(count), *(count + n for n, r in enumerate(signature.results) if not isinstance(r, int))]
    for number, parameter in zip(numbers, signature.parameters, strict=True):
        kind, shape = parameter.kind.text(flavor), parameter.shape or ()
        name = f"b{number}"
        lines.append(f"    allo_hls::block<{kind}> {name}(a[{number}], n[{number}], {sizes[number]});")
        if parameter.is_out or number in signature.written:
            back.insert(0, f"    {name}.back();")
        if len(shape) > 1:
            values.append(f"reinterpret_cast<{kind} (*){''.join(f'[{s}]' for s in shape[1:])}>({name}.data)")
        else:
            values.append(f"{'' if shape or parameter.is_out else '*'}{name}.data")
    return "\n".join(
        [
            "#include <allo_hls_call.hpp>",
            'extern "C" int allo_hls_entry(void **a, const int64_t *n, char *error, int room) {',
            "  return allo_hls::guarded(error, room, [&] {",
            *lines,
            f"    {signature.name}({', '.join(values)});",
            *back,
            "  });",
            "}",
            "",
        ]
    )
