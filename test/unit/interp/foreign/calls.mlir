// func.call of declared library function in herd, link_with
module {
  func.func private @matmul_bf16(memref<32x32xbf16, 2>, memref<32x32xbf16, 2>, memref<32x32xf32, 2>) attributes {link_with = "mm.o", llvm.emit_c_interface}
  func.func private @zero_f32(memref<32x32xf32, 2>) attributes {llvm.emit_c_interface}
  func.func @calls(%arg0: memref<32x64xbf16>, %arg1: memref<64x32xbf16>, %arg2: memref<32x32xf32>) {
    %c1 = arith.constant 1 : index
    air.herd @herd_0 tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<32x64xbf16>, memref<64x32xbf16>, memref<32x32xf32> attributes {link_with = "mm.o"} {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %acc = memref.alloc() : memref<32x32xf32, 2>
      func.call @zero_f32(%acc) : (memref<32x32xf32, 2>) -> ()
      scf.for %k = %c0 to %c64 step %c32 {
        %ta = memref.alloc() : memref<32x32xbf16, 2>
        %tb = memref.alloc() : memref<32x32xbf16, 2>
        air.dma_memcpy_nd (%ta[] [] [], %a[%c0, %k] [%c32, %c32] [%c64, %c1_0]) {id = 1 : i32} : (memref<32x32xbf16, 2>, memref<32x64xbf16>)
        air.dma_memcpy_nd (%tb[] [] [], %b[%k, %c0] [%c32, %c32] [%c32, %c1_0]) {id = 2 : i32} : (memref<32x32xbf16, 2>, memref<64x32xbf16>)
        func.call @matmul_bf16(%ta, %tb, %acc) : (memref<32x32xbf16, 2>, memref<32x32xbf16, 2>, memref<32x32xf32, 2>) -> ()
        memref.dealloc %ta : memref<32x32xbf16, 2>
        memref.dealloc %tb : memref<32x32xbf16, 2>
      }
      air.dma_memcpy_nd (%c[] [] [], %acc[] [] []) {id = 3 : i32} : (memref<32x32xf32>, memref<32x32xf32, 2>)
      memref.dealloc %acc : memref<32x32xf32, 2>
      air.herd_terminator
    }
    return
  }
}
