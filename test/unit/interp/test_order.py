"""What the interpreter finds wrong: races, missing tokens, memory misused, deadlocks; and what it must let pass."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from allo_air.interp.allowances import Allowances
from allo_air.interp.errors import Deadlock, OutOfBounds, PoisonRead, Race, RunError, Unsupported, UseAfterFree

A = np.arange(8, dtype=np.int32)


def copy_program(deps: str, free: str = "%1, %2") -> str:
    """L3 to L1 and back, asynchronous; `deps` is what the copy back waits for, `free` what the deallocation waits for."""
    return f"""func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {{
  %t, %m = air.execute -> (memref<8xi32, 2>) {{
    %n = memref.alloc() : memref<8xi32, 2>
    air.execute_terminator %n : memref<8xi32, 2>
  }}
  %1 = air.dma_memcpy_nd async [%t] (%m[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
  %2 = air.dma_memcpy_nd async [{deps}] (%b[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
  %3 = air.execute [{free}] {{
    memref.dealloc %m : memref<8xi32, 2>
  }}
  return
}}"""


@pytest.mark.parametrize("seed", range(6))
def test_a_missing_token_is_a_race_in_any_order(fails: Callable[..., Any], seed: int) -> None:
    message, notes = fails(Race, copy_program("%t"), A, A * 0, seed=seed)
    lines = sorted(part.split(":")[1] for part in (message, notes[0]))
    assert lines == ["6", "7"]
    assert "no token, channel or program order" in message


@pytest.mark.parametrize("seed", range(6))
def test_tokens_in_order_are_fine(run: Callable[..., Any], seed: int) -> None:
    _, b = run(copy_program("%1"), A, A * 0, seed=seed)
    np.testing.assert_array_equal(b, A)


@pytest.mark.parametrize("seed", range(4))
def test_freed_without_order(fails: Callable[..., Any], seed: int) -> None:
    message, notes = fails(UseAfterFree, copy_program("%1", "%1"), A, A * 0, seed=seed)
    assert sorted(part.split(":")[1] for part in (message, notes[0])) == ["7", "9"]


def test_use_after_free(fails: Callable[..., Any]) -> None:
    message, notes = fails(
        UseAfterFree,
        """func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<8xi32>
  memref.store %one, %m[%c0] : memref<8xi32>
  memref.dealloc %m : memref<8xi32>
  %r = memref.load %m[%c0] : memref<8xi32>
  return %r : i32
}""",
    )
    assert message.startswith("program.mlir:7:8: error: 'memref.load' op uses a memref<8xi32> after its deallocation")
    assert notes[0].startswith("program.mlir:6:3: note: 'memref.dealloc' frees it")


def test_unwritten_memory(fails: Callable[..., Any]) -> None:
    message, notes = fails(
        PoisonRead,
        """func.func @f(%b: memref<8xi32>) {
  %m = memref.alloc() : memref<8xi32, 1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c7 step %c1 {
    memref.store %z, %m[%i] : memref<8xi32, 1>
  }
  memref.copy %m, %b : memref<8xi32, 1> to memref<8xi32>
  return
}""",
        A,
    )
    assert (
        message
        == "program.mlir:10:3: error: 'memref.copy' op reads element [7] of a memref<8xi32, 1>, which nothing has written"
    )
    assert notes == ["program.mlir:2:8: note: 'memref.alloc' is where the buffer comes from"]


HERD = """func.func @f(%a: memref<8xi32>) {{
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%o=%a) : memref<8xi32> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2_0 = arith.constant 2 : index
    %m = memref.alloc() : memref<2xi32, 2>
    %z = arith.constant 5 : i32
    linalg.fill ins(%z : i32) outs(%m : memref<2xi32, 2>)
    %at = affine.apply affine_map<(x, y) -> ({index})>(%x, %y)
    air.dma_memcpy_nd (%o[%at] [%c2_0] [%c1], %m[] [] []) : (memref<8xi32>, memref<2xi32, 2>)
  }}
  return
}}"""


def test_cores_that_write_their_own_elements(run: Callable[..., Any]) -> None:
    [a] = run(HERD.format(index="x * 4 + y * 2"), A)
    assert (a == 5).all()


def test_cores_that_write_the_same_element(fails: Callable[..., Any]) -> None:
    message, notes = fails(Race, HERD.format(index="x * 4 + y"), A)
    assert "'air.dma_memcpy_nd' op writes argument 0" in message
    assert "program.mlir:11:5" in notes[0]


def test_a_transfer_outside_of_its_buffer(fails: Callable[..., Any]) -> None:
    message, _ = fails(OutOfBounds, HERD.format(index="x * 4 + y * 2 + 1"), A)
    assert "touches elements 7 to 8 of a buffer of 8 elements" in message


def test_a_loop_outside_of_its_buffer(fails: Callable[..., Any]) -> None:
    text = """func.func @f(%a: memref<8xi32>) {
  affine.for %i = 0 to 9 {
    %z = arith.constant 1 : i32
    %j = affine.apply affine_map<(d) -> (d + 0)>(%i)
    memref.store %z, %a[%j] : memref<8xi32>
  }
  return
}"""
    message, _ = fails(OutOfBounds, text, A)
    assert message.startswith("program.mlir:2:3: error: 'affine.for' op has a memref.store outside of its buffer")


CHANNELS = """air.channel @c [1, 1]
air.channel @d [1, 1]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {{
  %1 = air.channel.{first} async @{one}[] (%a[] [] []) : (memref<8xi32>)
  %2 = air.channel.{second} async {deps} @{two}[] (%b[] [] []) : (memref<8xi32>)
  return
}}"""


@pytest.mark.parametrize("capacity", [0, 1])
def test_a_channel_moves_data(run: Callable[..., Any], capacity: int) -> None:
    text = CHANNELS.format(first="put", second="get", one="c", two="c", deps="")
    _, b = run(text, A, A * 0, allow=Allowances(capacity=capacity))
    np.testing.assert_array_equal(b, A)


def test_a_deadlock_tells_who_waits_for_what(fails: Callable[..., Any]) -> None:
    text = """air.channel @c [1, 1]
