// Kernels of mlir-aie's library by their names, one after the other in a core.
module {
  aie.device(npu2_1col) {
    func.func private @eltwise_add_bf16_vector(memref<64xbf16>, memref<64xbf16>, memref<64xbf16>)
    func.func private @eltwise_mul_bf16_scalar(memref<64xbf16>, memref<64xbf16>, memref<64xbf16>)
    func.func private @bf16_relu(memref<64xbf16>, memref<64xbf16>)
    func.func private @reduce_max_vector_bfloat16(memref<64xbf16>, memref<2xbf16>, i32)
    func.func private @compute_max_bfloat16(memref<2xbf16>, memref<2xbf16>, memref<2xbf16>)
    func.func private @zero_bf16(memref<2xbf16>)
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    %tmp = aie.buffer(%c) {sym_name = "tmp"} : memref<64xbf16>
    %m = aie.buffer(%c) {sym_name = "m"} : memref<2xbf16> = dense<0.0>
    aie.objectfifo @a(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<64xbf16>>
    aie.objectfifo @b(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<64xbf16>>
    aie.objectfifo @o(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<64xbf16>>
    aie.objectfifo @r(%c, {%s}, 1 : i32) : !aie.objectfifo<memref<2xbf16>>
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 64 : i32
      %6 = aie.objectfifo.acquire @r(Produce, 1) : !aie.objectfifosubview<memref<2xbf16>>
      %7 = aie.objectfifo.subview.access %6[0] : !aie.objectfifosubview<memref<2xbf16>> -> memref<2xbf16>
      func.call @zero_bf16(%7) : (memref<2xbf16>) -> ()
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = aie.objectfifo.acquire @a(Consume, 1) : !aie.objectfifosubview<memref<64xbf16>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<64xbf16>> -> memref<64xbf16>
        %2 = aie.objectfifo.acquire @b(Consume, 1) : !aie.objectfifosubview<memref<64xbf16>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<64xbf16>> -> memref<64xbf16>
        %4 = aie.objectfifo.acquire @o(Produce, 1) : !aie.objectfifosubview<memref<64xbf16>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<64xbf16>> -> memref<64xbf16>
        func.call @eltwise_add_bf16_vector(%1, %3, %tmp) : (memref<64xbf16>, memref<64xbf16>, memref<64xbf16>) -> ()
        func.call @bf16_relu(%tmp, %5) : (memref<64xbf16>, memref<64xbf16>) -> ()
        func.call @reduce_max_vector_bfloat16(%5, %m, %n) : (memref<64xbf16>, memref<2xbf16>, i32) -> ()
        func.call @compute_max_bfloat16(%m, %7, %7) : (memref<2xbf16>, memref<2xbf16>, memref<2xbf16>) -> ()
        func.call @eltwise_mul_bf16_scalar(%1, %3, %5) : (memref<64xbf16>, memref<64xbf16>, memref<64xbf16>) -> ()
        aie.objectfifo.release @a(Consume, 1)
        aie.objectfifo.release @b(Consume, 1)
        aie.objectfifo.release @o(Produce, 1)
      }
      aie.objectfifo.release @r(Produce, 1)
      aie.end
    } {link_with = "kernels.a"}
    aie.runtime_sequence(%a : memref<256xbf16>, %b : memref<256xbf16>, %o : memref<256xbf16>, %r : memref<2xbf16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, metadata = @a} : memref<256xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 1 : i64, metadata = @b} : memref<256xbf16>
      aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 2 : i64, metadata = @o} : memref<256xbf16>
      aiex.npu.dma_memcpy_nd(%r[0, 0, 0, 0][1, 1, 1, 2][0, 0, 0, 1]) {id = 3 : i64, metadata = @r} : memref<2xbf16>
      aiex.npu.dma_wait {symbol = @o}
      aiex.npu.dma_wait {symbol = @r}
    }
  }
}
