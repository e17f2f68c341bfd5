"""Stores a compiled program as a folder: MLIR of each level, instruction words, and a manifest with the digests of all
files.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.access.layout import Layout
from allo_air.dialects.host_buffers import Packing
from allo_air.dtypes import element_of, numpy_dtype
from allo_air.errors import AlloAirError
from allo_air.program.host.linked import Buffer, Linked, Result, Run
from allo_air.program.host.signature import Argument
from allo_air.program.lowering import Lowered
from allo_air.program.storage.digest import FORMAT, sha256, versions
from allo_air.program.texts import Texts

if TYPE_CHECKING:
    import numpy as np

MANIFEST, BINARY, HEX = "manifest.json", "insts.bin", "insts.txt"
CONSTANT = "constant-{}.bin"
BYTECODE = ".mlirbc"


class DamagedError(AlloAirError):
    """A folder contains no program, or its files are not those that were saved."""


def write(folder: Path, lowered: Lowered, manifest: Mapping[str, bool | int], *, as_held: bool = False) -> None:
    """Saves a program in `folder`. An existing program there is replaced in one step; AlloAirError if the folder contains
    anything else.

    Levels are stored as MLIR text; with `as_held`, as bytecode if they are bytecode.
    """
    if folder.exists() and not folder.is_dir():
        raise AlloAirError(f"cannot save to '{folder}': it is a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise AlloAirError(f"cannot save to '{folder}': it holds something else than a program; give a new folder")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        path = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise AlloAirError(f"cannot save to '{folder}': {error.strerror}") from None
    try:
        _fill(path, lowered, manifest, as_held)
        os.chmod(path, 0o777 & ~_umask())
        _replace(path, folder)
    except OSError as error:
        raise AlloAirError(f"cannot save to '{folder}': {error.strerror}") from None
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _replace(path: Path, folder: Path) -> None:
    """Replaces `folder` by `path`."""
    if not folder.exists():
        with contextlib.suppress(FileExistsError):
            os.rename(path, folder)
            return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
    os.rename(folder, old / "program")
    os.rename(path, folder)
    shutil.rmtree(old, ignore_errors=True)


def _fill(folder: Path, lowered: Lowered, entries: Mapping[str, bool | int], as_held: bool) -> None:
    files: dict[str, bytes] = {}
    levels: dict[str, str] = {}
    texts = lowered.texts.stored if as_held and isinstance(lowered.texts, Texts) else lowered.texts
    for number, (level, text) in enumerate(texts.items()):
        levels[level] = f"{number:02}-{level}{BYTECODE if isinstance(text, bytes) else '.mlir'}"
        files[levels[level]] = text if isinstance(text, bytes) else (text if text.endswith("\n") else f"{text}\n").encode()
    files[BINARY] = b"".join(word.to_bytes(4, "little") for word in lowered.words)
    files[HEX] = "".join(f"{word:08X}\n" for word in lowered.words).encode()
    for number, constant in enumerate(lowered.constants):
        files[CONSTANT.format(number)] = constant.tobytes()
    manifest = {
        "format": FORMAT,
        **entries,
        "versions": versions(),
        "levels": levels,
        "syntax": lowered.syntax,
        "arguments": [asdict(a) for a in lowered.arguments],
        "linked": None if lowered.linked is None else asdict(lowered.linked),
        "constants": [_described(c) for c in lowered.constants],
        "notes": lowered.notes,
        "files": {name: sha256(data) for name, data in files.items()},
    }
    digest = sha256(json.dumps(manifest, indent=2).encode())
    files[MANIFEST] = (json.dumps({"sha256": digest} | manifest, indent=2) + "\n").encode()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def read(folder: Path) -> tuple[Lowered, dict[str, Any]]:
    """Reads the program in `folder` and its manifest. Raises DamagedError if something is missing or changed."""
    manifest = _manifest(folder)
    files = {}
    for name, digest in manifest["files"].items():
        files[name] = _bytes(folder, name)
        if sha256(files[name]) != digest:
            raise DamagedError(f"'{folder / name}' is not the file that was saved: its digest differs; save the program again")
    try:
        texts = Texts({level: _level(name, files[name]) for level, name in manifest["levels"].items()}, manifest["syntax"])
        arguments = tuple(_argument(a) for a in manifest["arguments"])
        words = tuple(memoryview(files[BINARY]).cast("I").tolist())
        constants = tuple(_constant(files[CONSTANT.format(n)], c) for n, c in enumerate(manifest["constants"]))
        linked = None if manifest["linked"] is None else _linked(manifest["linked"])
        notes = dict(manifest["notes"])
        return Lowered(texts, words, arguments, manifest["device"], notes, (), linked, constants), manifest
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"'{folder / MANIFEST}' is damaged: {error!r}; save the program again") from None


def _level(name: str, data: bytes) -> str | bytes:
    return data if name.endswith(BYTECODE) else data.decode()


def _argument(values: dict[str, Any]) -> Argument:
    layout = None if values.get("layout") is None else Layout.of(**values["layout"])
    return Argument(**values | {"shape": tuple(values["shape"]), "padded": tuple(values["padded"]), "layout": layout})


def _linked(values: dict[str, Any]) -> Linked:
    buffers = tuple(Buffer(**_position_fields(b) | {"shape": tuple(b["shape"])}) for b in values["buffers"])
    runs = tuple(Run(**r | {"lines": tuple(r["lines"])}) for r in values.get("runs", ()))
    return Linked(buffers, None if values["results"] is None else tuple(map(_result, values["results"])), runs)


def _result(values: dict[str, Any]) -> Result:
    high = values.get("high")
    return Result(**_position_fields(values) | {"high": None if high is None else _result(high)})


def _position_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The fields that describe where a buffer contains an array."""
    packed = values.get("packing")
    packing = None if packed is None else Packing(Layout.of(**packed["layout"]), tuple(packed["shape"]))
    return values | {"view": tuple(values["view"]), "packing": packing}


