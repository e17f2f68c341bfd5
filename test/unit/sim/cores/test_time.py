"""The time model: cycles that follow by hand from the machine's figures."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.pipelining import pipelined
from allo_air.mlir import ir, new_context

C = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%c32 = arith.constant 32 : index
"""
BENCH = Path(__file__).parents[4] / "bench" / "core_kernels.py"


def vector_copy(trips: str) -> str:
    return (
        C + f"{trips}\nscf.for %i = %c0 to %end step %c1 {{\n%j = arith.muli %i, %c32 : index\n"
        "%v = vector.load %a[%j] : memref<1024xi16>, vector<32xi16>\n%w = arith.addi %v, %v : vector<32xi16>\n"
        "vector.store %w, %b[%j] : memref<1024xi16>, vector<32xi16>\n}"
    )


def test_a_pipelined_loop_is_bound_by_its_stores(run):
    ran = run(vector_copy("%end = arith.constant 32 : index"), ("a : memref<1024xi16>", "b : memref<1024xi16>"))
    [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
    # 64 bytes: 2 loads on 2 ports, 2 stores on 1 port -> 2 cycles apart; load 7 + add 1 + 2 stores 3 = 11 deep
    assert region.bound == "store"
    assert (region.loads, region.stores, region.vector_cycles) == (64, 64, 32)
    assert region.cycles == 2 * 31 + 11


def test_a_wider_port_halves_it_on_aie2p(run):
    ran = run(vector_copy("%end = arith.constant 32 : index"), ("a : memref<1024xi16>", "b : memref<1024xi16>"), device="npu2")
    [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
    assert region.cycles == 1 * 31 + 10


def test_loops_that_differ_in_their_bodies_alone_are_scheduled_each() -> None:
    """Copies of a loop have its location, and the hash of an operation knows nothing of what is inside."""
    load = "memref.load %a[%i] : memref<8xi32>"
    with new_context(), ir.Location.unknown():
        bodies = (f"{load}", f"%v = {load}\nmemref.store %v, %b[%i] : memref<8xi32>\nmemref.store %v, %a[%i] : memref<8xi32>")
        loops = "".join(f'scf.for %i = %c0 to %c8 step %c1 {{\n{body}\n}} loc("x")\n' for body in bodies)
        module = ir.Module.parse(f"func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {{{C}{loops}return\n}}")
        machine = replace(machine_of("AIE2"), loops={}, nodes={})
        assert [pipelined(loop, machine).interval for loop in walk_named(module.operation, "scf.for")] == [1, 2]


def test_trip_counts_of_the_run_scale_the_work(run):
    trips = "%n = memref.load %t0[%c0] : memref<1xi32>\n%end = arith.index_cast %n : i32 to index"
    cycles = []
    for count in (0, 4, 32):
        ran = run(
            vector_copy(trips),
            ("a : memref<1024xi16>", "b : memref<1024xi16>", "t0 : memref<1xi32>"),
            (None, None, np.array([count], np.int32)),
        )
        cycles.append(ran.cycles)
    assert cycles[2] - cycles[1] == 2 * 28
    assert cycles[1] - cycles[0] == 2 * 4 + 11 - 2


def test_accumulation_in_memory_waits_for_itself(run):
    def cycles(index: str) -> int:
        ran = run(
            C
            + f"""scf.for %i = %c0 to %c8 step %c1 {{
              %v = memref.load %a[{index}] : memref<8xi32>
              %w = arith.addi %v, %v : i32
              memref.store %w, %a[{index}] : memref<8xi32>
            }}""",
            ("a : memref<8xi32>",),
        )
        [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
        return region.cycles

    assert cycles("%c0") == 7 * 9 + 9  # load 6, add 1, store 2 before the next load
    assert cycles("%i") == 7 * 1 + 9


def test_a_collapsed_view_needs_no_divisions(run):
    """The rows of a static view without gaps are one row, as `expand-strided-metadata` lowers it: the address is the index."""

    def cycles(buffer: str, row: str, view: str) -> int:
        loads = f"{view}scf.for %i = %c0 to %c32 step %c1 {{\n%v = memref.load %{row}[%i] : memref<32xi32>\n"
        stores = "%w = arith.addi %v, %v : i32\nmemref.store %w, %b[%i] : memref<32xi32>\n}"
        return run(C + loads + stores, (f"a : memref<{buffer}xi32>", "b : memref<32xi32>")).cycles

    collapse = "%row = memref.collapse_shape %a [[0, 1]] : memref<4x8xi32> into memref<32xi32>\n"
    assert cycles("4x8", "row", collapse) == cycles("32", "a", "")


def test_work_counts_between_locks(run):
    ran = run(
        C
        + "aie.use_lock(%l0, AcquireGreaterEqual, 1)\n"
        + vector_copy("%end = arith.constant 32 : index").removeprefix(C)
        + "\naie.use_lock(%l1, Release, 1)",
        ("a : memref<1024xi16>", "b : memref<1024xi16>"),
    )
    names = [c[0] for c in ran.calls]
    assert names.index("use_lock") < names.index("work") < len(names) - 1 - names[::-1].index("use_lock")
    assert ran.cycles == 73


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("core_kernels", BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", range(9))
def test_gemm_kernels_are_near_published_measurements(bench, number):
    """Within 9 % of what hardware traces show, those in block floating point within 3 %; and never above the peak."""
    row = bench.ROWS[number]
    rate, _ = bench.predicted(row)
    peak = row.micro[0] * row.micro[1] * row.micro[2]
    assert abs(rate / row.published - 1) < (0.03 if (row.arch, row.types[0]) == ("AIE2p", "bf16") else 0.09)
    assert rate < peak
