"""Shadow and bounds checks: exactly the bytes touched, in an order that no correct program is accused in."""

import numpy as np
import pytest

C = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c8 = arith.constant 8 : index
"""


def nest(body: str, bounds: tuple[str, ...] = ("%c8", "%c8")) -> str:
    opening = "".join(f"scf.for %i{d} = %c0 to {b} step %c1 {{\n" for d, b in enumerate(bounds))
    return C + opening + body + "\n}" * len(bounds)


def test_a_whole_nest_takes_one_check_per_access(run):
    ran = run(
        nest("%v = memref.load %a[%i0, %i1] : memref<8x8xi32>\nmemref.store %v, %b[%i1, %i0] : memref<8x8xi32>"),
        ("a : memref<8x8xi32>", "b : memref<8x8xi32>"),
    )
    assert [c[:3] for c in ran.named("read", "write")] == [("read", (0, 0), 256), ("write", (1, 0), 256)]


def test_strided_accesses_leave_the_gaps_alone(run):
    ran = run(
        nest("%j = arith.muli %i1, %c2 : index\n%v = memref.load %a[%i0, %j] : memref<8x16xi32>", ("%c2", "%c8")).replace(
            "memref<8x16xi32>", "memref<8x16xi32>\nmemref.store %v, %b[%i1] : memref<8xi32>"
        ),
        ("a : memref<8x16xi32>", "b : memref<8xi32>"),
    )
    assert ran.checks("read") == [(0, r * 64 + c * 8, 4) for r in range(2) for c in range(8)]
    assert ran.checks("write") == [(1, 0, 32)]


def test_overlapping_windows_are_one_run(run):
    ran = run(
        nest(
            "%j = arith.addi %i0, %i1 : index\n%v = memref.load %a[%j] : memref<16xi8>\nmemref.store %v, %b[%i0] : memref<8xi8>"
        ),
        ("a : memref<16xi8>", "b : memref<8xi8>"),
    )
    assert ran.checks("read") == [(0, 0, 15)]


def test_an_accumulation_reads_before_the_nest_and_writes_after_it(run):
    body = "%v = memref.load %a[%i0] : memref<8xi32>\n%w = arith.addi %v, %v : i32\nmemref.store %w, %a[%i0] : memref<8xi32>"
    ran = run(nest(body), ("a : memref<8xi32>",))
    assert [c[:3] for c in ran.named("read", "write")] == [("read", (0, 0), 32), ("write", (0, 0), 32)]


def test_what_the_nest_writes_first_is_not_read_from_outside(run):
    body = """
      memref.store %zero, %a[%i0] : memref<8xi32>
      scf.for %k = %c0 to %c8 step %c1 {
        %v = memref.load %a[%i0] : memref<8xi32>
        %w = arith.addi %v, %v : i32
        memref.store %w, %a[%i0] : memref<8xi32>
      }"""
    ran = run("%zero = arith.constant 0 : i32\n" + nest(body, ("%c8",)), ("a : memref<8xi32>",))
    assert ran.checks("read") == []
    assert ran.checks("write") == [(0, 0, 32)]


def test_a_recurrence_is_checked_element_by_element_in_order(run):
    body = """
      %v = memref.load %a[%i0] : memref<16xi32>
      %next = arith.addi %i0, %c1 : index
      memref.store %v, %a[%next] : memref<16xi32>"""
    ran = run(nest(body, ("%c8",)), ("a : memref<16xi32>",))
    written = {0}
    for name, (_, offset), *_ in ran.named("read", "write"):
        assert name == "write" or offset // 4 in written
        written |= {offset // 4} if name == "write" else set()
    assert written == set(range(9))


def test_conditional_accesses_are_checked_where_they_run(run):
    body = """
      %v = memref.load %a[%i0] : memref<8xi32>
      %positive = arith.cmpi sgt, %v, %zero : i32
      scf.if %positive {
        %w = memref.load %b[%i0] : memref<8xi32>
        memref.store %w, %c[%i0] : memref<8xi32>
      }"""
    ran = run(
        "%zero = arith.constant 0 : i32\n" + nest(body, ("%c8",)),
        ("a : memref<8xi32>", "b : memref<8xi32>", "c : memref<8xi32>"),
        (np.array([0, 1, 0, 0, 5, -1, 0, 2], np.int32),),
    )
    assert ran.checks("read") == [(0, 0, 32), (1, 4, 4), (1, 16, 4), (1, 28, 4)]
    assert ran.checks("write") == [(2, 4, 4), (2, 16, 4), (2, 28, 4)]


def test_a_conditional_write_keeps_later_reads_of_the_nest_in_place(run):
    body = """
      %odd = arith.remui %i0, %c2 : index
      %is = arith.cmpi eq, %odd, %c0 : index
      scf.if %is {
        memref.store %zero, %a[%i0] : memref<8xi32>
        %v = memref.load %a[%i0] : memref<8xi32>
        memref.store %v, %b[%i0] : memref<8xi32>
      }
      memref.store %zero, %a[%i0] : memref<8xi32>"""
    ran = run("%zero = arith.constant 0 : i32\n" + nest(body, ("%c8",)), ("a : memref<8xi32>", "b : memref<8xi32>"))
    written = set()
    for name, (number, offset), size, *_ in ran.named("read", "write"):
        assert name == "write" or (number, offset) in written
        written |= {(number, offset + o) for o in range(0, size, 4)} if name == "write" else set()


def test_trip_counts_of_the_run_bound_the_checks(run):
    body = """
      %n32 = memref.load %n[%c0] : memref<1xi32>
      %end = arith.index_cast %n32 : i32 to index
      scf.for %i = %c0 to %end step %c1 {
        %v = memref.load %a[%i] : memref<8xi32>
        memref.store %v, %b[%i] : memref<8xi32>
      }"""
    for count in (0, 3, 8):
        ran = run(
            C + body,
            ("n : memref<1xi32>", "a : memref<8xi32>", "b : memref<8xi32>"),
            (np.array([count], np.int32),),
        )
        assert [c for c in ran.checks("write") if c[2]] == [(2, 0, 4 * count)] * bool(count)
        assert [c for c in ran.checks("read") if c[0] == 1 and c[2]] == [(1, 0, 4 * count)] * bool(count)
        assert not ran.named("out_of_bounds")


@pytest.mark.parametrize("index", [-1, 8, 100000])
def test_an_index_of_the_run_outside_of_the_buffer_is_reported(run, index):
    ran = run(
        C
        + """
          %x = memref.load %n[%c0] : memref<1xi32>
          %i = arith.index_cast %x : i32 to index
          %v = memref.load %a[%i] : memref<8xi32>
          memref.store %v, %b[%c0] : memref<8xi32>""",
        ("n : memref<1xi32>", "a : memref<8xi32>", "b : memref<8xi32>"),
        (np.array([index], np.int32),),
    )
    [(_, site, found, size)] = ran.named("out_of_bounds")
    assert (found, size) == (index, 8)
    place = ran.compiled.sites[site]
    assert (place.op, place.file, place.tile) == ("memref.load", "core.mlir", (0, 2))


def test_a_loop_that_runs_too_far_is_reported(run):
    ran = run(
        nest("%v = memref.load %a[%i0] : memref<6xi32>\nmemref.store %v, %b[%i0] : memref<8xi32>", ("%c8",)),
        ("a : memref<6xi32>", "b : memref<8xi32>"),
    )
    assert [(c[2], c[3]) for c in ran.named("out_of_bounds")] == [(6, 6), (7, 6)]


def test_an_index_in_range_by_its_arithmetic_is_not_checked(run):
    ran = run(
        nest(
            "%j = arith.remui %i0, %c2 : index\n%v = memref.load %a[%j] : memref<2xi32>\n"
            "memref.store %v, %b[%i0] : memref<8xi32>",
            ("%c8",),
        ),
        ("a : memref<2xi32>", "b : memref<8xi32>"),
    )
    assert ran.checks("read") == [(0, 0, 4), (0, 4, 4)]
    assert "memref.dim" not in {s.op for s in ran.compiled.sites}


def test_a_vector_that_sticks_out_touches_what_is_inside(run):
    ran = run(
        C
        + """
          %z = arith.constant 9 : i32
          %c6 = arith.constant 6 : index
          %v = vector.transfer_read %a[%c6], %z : memref<8xi32>, vector<4xi32>
          vector.transfer_write %v, %b[%c6] : vector<4xi32>, memref<8xi32>""",
        ("a : memref<8xi32>", "b : memref<8xi32>"),
        (np.arange(8, dtype=np.int32),),
    )
    assert ran.checks("read") == [(0, 24, 8)]
    assert ran.checks("write") == [(1, 24, 8)]
    assert ran.view(1, np.int32, 10).tolist() == [0] * 6 + [6, 7, 0, 0]


def test_checks_do_not_move_across_locks(run):
    body = """
      aie.use_lock(%l0, AcquireGreaterEqual, 1)
      scf.for %k = %c0 to %c8 step %c1 {
        memref.store %zero, %a[%k] : memref<8xi32>
      }
      aie.use_lock(%l1, Release, 1)"""
    ran = run("%zero = arith.constant 0 : i32\n" + nest(body, ("%c2",)), ("a : memref<8xi32>",))
    assert [c[0] for c in ran.calls if c[0] != "work"] == ["use_lock", "write", "use_lock"] * 2
