// Runtime parameters written before a lock lets the core go; bias per row added to rows of bf16, vectors of 32.
module {
  aie.device(npu1) {
    %t20 = aie.tile(2, 0)
    %t25 = aie.tile(2, 5)
    %rtp = aie.buffer(%t25) {sym_name = "rtp", address = 0xF000 : i32} : memref<16xi32>
    %go = aie.lock(%t25, 15) {init = 0 : i32, sym_name = "go"}
    aie.objectfifo @x(%t20, {%t25}, 2 : i32) : !aie.objectfifo<memref<4x64xbf16>>
    aie.objectfifo @y(%t25, {%t20}, 2 : i32) : !aie.objectfifo<memref<4x64xbf16>>
    %core = aie.core(%t25) {
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c4 = arith.constant 4 : index
      %n32 = memref.load %rtp[%c0] : memref<16xi32>
      %n = arith.index_cast %n32 : i32 to index
      scf.for %t = %c0 to %n step %c1 {
        %0 = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<4x64xbf16>>
        %a = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<4x64xbf16>> -> memref<4x64xbf16>
        %1 = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<4x64xbf16>>
        %b = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<4x64xbf16>> -> memref<4x64xbf16>
        scf.for %r = %c0 to %c4 step %c1 {
          %at = arith.addi %r, %c1 : index
          %bias = memref.load %rtp[%at] : memref<16xi32>
          %f = arith.sitofp %bias : i32 to bf16
          %v = vector.broadcast %f : bf16 to vector<32xbf16>
          scf.for %i = %c0 to %c64 step %c32 {
            %p = vector.load %a[%r, %i] : memref<4x64xbf16>, vector<32xbf16>
            %q = arith.addf %p, %v : vector<32xbf16>
            vector.store %q, %b[%r, %i] : memref<4x64xbf16>, vector<32xbf16>
          }
        }
        aie.objectfifo.release @x(Consume, 1)
        aie.objectfifo.release @y(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a : memref<12x64xbf16>, %b : memref<12x64xbf16>) {
      aiex.npu.rtp_write(@rtp, 0, 3)
      aiex.npu.rtp_write(@rtp, 1, 10)
      aiex.npu.rtp_write(@rtp, 2, -20)
      aiex.npu.rtp_write(@rtp, 3, 30)
      aiex.npu.write32 {buffer = @rtp, address = 4 : ui32, value = 4 : ui32}
      aiex.set_lock(%go, 1)
      %0 = aiex.dma_configure_task_for @x {
        aie.dma_bd(%a : memref<12x64xbf16>, 0, 768) {bd_id = 5 : i32}
        aie.end
      }
      aiex.dma_start_task(%0)
      %1 = aiex.dma_configure_task_for @y {
        aie.dma_bd(%b : memref<12x64xbf16>, 0, 256)
        aie.next_bd ^bb1
      ^bb1:
        aie.dma_bd(%b : memref<12x64xbf16>, 256, 512)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%1)
      aiex.dma_await_task(%1)
    }
  }
}
