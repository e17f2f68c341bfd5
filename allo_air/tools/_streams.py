"""Standard streams that the caller has closed (`allo-opt file >&-`)."""

import io
import os
import sys


def reopen() -> None:
    """Puts something at the descriptors 0, 1 and 2 that are closed: no other file takes their place, and `sys` has its streams.

    What the terminal's encoding has no sign for is written as a question mark.

    Reading from a closed standard input, or writing to a closed standard output, stays an error (EBADF); what would go to a
    closed standard error is lost, as the caller asked.
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
