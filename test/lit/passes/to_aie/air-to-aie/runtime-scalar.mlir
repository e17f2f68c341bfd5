// RUN: allo-opt %s --air-to-aie=device=npu1 --verify-diagnostics

func.func @f(%s: i32) {
  air.launch () in () args(%t=%s) : i32 {
    air.segment @s args(%u=%t) : i32 {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) args(%k=%u) : i32 attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %m = memref.alloc() : memref<8xi32, 2>
        // expected-error@+1 {{uses argument #4 (i32) of the herd, which is passed at run time}}
        scf.for %x = %c0 to %c8 step %one {
          memref.store %k, %m[%x] : memref<8xi32, 2>
        }
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
  }
  return
}
