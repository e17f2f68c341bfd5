"""Processes that answer questions."""

import os
import subprocess
import sys
import time
from pathlib import Path

SERVER = """
import ctypes
from allo_air.core.processes import answer

def serve():
    answer(lambda question: question if question == b"short" else ctypes.PyDLL(None).sleep(60))  # no other thread runs
"""
ASKER = """
import os
import time
from allo_air.core.processes import Process

process = Process("server")
assert process.ask(b"short") == process.ask(b"short") == b"short"
print(process._process.pid, flush=True)
assert process.ask(b"long", time.monotonic() + 0.3) is None
os.kill(os.getpid(), 9)
"""


def test_an_answer_without_end_stops_when_the_asker_is_killed(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", ASKER], env=environment, stdout=subprocess.PIPE, text=True, check=False)
    process = Path(f"/proc/{int(run.stdout)}/stat")
    end = time.monotonic() + 30
    while process.exists() and process.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end, "it still runs"
        time.sleep(0.02)
