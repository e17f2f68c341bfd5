// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1' | filecheck %s

// A buffer that the segment allocates is each core's own, one for all phases of the herd.

// CHECK:         aie.device(npu1) @s
// CHECK-COUNT-2: aie.buffer({{.*}} : memref<8xi32, 2>
// CHECK-NOT:     aie.buffer
func.func @f() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %acc = memref.alloc() : memref<8xi32, 2>
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c1) args(%m=%acc) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %zero = arith.constant 0 : i32
        %c0 = arith.constant 0 : index
        memref.store %zero, %m[%c0] : memref<8xi32, 2>
      }
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c1) args(%m=%acc) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %v = memref.load %m[%c0] : memref<8xi32, 2>
        memref.store %v, %m[%c0] : memref<8xi32, 2>
      }
      memref.dealloc %acc : memref<8xi32, 2>
    }
  }
  return
}
