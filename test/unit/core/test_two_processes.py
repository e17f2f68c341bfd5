"""Two processes that begin at the two ends of a list."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allo_air.core import two_processes
from allo_air.core.processes import usable_cores
from allo_air.interp import verify


def test_everything_is_made_once_in_order_by_both() -> None:
    def make(n: int) -> tuple[int, int]:
        time.sleep(0.01)
        return n * n, os.getpid()

    told: list[int] = []
    found = list(two_processes.make_all(range(40), make, told.append))
    assert [square for square, _ in found] == [n * n for n in range(40)]
    makers = [who for _, who in found]
    assert makers[0] == os.getpid() and makers[-1] != os.getpid()
    assert makers == sorted(makers, key=lambda who: who != os.getpid()), "the front here, the back there"
    assert told[-1] == 40


def test_what_a_crashed_fork_has_not_sent_is_made_here() -> None:
    here = os.getpid()

    def make(n: int) -> int:
        if os.getpid() != here and n == 17:
            os._exit(9)
        time.sleep(0.01)
        return -n

    assert list(two_processes.make_all(range(20), make, lambda _: None)) == [-n for n in range(20)]


def test_a_fork_that_waits_for_the_lock_of_another_thread_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_processes, "PATIENCE", 0.2)
    here, lock, done = os.getpid(), threading.Lock(), threading.Event()

    def hold() -> None:
        with lock:
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()

    def make(n: int) -> int:
        if os.getpid() != here and n == 17:
            lock.acquire()
        time.sleep(0.01)
        return -n

    try:
        assert two_processes.can_fork() == (sys.platform == "linux" and usable_cores() > 1)
        assert list(two_processes.make_all(range(20), make, lambda _: None)) == [-n for n in range(20)]
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("two", [False, True])
def test_a_fork_fills_the_memo_of_the_last_jobs(two: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_processes, "can_fork", lambda: two)
    memo: dict[int, tuple[int, int]] = {}
    results: list[int] = []

    def work(n: int) -> None:
        if n not in memo:
            time.sleep(0.02)
            memo[n] = n + 1, os.getpid()
        results.append(memo[n][0])

    two_processes.with_memo(range(12), work, memo)
    assert results == [n + 1 for n in range(12)], "all work is done here, in order"
    assert len({who for _, who in memo.values()}) == 1 + two


def test_an_exception_ends_both() -> None:
    def make(n: int) -> int:
        if n == 2:
            raise ValueError(n)
        time.sleep(0.01)
        return n

    with pytest.raises(ValueError, match="2"):
        list(two_processes.make_all(range(9), make, lambda _: None))


PASSES = """
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


@dataclass(frozen=True)
class Renumber(Pass):
    '''Counts its runs; from the fifth on, it stores one more.'''

    name = "renumber"

    def run(self, op: Any, /) -> None:
        for function in walk_named(op, "func.func"):
            turn = function.attributes["turn"].value + 1 if "turn" in function.attributes else 1
            function.attributes["turn"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), turn)
        for constant in walk_named(op, "arith.constant"):
            if turn >= 5:
                constant.attributes["value"] = ir.Attribute.parse(f"{turn} : i32")
"""


@pytest.mark.parametrize("two", [False, True])
def test_the_first_wrong_pass_is_named(
    two: bool, opt: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(two_processes, "can_fork", lambda: two)
    monkeypatch.setattr(verify, "FEW", 2)
    (tmp_path / "passes.py").write_text(PASSES)
    program = tmp_path / "f.mlir"
    program.write_text(
        """func.func @f(%a: memref<8xi32>) {
  %three = arith.constant 3 : i32
  linalg.fill ins(%three : i32) outs(%a : memref<8xi32>)
  return
}
"""
    )
    result = opt(program, f"--load={tmp_path / 'passes.py'}", *["--renumber"] * 9, "--verify-each=execute", "--timing")
    assert result.status == 1
    assert "error: pass 'renumber' changes what the module computes: @f, argument 0[0]: expected 3, found 5" in result.err
    assert "pass 'renumber' changes the module's results (pass 5 of 9)" in result.err
    assert "'--pass-pipeline=builtin.module(renumber)'" in result.err


@pytest.mark.parametrize("crash", [False, True])
def test_a_result_is_computed_ahead(crash: bool) -> None:
    here = os.getpid()

    def compute() -> int:
        if crash and os.getpid() != here:
            os._exit(9)
        return os.getpid()

    early, late = (two_processes.Ahead(compute, lambda: True) for _ in range(2))
    short = two_processes.Ahead(compute, lambda: False)
    for ahead in (early, short):
        ahead.start()
        ahead.start()
    results = [ahead.result() for ahead in (early, short, late)]
    assert (results[0] == here) == crash and results[1:] == [here, here]
    for ahead in (early, short, late):
        ahead.end()
