"""Scripts of cores: what takes time or waits, in loops as far as rounds are alike."""

from collections.abc import Callable
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.sim.cores.scripts import script_cores
from allo_air.sim.cores.steps import EVENT, LOCK, LOOP, NEXT, WORK
from allo_air.sim.orders.phases import Phases


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


def design(body: str) -> str:
    return f"""module {{ aie.device(npu1) {{
          %t = aie.tile(0, 2)
          %l0 = aie.lock(%t, 0) {{init = 1 : i32}}
          %l1 = aie.lock(%t, 1)
          %a = aie.buffer(%t) : memref<16xi32>
          %core = aie.core(%t) {{ %x = arith.constant 7 : i32 {CONSTANTS} {body} aie.end }}
        }} }}"""


@pytest.fixture
def steps(context: object) -> Steps:
    """The script of a core with two locks and a buffer, without how long work takes."""

    def go(body: str) -> list[tuple[int, ...]]:
        module = asm.read(design(body), "core.mlir")
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
    with pytest.raises(DiagnosticError, match=r"'scf.if' op has a condition on data, so the time of the core depends on data"):
        steps(branch.format(TAKE))


def takes(rows: list[tuple[int, ...]]) -> int:
    """How often a script acquires lock 0, loops unrolled."""
    counts, total = [1], 0
    for row in rows:
        if row[0] == LOOP:
            counts.append(counts[-1] * row[1])
        elif row[0] == NEXT:
            counts.pop()
        elif row[0] == LOCK and row[1] == 0:
            total += counts[-1]
    return total


@pytest.mark.parametrize(
    ("bound", "step", "behind", "times"),
    [
        ("%z", "%c1", "%k, %less : index, index", 5),
        ("%c9", "%z", "%k, %less : index, index", 1),
        ("%z", "%c1", "%k, %z : index, index", 9),
    ],
)
def test_loops_of_blocks_with_a_bound_or_step_that_they_carry(
    steps: Steps, bound: str, step: str, behind: str, times: int
) -> None:
    """It is that of each iteration, not of the one before."""
    found = steps(
        f"""cf.br ^head(%c0, %c9 : index, index)
        ^head(%i : index, %z : index):
        %p = arith.cmpi slt, %i, {bound} : index
        cf.cond_br %p, ^body, ^end
        ^body:
        {TAKE}
        %k = arith.addi %i, {step} : index
        %less = arith.subi %z, %c1 : index
        cf.br ^head({behind})
        ^end:"""
    )
    assert takes(found) == times


def test_a_loop_of_blocks_that_is_left_early(steps: Steps) -> None:
    found = steps(
        f"""cf.br ^head(%c0, %c0 : index, index)
        ^head(%i : index, %z : index):
        %p = arith.cmpi slt, %i, %c9 : index
        cf.cond_br %p, ^body, ^end
        ^body:
        {TAKE}
        %k = arith.addi %i, %c1 : index
        %y = arith.addi %z, %c1 : index
        %q = arith.cmpi slt, %y, %c5 : index
        cf.cond_br %q, ^head(%k, %y : index, index), ^end
        ^end:"""
    )
    assert takes(found) == 5


def test_a_branch_on_data_among_blocks_is_priced_as_scf_if(steps: Steps) -> None:
    data = "%v = memref.load %a[%c0] : memref<16xi32>\n%y = arith.cmpi eq, %v, %x : i32"
    assert steps(f"{TAKE}\n{data}\ncf.cond_br %y, ^then, ^join\n^then:\n{STORE}\ncf.br ^join\n^join:\n{GIVE}") == steps(
        f"{TAKE}\n{data}\nscf.if %y {{ {STORE} }}\n{GIVE}"
    )


def test_the_search_of_orders_follows_such_a_branch(context: object) -> None:
    """Its accesses count, whichever way it goes; the core stays as it is written."""
    data = "%v = memref.load %a[%c0] : memref<16xi32>\n%y = arith.cmpi eq, %v, %x : i32"
    found = []
    for branch in (f"cf.cond_br %y, ^then, ^join\n^then:\n{STORE}\ncf.br ^join\n^join:", f"scf.if %y {{ {STORE} }}"):
        module = asm.read(design(f"{TAKE}\n{data}\n{branch}\n{GIVE}"))
        [core] = walk_named(module, "aie.core")
        before = str(core)
        phases = Phases(core.opview, lambda v: int(v.owner.opview.lockID), lambda *_: None, lambda _: 0, lambda _: None)
        found.append([step[:3] for step in phases.steps()])
        assert str(core) == before
    assert found[0] == found[1] and len(found[0]) > 2