def _described(constant: np.ndarray) -> dict[str, Any]:
    """Shape and type of a constant, whose bytes are in a file."""
    return {"shape": list(constant.shape), "element": element_of(constant.dtype)}


def _constant(data: bytes, described: Mapping[str, object]) -> Any:
    import numpy as np

    return np.frombuffer(data, numpy_dtype(described["element"])).reshape(described["shape"])


def _manifest(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        reason = "it is a file" if folder.exists() else "no such folder"
        raise DamagedError(f"'{folder}' is not a folder of a saved program: {reason}")
    if not (folder / MANIFEST).is_file():
        raise DamagedError(f"'{folder}' is not a folder of a saved program: it has no {MANIFEST}")
    try:
        loads = json.loads(_bytes(folder, MANIFEST))
        if not isinstance(loads, dict) or not isinstance(loads.get("files"), dict):
            raise DamagedError(f"'{folder / MANIFEST}' is not a manifest of an allo_air program")
    except ValueError as error:
        raise DamagedError(f"'{folder / MANIFEST}' is damaged: {error}") from None
    if loads.get("format") != FORMAT:
        raise DamagedError(
            f"'{folder}' is stored in format {loads.get('format')}, this allo_air reads format {FORMAT}; compile it again"
        )
    info = loads.pop("sha256", None)
    if info != sha256(json.dumps(loads, indent=2).encode()):
        raise DamagedError(f"'{folder / MANIFEST}' was changed after it was saved: its digest differs; save the program again")
    return loads


def _bytes(folder: Path, name: str) -> bytes:
    if Path(name).name != name:
        raise DamagedError(f"'{folder / MANIFEST}' names the file '{name}' outside the folder")
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise DamagedError(f"cannot read '{folder / name}': {error.strerror}") from None
