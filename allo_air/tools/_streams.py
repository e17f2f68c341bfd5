"""Replaces standard streams that the caller has closed (`allo-opt file >&-`)."""

import io
import os
import sys


def reopen() -> None:
    """Opens the descriptors 0, 1 and 2 if they are closed, so that no other file gets these numbers and `sys` has its
    streams.

    Characters that the terminal's encoding lacks are written as question marks. Reading from a closed standard input and
    writing to a closed standard output still fail (EBADF); text for a closed standard error is discarded.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
