// herds in one segment with x_loc strings / sizes and empty herd grid
module {
  func.func @empty(%arg0: memref<8xi32>) {
    %0 = air.wait_all async
    %1 = air.herd @herd_0 async [%0] tile () in () args(%a=%arg0) : memref<8xi32> {
      %c0 = arith.constant 0 : index
    }
    %2 = air.segment async {
    }
    air.wait_all [%1, %2]
    return
  }
}
