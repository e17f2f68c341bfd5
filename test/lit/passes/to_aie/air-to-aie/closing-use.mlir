// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1' | filecheck %s

// A buffer that is written and sent several times, and read once more after the last send, needs one pair of locks: the core's
// last use takes what its first use in the next round goes on with.
// CHECK-COUNT-2: aie.lock(%tile_0_2, {{[01]}}) {init = 0 : i32}
// CHECK-NOT: aie.lock
// CHECK: aie.core(%tile_0_2) {
// CHECK: linalg.fill ins(%c1_i32
// CHECK-NEXT: aie.use_lock(%[[FULL:.*]], Release, 1)
// CHECK-NEXT: aie.use_lock(%[[EMPTY:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT: linalg.fill ins(%c2_i32
// CHECK-NEXT: aie.use_lock(%[[FULL]], Release, 1)
// CHECK-NEXT: aie.use_lock(%[[EMPTY]], AcquireGreaterEqual, 1)
// CHECK-NEXT: memref.load

air.channel @out [1, 1]
func.func @f(%a: memref<64xi32>) {
  air.launch () in () args(%x = %a) : memref<64xi32> {
    air.channel.get @out[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %l1 = memref.alloc() : memref<64xi32, 2>
        %sum = memref.alloc() : memref<1xi32, 2>
        linalg.fill ins(%one : i32) outs(%l1 : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%l1[] [] []) : (memref<64xi32, 2>)
        linalg.fill ins(%two : i32) outs(%l1 : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%l1[] [] []) : (memref<64xi32, 2>)
        %v = memref.load %l1[%c0] : memref<64xi32, 2>
        memref.store %v, %sum[%c0] : memref<1xi32, 2>
        memref.dealloc %sum : memref<1xi32, 2>
        memref.dealloc %l1 : memref<64xi32, 2>
      }
    }
  }
  return
}
