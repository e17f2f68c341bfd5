// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='use-lock-race-condition-fix=true device=npu1' | filecheck %s

// Five steps, one of which is peeled from a loop over pairs of buffers. They fill both buffers alike in the loop and after it, so
// that the core gives each back when it has read it, and the DMA fills it meanwhile.
// CHECK:       aie.mem(%tile_0_2) {
// CHECK:       aie.core(%tile_0_2) {
// CHECK:       scf.for
// CHECK-NEXT:    aie.use_lock(%[[FULL:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT:    linalg.add ins(%[[A:.*]], %[[SUM:.*]] :
// CHECK-NEXT:    aie.use_lock(%[[EMPTY:.*]], Release, 1)
// CHECK-NEXT:    aie.use_lock(%[[FULL1:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT:    linalg.add
// CHECK-NEXT:    aie.use_lock(%[[EMPTY1:.*]], Release, 1)
// CHECK-NEXT:  }
// CHECK-NEXT:  aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  linalg.add ins(%[[A]], %[[SUM]] :
// CHECK-NEXT:  aie.use_lock(%[[EMPTY]], Release, 1)
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<320xi32>, %c: memref<64xi32>) {
  air.launch () in () args(%x = %a, %z = %c) : memref<320xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<320xi32>)
    air.channel.get @out[] (%z[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %sum = memref.alloc() : memref<64xi32, 2>
        %a0 = memref.alloc() : memref<64xi32, 2>
        %a1 = memref.alloc() : memref<64xi32, 2>
        linalg.fill ins(%zero : i32) outs(%sum : memref<64xi32, 2>)
        scf.for %k = %c0 to %c2 step %one {
          air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%a0, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
          air.channel.get @in[%i, %j] (%a1[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%a1, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
        }
        air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xi32, 2>)
        linalg.add ins(%a0, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%sum[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %sum : memref<64xi32, 2>
      }
    }
  }
  return
}

// -----

// What is read once more after the loop, without being filled, is asked for where the core comes to it.
// CHECK:       aie.core(%tile_0_2) {
// CHECK:       scf.for
// CHECK-NEXT:    aie.use_lock(%[[GO:.*]], Release, 1)
// CHECK-NEXT:    aie.use_lock(%[[DONE:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT:    linalg.add
// CHECK-NEXT:  }
// CHECK-NEXT:  linalg.add
// CHECK-NEXT:  aie.use_lock(%[[GO]], Release, 1)
// CHECK-NEXT:  aie.use_lock(%[[DONE]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  linalg.add
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<192xi32>, %c: memref<64xi32>) {
  air.launch () in () args(%x = %a, %z = %c) : memref<192xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<192xi32>)
    air.channel.get @out[] (%z[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %zero = arith.constant 0 : i32
        %sum = memref.alloc() : memref<64xi32, 2>
        %a0 = memref.alloc() : memref<64xi32, 2>
        linalg.fill ins(%zero : i32) outs(%sum : memref<64xi32, 2>)
        scf.for %k = %c0 to %c2 step %one {
          air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%a0, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
        }
        linalg.add ins(%a0, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
        air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xi32, 2>)
        linalg.add ins(%a0, %sum : memref<64xi32, 2>, memref<64xi32, 2>) outs(%sum : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%sum[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %sum : memref<64xi32, 2>
      }
    }
  }
  return
}
