// A core copies 16 lines of 64 bytes with scf loops; double buffers on both sides.
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %core_tile = aie.tile(0, 2)
    %in0 = aie.buffer(%core_tile) {sym_name = "in_buff_0"} : memref<64xi8>
    %in1 = aie.buffer(%core_tile) {sym_name = "in_buff_1"} : memref<64xi8>
    %out0 = aie.buffer(%core_tile) {sym_name = "out_buff_0"} : memref<64xi8>
    %out1 = aie.buffer(%core_tile) {sym_name = "out_buff_1"} : memref<64xi8>
    %in_prod = aie.lock(%core_tile) {init = 2 : i32, sym_name = "in_prod_lock"}
    %in_cons = aie.lock(%core_tile) {init = 0 : i32, sym_name = "in_cons_lock"}
    %out_prod = aie.lock(%core_tile) {init = 2 : i32, sym_name = "out_prod_lock"}
    %out_cons = aie.lock(%core_tile) {init = 0 : i32, sym_name = "out_cons_lock"}

    aie.flow(%shim, DMA : 0, %core_tile, DMA : 0)
    aie.flow(%core_tile, DMA : 0, %shim, DMA : 0)

    func.func private @copy_line(%src : memref<64xi8>, %dst : memref<64xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        %v = memref.load %src[%i] : memref<64xi8>
        memref.store %v, %dst[%i] : memref<64xi8>
      }
      return
    }

    %core = aie.core(%core_tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c2 {
        aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
        func.call @copy_line(%in0, %out0) : (memref<64xi8>, memref<64xi8>) -> ()
        aie.use_lock(%in_prod, Release, 1)
        aie.use_lock(%out_cons, Release, 1)
        aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
        func.call @copy_line(%in1, %out1) : (memref<64xi8>, memref<64xi8>) -> ()
        aie.use_lock(%in_prod, Release, 1)
        aie.use_lock(%out_cons, Release, 1)
      }
      aie.end
    }

    %mem = aie.mem(%core_tile) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%in0 : memref<64xi8>, 0, 64)
      aie.use_lock(%in_cons, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%in1 : memref<64xi8>, 0, 64)
      aie.use_lock(%in_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%out0 : memref<64xi8>, 0, 64)
      aie.use_lock(%out_prod, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%out1 : memref<64xi8>, 0, 64)
      aie.use_lock(%out_prod, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      aie.end
    }

    aie.shim_dma_allocation @in (%shim, MM2S, 0)
    aie.shim_dma_allocation @out (%shim, S2MM, 0)
    aie.runtime_sequence @sequence(%a : memref<1024xi8>, %b : memref<1024xi8>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<1024xi8>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<1024xi8>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
