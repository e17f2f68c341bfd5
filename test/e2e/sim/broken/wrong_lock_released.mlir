// The DMA that fills x releases the lock of the sender: the core never begins, and what is sent back is not its result.
// EXPECT kind=deadlock tile=(0,2) unit=core lock=x_cons says=nothing in the design releases
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %rtp = aie.buffer(%t02) {sym_name = "rtp"} : memref<4xi32> = dense<[1, 2, 3, 4]>
    %x = aie.buffer(%t02) {sym_name = "x"} : memref<16xi32>
    %go = aie.lock(%t02) {init = 0 : i32, sym_name = "go"}
    %x_prod = aie.lock(%t02) {init = 1 : i32, sym_name = "x_prod"}
    %x_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "x_cons"}
    %y_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "y_cons"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      %scale = memref.load %rtp[%c1] : memref<4xi32>
      %shift = memref.load %rtp[%c3] : memref<4xi32>
      aie.use_lock(%x_cons, AcquireGreaterEqual, 1) // HERE
      scf.for %i = %c0 to %c16 step %c1 {
        %v = memref.load %x[%i] : memref<16xi32>
        %p = arith.muli %v, %scale : i32
        %s = arith.addi %p, %shift : i32
        memref.store %s, %x[%i] : memref<16xi32>
      }
      aie.use_lock(%y_cons, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%x_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<16xi32>, 0, 16)
      aie.use_lock(%y_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%y_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<16xi32>, 0, 16)
      aie.use_lock(%x_prod, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<16xi32>, %b : memref<16xi32>) {
      aiex.npu.rtp_write(@rtp, 1, 50)
      aiex.npu.write32 {address = 3 : ui32, buffer = @rtp, value = 7 : ui32}
      aiex.set_lock(%go, 1)
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
