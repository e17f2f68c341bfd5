// RUN: allo-opt %s --air-to-aie='device=npu2 row-offset=2 col-offset=0 use-lock-race-condition-fix-v2=true' | filecheck %s

// Chains are for L2 buffers; a core keeps its pair of locks, also for a buffer that nothing reads.
// CHECK: %[[CORE:.*]] = aie.tile(0, 2)
// CHECK: %[[FREE:.*]] = aie.lock(%[[CORE]], 1) {init = 1 : i32}
// CHECK: %[[FULL:.*]] = aie.lock(%[[CORE]], 0) {init = 0 : i32}
// CHECK: aie.mem(%[[CORE]])
// CHECK: aie.use_lock(%[[FREE]], AcquireGreaterEqual, %c1
// CHECK: aie.use_lock(%[[FULL]], Release, %c1
// CHECK: aie.core(%[[CORE]])
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual, %c1
// CHECK: aie.use_lock(%[[FREE]], Release, %c1
air.channel @in [1, 1]
func.func @f(%a: memref<32xi32>) {
  air.launch () in () args(%x=%a) : memref<32xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<32xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %l1 = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[] (%l1[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %l1 : memref<32xi32, 2>
      }
    }
  }
  return
}
