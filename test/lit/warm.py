"""Runs the tools of lit tests in forks of one process, so that they start in a hundredth of a second: `warm.py FOLDER`.

FOLDER/bin gets a client for each tool, which hands its arguments, environment and standard streams to the server and exits as
the fork does. The server has canonicalized one module: it has imported what most runs import, and no other pass. It prints a
line when it listens, and ends with its standard input. A client that cannot hand over runs the tool itself. A client without a
tool hands over all lines of a test, and later those of other tests, which one fork runs: see `one_process.py`.
"""

from __future__ import annotations

import ast
import gc
import os
import select
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from filecheck.main import main as filecheck

from allo_air.tools import allo_opt, allo_translate

TOOLS = {"allo-opt": allo_opt.watched, "allo-translate": allo_translate.watched, "filecheck": filecheck}
UNWATCHED = TOOLS | {"allo-opt": allo_opt.main, "allo-translate": allo_translate.main}

CLIENT = """#!{python} -IS
import os, sys, _socket
tool = {tool!r}
try:
    server = _socket.socket(_socket.AF_UNIX)
    server.connect({address!r})
    words = repr((tool, sys.argv[1:], os.getcwd(), dict(os.environ))).encode()
    streams = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(n.to_bytes(4, sys.byteorder) for n in range(3)))
    server.sendmsg([len(words).to_bytes(4, "big")], [streams])
    rest = memoryview(words)
    while rest:
        rest = rest[server.send(rest):]
except OSError:
    os.execv(tool, [tool, *sys.argv[1:]])
os._exit(server.recv(1)[0])
"""
MODULE = """
module {
  air.channel @c []
  aie.device(npu1) {
    %t = aie.tile(0, 0)
    aie.runtime_sequence(%a: memref<4xi32>) { aiex.npu.write32 {address = 0 : ui32, value = 0 : ui32} }
  }
  func.func @f(%a: memref<4xi32>, %n: index) {
    %e = airrt.wait_all : !airrt.event
    %c = arith.constant 0 : i32
    affine.for %i = 0 to 4 { affine.store %c, %a[%i] : memref<4xi32> }
    scf.for %i = %n to %n step %n { memref.store %c, %a[%i] : memref<4xi32> }
    linalg.fill ins(%c : i32) outs(%a : memref<4xi32>)
    return
  }
}
"""


def serve(listener: socket.socket) -> socket.socket | None:
    """In forks: the client that they work for; None in the server, when it ends."""
    running: dict[int, tuple[int, socket.socket]] = {}  # by a pipe that closes when the fork is gone
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), listener, *running], [], [])
        for pipe in [r for r in ready if r in running]:
            child, client = running.pop(pipe)
            os.close(pipe)
            _, status = os.waitpid(child, 0)
            with client, suppress(BrokenPipeError):  # lit may have given up waiting
                client.send(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
        if sys.stdin.fileno() in ready:
            return None
        if listener not in ready:
            continue
        client, _ = listener.accept()
        ours, theirs = os.pipe()
        if (child := os.fork()) == 0:
            return client
        os.close(theirs)
        running[ours] = child, client


def taken(client: socket.socket) -> tuple[str, list[Any]] | None:
    """Becomes the process that the client stands for; its tool and the arguments, or None if it asks for no more."""
    head, streams, _, _ = socket.recv_fds(client, 4, 3)
    if not head:
        return None
    words = client.makefile("rb").read(int.from_bytes(head, "big"))
    tool, arguments, folder, environment = ast.literal_eval(words.decode())
    use(streams)
    for stream in streams:
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return tool, arguments


def use(streams: list[int]) -> None:
    """Makes these the standard streams."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for name, mode, lines in (("stdin", "r", -1), ("stdout", "w", -1), ("stderr", "w", 1)):  # they know whether they can seek
        old = getattr(sys, name)
        new = open(old.fileno(), mode, lines, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)


def in_turn(client: socket.socket, tools: dict[str, Callable[[], Any]]) -> int:
    """Runs what a client hands over; tells it how each of its tests ends, and runs those that follow."""
    while (work := taken(client)) is not None:
        tool, arguments = work
        if tool:
            return status(tools[Path(tool).name], tool, arguments)
        client.send(bytes([together(arguments)]))
    return 0


def together(pipelines: list[Any]) -> int:
    """0 if each pipeline's commands succeed or fail as they should; the output of each is the next one's input."""
    with open(os.devnull, "r+b") as nowhere:
        for pipeline in pipelines:
            given: Any = nowhere
            for fails, tool, arguments, errors in pipeline:
                made = tempfile.TemporaryFile()  # noqa: SIM115
                use([given.fileno(), made.fileno(), (made if errors else nowhere).fileno()])
                if (status(UNWATCHED[tool], tool, arguments) != 0) != fails:
                    return 1
                made.seek(0)
                given = made
    return 0


def status(main: Any, tool: str, arguments: list[str]) -> int:
    """What a tool exits with."""
    sys.argv = [tool, *arguments]
    try:
        return int(main())
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else exit_.code is not None
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def first(folder: Path) -> None:
    """Imports what most runs import."""
    (folder / "first.mlir").write_text(MODULE)
    assert allo_opt.main([str(folder / "first.mlir"), "--canonicalize", "--cse", "-o", os.devnull]) == 0


def main(folder: Path, tools: dict[str, Callable[[], Any]], prepare: Callable[[Path], None]) -> int:
    """Serves until standard input ends; in a fork, the exit code of the tool."""
    prepare(folder)
    (folder / "bin").mkdir()
    for name in tools:
        client = folder / "bin" / name
        client.write_text(CLIENT.format(python=sys.executable, tool=shutil.which(name), address=str(folder / "socket")))
        client.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
        listener.listen()
        gc.collect()
        gc.freeze()
        print("ready", flush=True)
        found = serve(listener)
    if found is None:
        shutil.rmtree(folder)
        return 0
    return in_turn(found, tools)


if __name__ == "__main__":
    code = main(Path(sys.argv[1]), TOOLS, first)
    os._exit(code)  # to tear down what the server holds would copy it in each fork
