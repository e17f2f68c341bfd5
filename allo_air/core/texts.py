"""MLIR text as users give it: the path of a file, or the text itself."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from allo_air.errors import AlloAirError, ArgumentError, with_article

_ONLY_IN_TEXT = "\n{"
"""Characters of MLIR text that paths do not contain."""


def text_of(value: object, verb: str) -> tuple[str, str]:
    """Returns the text in `value` (a path, text or bytes) and its name for diagnostics.

    `verb` is used in messages, such as "compile". Raises AlloAirError for other values and for files that cannot be read.
    """
    if isinstance(value, bytes):
        try:
            return value.decode(), "<text>"
        except UnicodeDecodeError:
            raise ArgumentError(
                f"cannot {verb} these bytes: they are not text in UTF-8; give MLIR text, not a binary"
            ) from None
    if not isinstance(value, str | os.PathLike):
        raise ArgumentError(f"cannot {verb} {with_article(type(value).__name__)}: expected a path, MLIR text or a module")
    if isinstance(value, str):
        if not value.strip():
            raise ArgumentError(f"cannot {verb} an empty text: expected a path, MLIR text or a module")
        if any(c in value for c in _ONLY_IN_TEXT) and ("\n" in value or not Path(value).is_file()):
            return value, "<text>"
    return read_text(Path(value)), os.fspath(value)


def read_bytes(file: str | os.PathLike[str]) -> bytes:
    """The contents of `file`; `-` is standard input. Raises OSError if it cannot be read, for example a device without end."""
    if os.fspath(file) == "-":
        return _all_of(sys.stdin.buffer)
    with open(file, "rb") as opened:
        return _all_of(opened)


def _all_of(opened: BinaryIO) -> bytes:
    try:
        result = os.fstat(opened.fileno())
    except OSError:  # no file of the system's
        return opened.read()
    if stat.S_ISCHR(result.st_mode) and not opened.isatty() and result.st_rdev != os.stat(os.devnull).st_rdev:
        raise OSError(errno.EINVAL, "it is a device, which may have no end; give a file")
    return opened.read()


def read_text(path: Path) -> str:
    """The text of file `path`, `-` is standard input; AlloAirError if it cannot be read."""
    try:
        return read_bytes(path).decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise AlloAirError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise AlloAirError(f"cannot read '{path}': it is not text in UTF-8") from None
    except ValueError as error:
        raise AlloAirError(f"cannot read {str(path)!r}: {error}") from None
