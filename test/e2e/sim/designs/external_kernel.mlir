// The core calls a function from an object file; a Python callable stands for it.
module {
  aie.device(npu1_1col) {
    func.func private @scale(memref<64xi16>, memref<64xi16>, i32) attributes {link_with = "scale.o"}
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %in = aie.buffer(%t02) {sym_name = "in"} : memref<64xi16>
    %out = aie.buffer(%t02) {sym_name = "out"} : memref<64xi16>
    %ip = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "in_prod"}
    %ic = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "in_cons"}
    %op = aie.lock(%t02, 2) {init = 1 : i32, sym_name = "out_prod"}
    %oc = aie.lock(%t02, 3) {init = 0 : i32, sym_name = "out_cons"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %max = arith.constant 4294967295 : index
      %seven = arith.constant 7 : i32
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%ic, AcquireGreaterEqual, 1)
        aie.use_lock(%op, AcquireGreaterEqual, 1)
        func.call @scale(%in, %out, %seven) : (memref<64xi16>, memref<64xi16>, i32) -> ()
        aie.use_lock(%ip, Release, 1)
        aie.use_lock(%oc, Release, 1)
      }
      aie.end
    } {link_with = "scale.o"}
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%ip, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<64xi16>, 0, 64)
      aie.use_lock(%ic, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oc, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<64xi16>, 0, 64)
      aie.use_lock(%op, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @x (%t00, MM2S, 0)
    aie.shim_dma_allocation @y (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<4x64xi16>, %b : memref<4x64xi16>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 4, 64][0, 0, 64, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<4x64xi16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 4, 64][0, 0, 64, 1]) {id = 0 : i64, metadata = @x} : memref<4x64xi16>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
