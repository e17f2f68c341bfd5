"""Tests whose lines only chain our tools run in one process, a fork of the server in `warm.py`; all others as lit runs them.

A process for each command, and for the shell's pipes between them, takes three times as long as the work, and one for each test
imports passes and makes contexts again. What fails there is run again as lit does, which decides and reports. Tests in `tools/`
are about processes: lit runs them.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
from pathlib import Path
from typing import Any

from lit.Test import PASS, Result

from lit import TestRunner, formats

TOOLS = ("allo-opt", "allo-translate", "filecheck")
_MEANT_FOR_A_SHELL = re.compile(r"[`$*?;<\\\n]|&&")

Stage = tuple[bool, str, list[str], bool]
"""Whether it has to fail, its tool, the arguments, and whether its errors go where its output goes."""


class OneProcess(formats.ShTest):
    """`address` is the server's socket."""

    def __init__(self, address: str):
        super().__init__()
        self.address = address

    def execute(self, test: Any, litConfig: Any) -> Any:
        return self._together(test, litConfig) or super().execute(test, litConfig)

    def _together(self, test: Any, litConfig: Any) -> Result | None:
        if test.path_in_suite[0] == "tools" or test.xfails or litConfig.noExecute or test.config.unsupported:
            return None
        script = TestRunner.parseIntegratedTestScript(test)
        if isinstance(script, Result):
            return script
        folder, base = TestRunner.getTempPaths(test)
        conditions = dict.fromkeys(test.config.available_features, True)
        known = TestRunner.getDefaultSubstitutions(test, folder, base)
        lines = TestRunner.applySubstitutions(script, known, conditions, recursion_limit=test.config.recursiveExpansionLimit)
        pipelines = [stages(re.sub(TestRunner.kPdbgRegex, r"\2", line).strip()) for line in lines]
        if not all(pipelines):
            return None
        cwd = Path(test.getExecPath()).parent
        Path(base).parent.mkdir(parents=True, exist_ok=True)
        return Result(PASS) if run(self.address, pipelines, cwd, test.config.environment) == 0 else None


def stages(line: str) -> list[Stage] | None:
    """The commands of a line that only chains our tools; None for another."""
    if _MEANT_FOR_A_SHELL.search(line):
        return None
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>&")
    lexer.whitespace_split, lexer.commenters = True, ""
    found: list[Stage] = []
    words: list[str] = []
    for word in [*lexer, "|"]:
        if word != "|":
            words.append(word)
            continue
        fails = words[:1] == ["not"]
        errors = words[-3:] == ["2", ">&", "1"]
        command = words[fails : len(words) - 3 * errors]
        if not command or command[0] not in TOOLS or any(set(w) <= set("|<>&") for w in command):
            return None
        found.append((fails, command[0], command[1:], errors))
        words = []
    return found


_TESTS = 40
"""What one process runs, if no test in it fails or loads a file."""
_server: list[tuple[socket.socket, int]] = []
"""The connection of this process to a fork of the server, and how many tests that has run."""


def run(address: str, pipelines: list[list[Stage]], cwd: Path, environment: dict[str, str]) -> int:
    """0 if all pipelines do what they should; files that they write are in `cwd`."""
    words = repr(("", pipelines, str(cwd), dict(environment))).encode()
    server, tests = _server.pop() if _server else (socket.socket(socket.AF_UNIX), 0)
    if not tests:
        server.connect(address)
    with open(os.devnull, "r+b") as nowhere:
        socket.send_fds(server, [len(words).to_bytes(4, "big")], [nowhere.fileno()] * 3)
    server.sendall(words)
    code = (server.recv(1) or b"\1")[0]
    loads = any(word.startswith("--load") for pipeline in pipelines for stage in pipeline for word in stage[2])
    if code or loads or tests + 1 == _TESTS:
        server.close()
    else:
        _server.append((server, tests + 1))
    return code
