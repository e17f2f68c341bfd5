// async herd on scalars
module {
  func.func @foo(%arg0: i32, %arg1: i32) -> i32 {
    %cst2 = arith.constant 2 : index
    %e0 = air.wait_all async
    %e1 = air.herd async [%e0] tile (%x, %y) in (%sx=%cst2, %sy=%cst2) args (%op0=%arg0, %op1=%arg1) : i32, i32 attributes {id = 1 : i32} {
      %3 = arith.addi %x, %y : index
      %buf = memref.alloc() : memref<1xi32, 2>
      %c0 = arith.constant 0 : index
      %s = arith.addi %op0, %op1 : i32
      memref.store %s, %buf[%c0] : memref<1xi32, 2>
      memref.dealloc %buf : memref<1xi32, 2>
      air.herd_terminator
    }
    %e2, %r = air.execute [%e1] -> (i32) {
      %q = arith.addi %arg0, %arg1 : i32
      air.execute_terminator %q : i32
    }
    air.wait_all [%e2]
    return %r : i32
  }
}