air.channel @d [1, 1]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %1 = air.channel.get async @c[] (%a[] [] []) : (memref<8xi32>)
  %2 = air.channel.put async [%1] @d[] (%a[] [] []) : (memref<8xi32>)
  %3 = air.channel.get async @d[] (%b[] [] []) : (memref<8xi32>)
  %4 = air.channel.put async [%3] @c[] (%b[] [] []) : (memref<8xi32>)
  return
}"""
    message, notes = fails(Deadlock, text, A, A)
    assert "deadlock" in message
    waits = sorted(n.split(": note: ")[1] for n in notes)
    assert waits == [
        "'air.channel.get' waits for channel @c[0, 0], it holds 0 of at most 1 message",
        "'air.channel.get' waits for channel @d[0, 0], it holds 0 of at most 1 message",
    ]


def test_a_deadlock_of_herds_tells_each_operation_once(fails: Callable[..., Any]) -> None:
    herd = """
  air.herd @{0} tile (%x, %y) in (%n = %c2, %m = %c4) {{
    %b = memref.alloc() : memref<8xi32, 2>
    air.channel.get @{1}[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
    air.channel.put @{2}[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
  }}"""
    text = f"""air.channel @c [2, 4]
air.channel @d [2, 4]
func.func @f(%a: memref<8xi32>, %r: memref<8xi32>) {{
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index{herd.format("first", "c", "d")}{herd.format("second", "d", "c")}
  return
}}"""
    _, notes = fails(Deadlock, text, A, A)
    said = sorted(n.split(": note: ")[1] for n in notes)
    assert len(said) <= 4 and said[0].startswith("'air.channel.get' first [") and "; 6 others wait here" in said[0]
    assert "'air.herd' '@second' has not ended" in said


def test_a_put_without_a_get(fails: Callable[..., Any]) -> None:
    text = CHANNELS.format(first="put", second="put", one="c", two="d", deps="")
    message, _ = fails(RunError, text, A, A)
    assert "than its gets receive: 1 message left at the end" in message


def test_a_channel_that_holds_nothing_makes_a_put_wait(fails: Callable[..., Any]) -> None:
    text = CHANNELS.format(first="put", second="get", one="c", two="c", deps="[%1]")
    message, notes = fails(Deadlock, text, A, A * 0, allow=Allowances(capacity=0))
    assert "air.channel.put" in message
    assert "waits for channel @c[0, 0]" in notes[0]


def test_puts_without_order(fails: Callable[..., Any]) -> None:
    text = """air.channel @c [1, 1]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  }
  air.channel.get @c[] (%b[] [] []) : (memref<8xi32>)
  air.channel.get @c[] (%b[] [] []) : (memref<8xi32>)
  return
}"""
    message, _ = fails(Race, text, A, A)
    assert "are two puts on @c[0, 0] without order" in message


def test_without_tokens_memory_orders(run: Callable[..., Any]) -> None:
    """A get that stands before the herd that feeds it does not block; the copy after it waits for it."""
    text = """air.channel @c [1, 1]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    %z = arith.constant 7 : i32
    linalg.fill ins(%z : i32) outs(%m : memref<8xi32, 2>)
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
  }
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  return
}"""
    for seed in range(4):
        _, b = run(text, A, A, seed=seed)
        assert (b == 7).all()


def test_an_unknown_operation_is_named(fails: Callable[..., Any]) -> None:
    text = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    text += "  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"
    message, _ = fails(Unsupported, text, np.zeros(4, np.float32))
    assert message.startswith("program.mlir:2:8: error: 'tosa.abs' op is one that the interpreter cannot execute")


def test_a_herd_placed_outside_of_its_segment(fails: Callable[..., Any]) -> None:
    text = """func.func @f() {
  air.segment @s attributes {x_loc = 0 : i64, y_loc = 2 : i64, x_size = 2 : i64, y_size = 2 : i64} {
    %c2 = arith.constant 2 : index
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
    }
  }
  return
}"""
    message, notes = fails(RunError, text)
    assert "is placed at x = 1 to 2, outside of its segment's 0 to 1" in message
    assert "is the segment" in notes[0]


def test_program_order_stands_in_for_tokens(run: Callable[..., Any]) -> None:
    """As on hardware, where a core is one thread: for files whose tokens leave an order open."""
    for seed in range(6):
        _, b = run(copy_program("%t", "%t"), A, A * 0, seed=seed, allow=Allowances(program_order=True))
        np.testing.assert_array_equal(b, A)


def test_gets_in_a_parallel_loop_without_tokens(run: Callable[..., Any]) -> None:
    text = """air.channel @c [2]
air.channel @d [1]
func.func @f(%a: memref<2x4xi32>, %b: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<2x4xi32, 1>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.get @c[%i] (%m[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<2x4xi32, 1>)
  }
  air.channel.put @d[] (%m[] [] []) : (memref<2x4xi32, 1>)
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.put @c[%i] (%a[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<2x4xi32>)
  }
  air.channel.get @d[] (%b[] [] []) : (memref<2x4xi32>)
  memref.dealloc %m : memref<2x4xi32, 1>
  return
}"""
    a = np.arange(8, dtype=np.int32).reshape(2, 4)
    for seed in range(4):
        np.testing.assert_array_equal(run(text, a, a * 0, seed=seed)[1], a)
