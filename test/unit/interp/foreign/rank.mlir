// rank/universe
module {
  func.func @rank(%arg0: memref<64xi32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %t0 = air.wait_all async
    %t1 = air.rank async [%t0] (%rx) in (%sx = %c2) args(%a=%arg0) : memref<64xi32> {
      %c1_0 = arith.constant 1 : index
      air.launch (%l) in (%ls=%c1_0) args(%aa=%a, %r=%rx) : memref<64xi32>, index {
        %c7 = arith.constant 7 : i32
        %c32 = arith.constant 32 : index
        %i = arith.muli %r, %c32 : index
        memref.store %c7, %aa[%i] : memref<64xi32>
      }
    }
    air.wait_all [%t1]
    return
  }
}
