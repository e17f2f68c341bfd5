"""Reports crashes in MLIR's C++ code.

MLIR's parser, verifiers and passes may crash on unexpected input. A tool therefore works in a child process. If a signal ends
the child, the parent reports this and the current step, which the child records with `record_step` in a page of shared memory.
"""

import mmap
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from allo_air.core import quick_start

_SIZE = 4096
_GRACE = 2
"""Seconds that a child has to end after Ctrl-C."""
_page: mmap.mmap | None = None


def record_step(what: str, reproducer: Path | None = None) -> None:
    """Records the current step, and a file that reruns it, for the message after a crash."""
    if _page is not None:
        data = f"{what}\0{reproducer or ''}".encode()[: _SIZE - 1]
        _page[: len(data) + 1] = data + b"\0"


def run_in_child(main: Callable[[], int], tool: str) -> int:
    """Runs `main` in a child process and returns its exit code; after a crash, prints the step that crashed and returns 1."""
    global _page
    if not hasattr(os, "fork"):
        return main()
    sys.stdout.flush()
    sys.stderr.flush()
    _page = mmap.mmap(-1, _SIZE)
    takes_interrupts = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    if takes_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        _run(main, takes_interrupts)
    interrupts: list[int] = []  # Ctrl-C, which the child gets too: it ends by itself, or is killed in C++ that cannot

    def stop(number: int, _: FrameType | None) -> None:
        interrupts.append(number)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.alarm(_GRACE)

    if takes_interrupts:
        signal.signal(signal.SIGINT, stop)
    _, status = os.waitpid(child, 0)
    signal.alarm(0)
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    return _print_crash(tool, signal.SIGINT if interrupts else os.WTERMSIG(status))


def internal_error(error: BaseException) -> str:
    """The message for an exception that is a bug of allo_air; its traceback goes to a new file, not to the user's terminal."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="allo-air-", suffix=".traceback.txt", delete=False) as file:
        traceback.print_exception(error, file=file)
    return f"error: internal error: {type(error).__name__}: {error}; please report it with {file.name}"


def _interrupted(number: int, frame: FrameType | None) -> None:
    """Handles Ctrl-C: raises an exception, or exits at once where an exception would be lost or cause a crash.

    Extensions in C++ crash if an exception is raised while they are loaded. If it is raised while a method is compiled late,
    Python reports that the method is missing.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib") or frame.f_code.co_filename == quick_start.__file__:
            os._exit(128 + number)
        frame = frame.f_back
    raise KeyboardInterrupt


def _run(main: Callable[[], int], takes_interrupts: bool) -> None:
    """The child: runs `main` and leaves without tearing the interpreter down."""
    code = 1
    try:
        if takes_interrupts:
            signal.signal(signal.SIGINT, _interrupted)
        code = main()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 0 if exit_.code is None else 2
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except BaseException as error:
        print(internal_error(error), file=sys.stderr)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                code = code or 1
        os._exit(code)


def _print_crash(tool: str, number: int) -> int:
    assert _page is not None
    what, reproducer = (part.decode(errors="replace") for part in bytes(_page).split(b"\0")[:2])
    if number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        return 128 + number
    name = signal.Signals(number).name
    why = "the IR that the pass left, or the input," if what.startswith("running pass") else "the input"
    crashed = "MLIR" if tool == "allo-opt" else "the compiler, the simulator or a kernel in C++"
    rerun = f"; rerun it with the command in the first line of {reproducer}" if reproducer else ""
    if tool == "allo-opt" and not reproducer:
        rerun = "; --crash-reproducer=FILE narrows it down"
    print(
        f"error: {tool}: {crashed} crashed ({name}) while {what or 'starting'}; likely {why} is malformed in a way that "
        f"is not checked. The result was not written{rerun}",
        file=sys.stderr,
    )
    return 1
