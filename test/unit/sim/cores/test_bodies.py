"""What users write in cores compiles and computes the right numbers."""

import numpy as np
import pytest

from allo_air.errors import AlloAirError

C = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%c8 = arith.constant 8 : index
"""


def test_locks_and_endless_loop_keep_their_order(run):
    ran = run(
        C
        + """
        scf.for %i = %c0 to %c4 step %c1 {
          aie.use_lock(%l0, AcquireGreaterEqual, 1)
          %v = memref.load %a[%i] : memref<8xi32>
          memref.store %v, %b[%i] : memref<8xi32>
          aie.use_lock(%l1, Release, 2)
        }
        """,
        ("a : memref<8xi32>", "b : memref<8xi32>"),
        (np.arange(8, dtype=np.int32) + 1,),
    )
    assert ran.view(1, np.int32, 8).tolist() == [1, 2, 3, 4, 0, 0, 0, 0]
    one = [("use_lock", 0, 2, 1), "read", "write", ("use_lock", 1, 1, 2)]
    got = [c[:4] if c[0] == "use_lock" else c[0] for c in ran.calls if c[0] != "work"]
    assert got == one * 4


def test_lock_without_a_value_means_one(run):
    ran = run("aie.use_lock(%l0, Acquire)\naie.use_lock(%l0, Release)")
    assert [c[1:4] for c in ran.named("use_lock")] == [(0, 0, 1), (0, 1, 1)]


def test_blocks_that_branch(run):
    ran = run(
        C
        + """
          cf.br ^head(%c0 : index)
        ^head(%i: index):
          %more = arith.cmpi slt, %i, %c8 : index
          cf.cond_br %more, ^body, ^exit
        ^body:
          %x = arith.index_cast %i : index to i32
          %y = arith.muli %x, %x : i32
          memref.store %y, %a[%i] : memref<8xi32>
          %next = arith.addi %i, %c1 : index
          cf.br ^head(%next : index)
        ^exit:
        """,
        ("a : memref<8xi32>",),
    )
    assert ran.view(0, np.int32, 8).tolist() == [i * i for i in range(8)]
    assert ran.checks("write") == [(0, 0, 32)]  # the blocks are a counted loop, before which one check covers all elements


def test_while_if_and_index_switch(run):
    ran = run(
        C
        + """
        %end = scf.while (%i = %c0) : (index) -> index {
          %go = arith.cmpi slt, %i, %c4 : index
          scf.condition(%go) %i : index
        } do {
        ^bb0(%i: index):
          %buffer = scf.index_switch %i -> memref<4xi32>
          case 1 { scf.yield %b : memref<4xi32> }
          default { scf.yield %a : memref<4xi32> }
          %x = arith.index_cast %i : index to i32
          %odd = arith.cmpi eq, %i, %c1 : index
          scf.if %odd {
            memref.store %x, %buffer[%c0] : memref<4xi32>
          } else {
            memref.store %x, %buffer[%i] : memref<4xi32>
          }
          %n = arith.addi %i, %c1 : index
          scf.yield %n : index
        }
        """,
        ("a : memref<4xi32>", "b : memref<4xi32>"),
    )
    assert ran.view(0, np.int32, 4).tolist() == [0, 0, 2, 3]
    assert ran.view(1, np.int32, 4).tolist() == [1, 0, 0, 0]
    assert ran.checks("write") == [(0, 0, 4), (0, 8, 4), (0, 12, 4), (1, 0, 4)]


def test_linalg_affine_copies_and_views(run):
    ran = run(
        C
        + """
        linalg.matmul ins(%a, %b : memref<4x8xi16>, memref<8x4xi16>) outs(%c : memref<4x4xi16>)
        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 4 step 2 {
            %v = affine.load %c[%i, %j + 1] : memref<4x4xi16>
            affine.store %v, %d[%i * 4 + %j] : memref<16xi16>
          }
        }
        %sub = memref.subview %c[0, 2] [4, 2] [1, 1] : memref<4x4xi16> to memref<4x2xi16, strided<[4, 1], offset: 2>>
        memref.copy %sub, %e : memref<4x2xi16, strided<[4, 1], offset: 2>> to memref<4x2xi16>
        """,
        ("a : memref<4x8xi16>", "b : memref<8x4xi16>", "c : memref<4x4xi16>", "d : memref<16xi16>", "e : memref<4x2xi16>"),
        (np.arange(32, dtype=np.int16) * 300, np.arange(32, dtype=np.int16)[::-1].copy() * 7),
    )
    a, b = (ran.view(i, np.int16, 32) for i in (0, 1))
    c = (a.reshape(4, 8).astype(np.int64) @ b.reshape(8, 4).astype(np.int64)).astype(np.int16)
    assert (ran.view(2, np.int16, 16).reshape(4, 4) == c).all()
    assert (ran.view(3, np.int16, 16).reshape(4, 4)[:, ::2] == c[:, 1::2]).all()
    assert (ran.view(4, np.int16, 8).reshape(4, 2) == c[:, 2:]).all()


def test_functions_with_bodies_globals_and_stack(run):
    ran = run(
        C
        + """
        %stack = memref.alloc() : memref<8xi32>
        %table = memref.get_global @table : memref<8xi32>
        scf.for %i = %c0 to %c8 step %c1 {
          %v = memref.load %table[%i] : memref<8xi32>
          %w = func.call @twice(%v) : (i32) -> i32
          memref.store %w, %stack[%i] : memref<8xi32>
        }
        func.call @move(%stack, %a) : (memref<8xi32>, memref<8xi32>) -> ()
        """,
        ("a : memref<8xi32>",),
        outside="""
        memref.global "private" constant @table : memref<8xi32> = dense<[5, 4, 3, 2, 1, 0, -1, -2]>
        func.func @twice(%x: i32) -> i32 {
          %y = arith.addi %x, %x : i32
          %zero = arith.constant 0 : i32
          %negative = arith.cmpi slt, %x, %zero : i32
          cf.cond_br %negative, ^less, ^more
        ^less:
          return %zero : i32
        ^more:
          return %y : i32
        }
        func.func private @move(%from: memref<8xi32>, %to: memref<8xi32>) {
          memref.copy %from, %to : memref<8xi32> to memref<8xi32>
          return
        }
        """,
    )
    assert ran.view(0, np.int32, 8).tolist() == [10, 8, 6, 4, 2, 0, 0, 0]
    assert ran.checks("write") == [(0, 0, 32)]
    assert ran.checks("read") == []


def test_bf16_arithmetic_rounds_to_nearest_even(run):
    ran = run(
        C
        + """
        %x = vector.load %a[%c0] : memref<32xbf16>, vector<16xbf16>
        %y = vector.load %b[%c0] : memref<32xbf16>, vector<16xbf16>
        %p = arith.mulf %x, %y : vector<16xbf16>
        vector.store %p, %c[%c0] : memref<32xbf16>, vector<16xbf16>
        %e = math.exp %x : vector<16xbf16>
        %c16 = arith.constant 16 : index
        vector.store %e, %c[%c16] : memref<32xbf16>, vector<16xbf16>
        """,
        ("a : memref<32xbf16>", "b : memref<32xbf16>", "c : memref<32xbf16>"),
        (bf16(np.linspace(-3, 3, 32)), bf16(np.linspace(0.1, 7, 32))),
    )
    a, b, c = (ran.view(i, np.uint16, 32) for i in range(3))
    assert (c[:16] == bf16(f32(a[:16]) * f32(b[:16]))).all()
    assert np.allclose(f32(c[16:]), np.exp(f32(a[:16])), rtol=2**-8)


def bf16(x: np.ndarray) -> np.ndarray:
    """The bits of x rounded to bf16, to nearest even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def f32(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize("kind", ["i8", "i16", "i32", "i64", "f32", "f16"])
def test_element_types(run, kind):
    dtype = np.dtype({"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "f32": "f4", "f16": "f2"}[kind])
    op = "addf" if kind.startswith("f") else "addi"
    data = (np.arange(16) * 37 % 120).astype(dtype)
    ran = run(
        C
        + f"""
        %x = vector.load %a[%c0] : memref<16x{kind}>, vector<16x{kind}>
        %y = arith.{op} %x, %x : vector<16x{kind}>
        vector.store %y, %a[%c0] : memref<16x{kind}>, vector<16x{kind}>
        %s = vector.reduction <add>, %x : vector<16x{kind}> into {kind}
        memref.store %s, %b[%c4] : memref<8x{kind}>
        """,
        (f"a : memref<16x{kind}>", f"b : memref<8x{kind}>"),
        (data,),
    )
    with np.errstate(over="ignore"):
        assert (ran.view(0, dtype, 16) == data + data).all()
        assert ran.view(1, dtype, 8)[4] == data.sum(dtype=dtype)


def test_division_by_zero_and_overflow_do_not_stop_the_host(run):
    ran = run(
        C
        + """
        scf.for %i = %c0 to %c4 step %c1 {
          %x = memref.load %a[%i] : memref<4xi32>
          %y = memref.load %b[%i] : memref<4xi32>
          %q = arith.divsi %x, %y : i32
          memref.store %q, %c[%i] : memref<4xi32>
        }
        """,
        ("a : memref<4xi32>", "b : memref<4xi32>", "c : memref<4xi32>"),
        (np.array([7, -7, -(2**31), 9], np.int32), np.array([2, 2, -1, 0], np.int32)),
    )
    assert ran.view(2, np.int32, 4).tolist()[:3] == [3, -3, -(2**31)]


def test_streams_and_cascade(run):
    ran = run(
        C
        + """
        %ch = arith.constant 0 : i32
        %x = aie.get_stream(%ch : i32) : i32
        %y = aie.get_stream(%ch : i32) : i128
        %z = arith.trunci %y : i128 to i32
        %s = arith.addi %x, %z : i32
        aie.put_stream(%ch : i32, %s : i32)
        %v = vector.broadcast %s : i32 to vector<16xi32>
        aie.put_cascade(%v : vector<16xi32>)
        %w = aie.get_cascade() : vector<32xi16>
        vector.store %w, %a[%c0] : memref<32xi16>, vector<32xi16>
        aie.event(1)
        """,
        ("a : memref<32xi16>",),
        prepare=lambda engine: engine.stream_in.extend([7, 10, 0, 0, 0]),
    )
    assert ran.engine.stream_out == [17]
    assert ran.view(0, np.int16, 32).tolist() == [17, 0] * 16
    assert ran.named("event") == [("event", 1)]
    assert [c[3] for c in ran.named("stream_get")] == [1, 4]


def test_stack_memory_in_loops_does_not_pile_up(run):
    """Two million turns of 64 bytes each would need 128 MB of the host's 8 MB stack."""
    ran = run(
        C
        + """
        %many = arith.constant 2000000 : index
        %one = arith.constant 1 : i32
        scf.for %i = %c0 to %many step %c1 {
          func.call @count(%a, %i) : (memref<1xi32>, index) -> ()
        }
        """,
        ("a : memref<1xi32>",),
        outside="""
        func.func private @count(%out: memref<1xi32>, %i: index) {
          %c0 = arith.constant 0 : index
          %c15 = arith.constant 15 : index
          %local = memref.alloca() : memref<16xi32>
          %at = arith.andi %i, %c15 : index
          %x = arith.index_cast %i : index to i32
          memref.store %x, %local[%at] : memref<16xi32>
          %y = memref.load %local[%at] : memref<16xi32>
          memref.store %y, %out[%c0] : memref<1xi32>
          return
        }
        """,
    )
    assert ran.view(0, np.int32, 1)[0] == 1999999


def test_division_by_a_constant_zero_is_refused(run):
    with pytest.raises(AlloAirError, match="divides by 0, which is undefined on a core"):
        run(C + "%x = memref.load %a[%c0] : memref<4xi32>\n%z = arith.constant 0 : i32\n%q = arith.remsi %x, %z : i32",
            ("a : memref<4xi32>",), (np.ones(4, np.int32),))  # fmt: skip
