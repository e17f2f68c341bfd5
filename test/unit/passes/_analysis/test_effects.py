"""What operations do to buffers, in order."""

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.passes._analysis.effects import accesses, is_pure

TEXT = """
air.channel @c []
func.func private @kernel(memref<4xi32, 2>)
func.func @f(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>, %x: i32, %i: index) {
  %v = memref.subview %a[0] [2] [1] : memref<4xi32, 2> to memref<2xi32, strided<[1]>, 2>
  linalg.fill ins(%x : i32) outs(%v : memref<2xi32, strided<[1]>, 2>)
  %y = memref.load %a[%i] : memref<4xi32, 2>
  memref.store %y, %b[%i] : memref<4xi32, 2>
  linalg.add ins(%a, %a : memref<4xi32, 2>, memref<4xi32, 2>) outs(%b : memref<4xi32, 2>)
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32, 2>)
  air.channel.put @c[] (%a[] [] []) : (memref<4xi32, 2>)
  air.channel.get @c[] (%b[] [] []) : (memref<4xi32, 2>)
  func.call @kernel(%b) : (memref<4xi32, 2>) -> ()
  %c1 = arith.constant 1 : index
  air.herd @h tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%m=%a) : memref<4xi32, 2> {
    %z = memref.load %m[%hx] : memref<4xi32, 2>
  }
  %t, %n = air.execute -> (memref<4xi32, 2>) {
    %alloc = memref.alloc() : memref<4xi32, 2>
    air.execute_terminator %alloc : memref<4xi32, 2>
  }
  memref.dealloc %n : memref<4xi32, 2>
  return
}
"""


@pytest.mark.usefixtures("context")
def test_accesses_in_order():
    module = asm.read(TEXT)
    function = walk_named(module, "func.func")[-1]
    names = dict(zip(function.regions[0].blocks[0].arguments, "abxi", strict=True))
    [alloc] = walk_named(module, "memref.alloc")
    names[alloc.results[0]] = "n"
    found = [(a.op.name.split(".", 1)[1], a.kind, names[a.root], a.end, a.is_opaque) for a in accesses(function)]
    assert found == [
        ("fill", "write", "a", None, False),
        ("load", "read", "a", None, False),
        ("store", "write", "b", None, False),
        ("add", "read", "a", None, False),
        ("add", "read", "a", None, False),
        ("add", "update", "b", None, False),
        ("dma_memcpy_nd", "read", "a", None, False),
        ("dma_memcpy_nd", "write", "b", None, False),
        ("channel.put", "read", "a", ("c", "put"), False),
        ("channel.get", "write", "b", ("c", "get"), False),
        ("call", "update", "b", None, True),
        ("herd", "update", "a", None, True),
        ("dealloc", "free", "n", None, False),
    ]
    assert [op.name for op in walk_named(module, "memref.subview", "memref.load", "arith.constant") if is_pure(op)] == [
        "memref.subview",
        "arith.constant",
    ]
