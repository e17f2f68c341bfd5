"""The process that runs programs for a host program in C++. It reads requests from standard input and answers on standard
output.

Requests are lines. `kernels FILE` lists the kernels of a program. `run KIND TAB FILE TAB KERNEL`, followed by `number N` or
`buffer FILE` for each argument, runs one, and writes the buffers' new contents to the files. `end` ends a request. Answers are
`ok ...` or `error ...`. The host program deletes the folder of the buffers.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from allo_air.errors import AlloAirError


class _Programs:
    """Programs by their files, compiled again if a file changes."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, Any]] = {}

    def get(self, path: str, kind: str = "xclbin") -> Any:
        from allo_air.compat import pyxrt

        written = os.stat(path).st_mtime
        entry = self._known.get(path)
        if entry is None or entry[0] != written or (kind == "elf" and not isinstance(entry[1], pyxrt.elf)):
            entry = self._known[path] = (written, pyxrt.elf(path) if kind == "elf" else pyxrt.xclbin(path))
        return entry[1]


def answer_requests(requests: TextIO, answers: TextIO) -> None:
    """Answers requests until the input ends."""
    programs = _Programs()
    for request in _requests(requests):
        try:
            answer = f"ok {_answer_to(request, programs)}"
        except Exception as error:  # any error goes to the host, which can then send its next request
            _print_answer(error)
            answer = f"error {_error_text(error)}"
        print(answer, file=answers, flush=True)


def _requests(requests: TextIO) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in requests:
        if line == "end\n":
            yield lines
            lines = []
        else:
            lines.append(line.rstrip("\n"))


def _answer_to(request: list[str], programs: _Programs) -> str:
    word, _, rest = request[0].partition(" ")
    if word == "kernels":
        return "\t".join(k.get_name() for k in programs.get(rest).get_kernels())
    kind, path, name = rest.split("\t")
    return str(_run(programs.get(path, kind), name, request[1:]))


def _run(binary: Any, name: str, arguments: list[str]) -> float:
    """The predicted microseconds of a run."""
    import numpy as np

    from allo_air.compat import pyxrt

    where = pyxrt.device(0)
    called = pyxrt.run(pyxrt.kernel(pyxrt.hw_context(where, binary), name))
    buffers: dict[str, Any] = {}
    for number, line in enumerate(arguments):
        kind, _, value = line.partition(" ")
        if kind == "number":
            called.set_arg(number, int(value))
            continue
        raw = np.fromfile(value, np.uint8)
        buffers[value] = pyxrt.bo(where, raw.size)
        buffers[value]._device[:] = raw
        called.set_arg(number, buffers[value])
    called.start()
    for file, buffer in buffers.items():
        buffer._device.tofile(file)
    return called.microseconds or 0.0


def _error_text(error: Exception) -> str:
    """The error in one line, with its type unless the message is sufficient."""
    text = str(error).partition("\n")[0] or type(error).__name__
    return text if isinstance(error, AlloAirError | RuntimeError | OSError) else f"{type(error).__name__}: {text}"


def _print_answer(error: Exception) -> None:
    from allo_air.compat import _line
    from allo_air.errors import render

    for diagnostic in getattr(error, "diagnostics", ()):
        print(render(diagnostic, _line), file=sys.stderr)


def main() -> int:
    """Serves the host that started this process; other output goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        answer_requests(sys.stdin, answers)
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
