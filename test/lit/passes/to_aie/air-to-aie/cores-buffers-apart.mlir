// RUN: allo-opt %s --air-to-aie=device=npu1 --verify-diagnostics

func.func @apart() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %both = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      }
      // expected-error@+1 {{is passed an L1 buffer that a herd on other cores is passed, too; move the data through a channel}}
      air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
      }
      memref.dealloc %both : memref<8xi32, 2>
    }
  }
  return
}
