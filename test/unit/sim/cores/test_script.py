"""Scripts of cores: what takes time or waits, in loops as far as rounds are alike."""

from collections.abc import Callable
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.sim.cores.scripts import script_cores
from allo_air.sim.cores.steps import EVENT, LOCK, LOOP, NEXT, WORK


class Locks:
    """The layout: locks by number, buffers anywhere."""

    def place(self, buffer: Any) -> None:
        return None

    def address(self, buffer: Any) -> int:
        return 0

    def lock_handle(self, lock: Any) -> int:
        return int(lock.owner.opview.lockID)


Steps = Callable[[str], list[tuple[int, ...]]]

CONSTANTS = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%c9 = arith.constant 9 : index
"""
TAKE, GIVE = "aie.use_lock(%l0, AcquireGreaterEqual, 1)", "aie.use_lock(%l1, Release, 1)"
STORE = "scf.for %k = %c0 to %c9 step %c1 { memref.store %x, %a[%k] : memref<16xi32> }"


@pytest.fixture
def steps(context: object) -> Steps:
    """The script of a core with two locks and a buffer, without how long work takes."""

    def go(body: str) -> list[tuple[int, ...]]:
        text = f"""module {{ aie.device(npu1) {{
          %t = aie.tile(0, 2)
          %l0 = aie.lock(%t, 0) {{init = 1 : i32}}
          %l1 = aie.lock(%t, 1)
          %a = aie.buffer(%t) : memref<16xi32>
          %core = aie.core(%t) {{ %x = arith.constant 7 : i32 {CONSTANTS} {body} aie.end }}
        }} }}"""
        module = asm.read(text, "core.mlir")
        device: Any = walk_named(module, "aie.device")[0].opview
        [table] = script_cores(device, Locks()).steps.values()
        return [(WORK,) if row[0] == WORK else tuple(int(n) for n in row) for row in table]

    return go


def test_rounds_that_are_alike_are_a_loop(steps: Steps) -> None:
    found = steps(f"scf.for %i = %c0 to %c5 step %c1 {{ {TAKE}\n{STORE}\n{GIVE} }}")
    assert found == [(LOOP, 5, 6, 0), (WORK,), (LOCK, 0, 2, 1), (WORK,), (LOCK, 1, 1, 1), (NEXT, 0, 0, 0)]


def test_loops_that_only_compute_are_work(steps: Steps) -> None:
    assert steps(f"scf.for %i = %c0 to %c5 step %c1 {{ {STORE} }}") == [(WORK,)]


def test_a_round_apart_stands_by_itself(steps: Steps) -> None:
    found = steps(
        """scf.for %i = %c0 to %c5 step %c1 {
              %last = arith.cmpi eq, %i, %c0 : index
              scf.if %last { aie.event(0) } else { aie.event(1) }
            }"""
    )
    without = [row for row in found if row != (WORK,)]
    assert without[0] == (EVENT, 0, 0, 0)
    assert [row[:2] for row in without[1:3]] == [(LOOP, 4), (EVENT, 1)]


def test_blocks_that_come_again_are_a_loop_without_an_end(steps: Steps) -> None:
    found = steps(f"cf.br ^bb1\n^bb1:\n{TAKE}\n{GIVE}\ncf.br ^bb1\n^bb2:")
    assert [row[:2] for row in found if row[0] != WORK] == [(LOOP, -1), (LOCK, 0), (LOCK, 1), (NEXT, 1)]
    assert found[1][2] == len(found)


def test_data_that_decide_how_much_is_computed_take_the_longer_way(steps: Steps) -> None:
    branch = "%v = memref.load %a[%c0] : memref<16xi32>\n%y = arith.cmpi eq, %v, %x : i32\nscf.if %y {{ {} }}"
    assert (WORK,) in steps(branch.format(STORE))[1:]
    with pytest.raises(DiagnosticError, match=r"'scf.if' op has a condition on data, so that only data decide"):
        steps(branch.format(TAKE))
