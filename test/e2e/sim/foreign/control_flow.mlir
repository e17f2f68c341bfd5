// A core without structured loops: cf branches for ever, locks inside; the length of each row is data and drives scf.while and scf.if.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t04 = aie.tile(0, 4)
    %in = aie.buffer(%t04) {sym_name = "in", mem_bank = 1 : i32} : memref<8xi32>
    %out = aie.buffer(%t04) {sym_name = "out", mem_bank = 2 : i32} : memref<8xi32>
    %il = aie.lock(%t04, 0) {init = 1 : i32, sym_name = "in_empty"}
    %ih = aie.lock(%t04, 1) {sym_name = "in_full"}
    %ol = aie.lock(%t04, 2) {init = 1 : i32, sym_name = "out_empty"}
    %oh = aie.lock(%t04, 3) {sym_name = "out_full"}
    %core = aie.core(%t04) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0 : i32
      cf.br ^loop
    ^loop:
      aie.use_lock(%ih, AcquireGreaterEqual, 1)
      aie.use_lock(%ol, AcquireGreaterEqual, 1)
      %n = memref.load %in[%c0] : memref<8xi32>
      %odd = arith.trunci %n : i32 to i1
      cf.cond_br %odd, ^copy, ^sum
    ^copy:
      scf.for %i = %c0 to %c8 step %c1 {
        %v = memref.load %in[%i] : memref<8xi32>
        %neg = arith.cmpi slt, %v, %zero : i32
        %r = scf.if %neg -> (i32) {
          %m = arith.subi %zero, %v : i32
          scf.yield %m : i32
        } else {
          scf.yield %v : i32
        }
        memref.store %r, %out[%i] : memref<8xi32>
      }
      cf.br ^done
    ^sum:
      %total, %steps = scf.while (%x = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi sgt, %x, %zero : i32
        scf.condition(%more) %x, %k : i32, i32
      } do {
      ^bb0(%x: i32, %k: i32):
        %two = arith.constant 3 : i32
        %one = arith.constant 1 : i32
        %y = arith.subi %x, %two : i32
        %l = arith.addi %k, %one : i32
        scf.yield %y, %l : i32, i32
      }
      scf.for %i = %c0 to %c8 step %c1 {
        memref.store %steps, %out[%i] : memref<8xi32>
      }
      cf.br ^done
    ^done:
      aie.use_lock(%il, Release, 1)
      aie.use_lock(%oh, Release, 1)
      cf.br ^loop
    }
    %mem = aie.mem(%t04) {
      %0 = aie.dma_start(S2MM, 1, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%il, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<8xi32>, 0, 8)
      aie.use_lock(%ih, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 1, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%oh, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<8xi32>, 0, 8)
      aie.use_lock(%ol, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.flow(%t00, DMA : 0, %t04, DMA : 1)
    aie.flow(%t04, DMA : 1, %t00, DMA : 0)
    aie.shim_dma_allocation @in_shim(%t00, MM2S, 0)
    aie.shim_dma_allocation @out_shim(%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<12x8xi32>, %b : memref<12x8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][12, 1, 1, 8][8, 0, 0, 1]) {id = 0 : i64, metadata = @in_shim} : memref<12x8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][12, 1, 1, 8][8, 0, 0, 1]) {id = 1 : i64, metadata = @out_shim, issue_token = true} : memref<12x8xi32>
      aiex.npu.dma_wait {symbol = @out_shim}
    }
  }
}
