// no outputs; alloc read without write; dma of arg to L1 in herd over dynamic offsets (air-to-std style)
module {
  func.func @herd1() {
    %cst1 = arith.constant 1 : index
    air.herd tile(%tx, %ty) in (%size_x = %cst1, %size_y = %cst1) {
      %src0 = memref.alloc() : memref<1xi32, 2>
      %zero = arith.constant 0 : index
      %1 = memref.load %src0[%zero] : memref<1xi32, 2>
      %2 = arith.addi %1, %1 : i32
      memref.store %2, %src0[%zero] : memref<1xi32, 2>
      air.herd_terminator
    }
    return
  }
}
