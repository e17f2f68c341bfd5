"""Keeps a crash of MLIR's C++ code from taking the tool down without a word.

MLIR's parser, verifiers and passes may crash on input that nobody foresaw. A tool therefore does its work in a child process;
when the child dies of a signal, the parent says so, and what it was doing: the child keeps `doing` up to date in a page of
memory that both see.
"""

import mmap
import os
import signal
import sys
from collections.abc import Callable

_SIZE = 4096
_page: mmap.mmap | None = None


def doing(what: str) -> None:
    """Notes what is done from now on, for the message after a crash; free where nobody watches."""
    if _page is not None:
        data = what.encode()[: _SIZE - 1]
        _page[: len(data) + 1] = data + b"\0"


def watched(main: Callable[[], int], tool: str) -> int:
    """Runs `main` in a child process and returns its exit code; after a crash says what crashed, and returns 1."""
    global _page
    if not hasattr(os, "fork"):
        return main()
    sys.stdout.flush()
    sys.stderr.flush()
    _page = mmap.mmap(-1, _SIZE)
    child = os.fork()
    if child == 0:
        _run(main)
    while True:
        try:
            _, status = os.waitpid(child, 0)
            break
        except KeyboardInterrupt:  # the child got it too, and ends by itself
            continue
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    return _say(tool, os.WTERMSIG(status))


def _run(main: Callable[[], int]) -> None:
    """The child: runs `main` and leaves without tearing the interpreter down."""
    code = 1
    try:
        code = main()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 0 if exit_.code is None else 2
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                code = code or 1
        os._exit(code)


def _say(tool: str, number: int) -> int:
    assert _page is not None
    what = bytes(_page).split(b"\0", 1)[0].decode(errors="replace") or "starting"
    if number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        return 128 + number
    name = signal.Signals(number).name
    print(
        f"error: {tool}: MLIR crashed ({name}) while {what}; the input is likely malformed in a way that MLIR does not check. "
        "Nothing was written. To narrow it down, run the passes one by one or use --crash-reproducer=FILE",
        file=sys.stderr,
    )
    return 1
