// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// What nothing fills has one lock, which its descriptor takes and gives.

// CHECK: %[[SELF:.*]] = aie.lock(%{{.*}}, 0) {init = 1 : i32}
// CHECK-NOT: aie.lock(
// CHECK: aie.use_lock(%[[SELF]], AcquireGreaterEqual, %c1
// CHECK-NEXT: aie.dma_bd(
// CHECK-NEXT: aie.use_lock(%[[SELF]], Release, %c1
air.channel @out []
func.func @f(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.get @out[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %l2 = memref.alloc() : memref<64xi32, 1>
      air.channel.put @out[] (%l2[] [] []) : (memref<64xi32, 1>)
    }
  }
  return
}
