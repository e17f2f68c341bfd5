// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='row-offset=2 col-offset=0 device=npu1' | filecheck %s

// Buffers that nothing deallocates are given back after their last use, before the next one is taken.

// CHECK:      aie.core(
// CHECK:      aie.use_lock(%[[DATA:.*]], AcquireGreaterEqual, 1)
// CHECK:      memref.load %buf1[
// CHECK:      aie.use_lock(%[[ROOM:.*]], Release, 1)
// CHECK-NEXT: aie.use_lock(%[[DATA]], AcquireGreaterEqual, 1)
// CHECK:      memref.load %buf0[
// CHECK:      aie.use_lock(%[[ROOM]], Release, 1)
// CHECK:      aie.end
air.channel @in []
func.func @f(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : memref<8xi32, 2>
    %y = memref.alloc() : memref<8xi32, 2>
    air.channel.get @in[] (%x[] [] []) : (memref<8xi32, 2>)
    %v = memref.load %x[%c0] : memref<8xi32, 2>
    memref.store %v, %x[%c0] : memref<8xi32, 2>
    air.channel.get @in[] (%y[] [] []) : (memref<8xi32, 2>)
    %w = memref.load %y[%c0] : memref<8xi32, 2>
    memref.store %w, %y[%c0] : memref<8xi32, 2>
  }
  return
}
