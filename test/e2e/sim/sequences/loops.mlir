// Loops and branches in a sequence, and offsets that follow from them.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    aie.objectfifo @in(%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo @out(%t01, {%t00}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo.link [@in] -> [@out]([] [])
    aie.runtime_sequence @seq(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i64
      scf.for %row = %c0 to %c8 step %c2 {
        %even = arith.remui %row, %c2 : index
        %first = arith.cmpi eq, %row, %c0 : index
        scf.for %half = %c0 to %c64 step %c32 {
          %start = arith.muli %row, %c64 : index
          %o = arith.addi %start, %half : index
          %off = arith.index_cast %o : index to i64
          %sub = memref.subview %b[%row, %half][2, 32][1, 1] : memref<8x64xi32> to memref<2x32xi32, strided<[64, 1], offset: ?>>
          aiex.npu.dma_memcpy_nd(%sub[0, 0, 0, 0][1, 1, 2, 32][0, 0, 64, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<2x32xi32, strided<[64, 1], offset: ?>>
          aiex.npu.dma_memcpy_nd(%a[%zero, %zero, %zero, %off][1, 1, 2, 32][0, 0, 64, 1]) {id = 0 : i64, metadata = @in} : memref<8x64xi32>
          scf.if %first {
            aiex.npu.dma_wait {symbol = @out}
          } else {
            aiex.npu.dma_wait {symbol = @out}
          }
        }
      }
      affine.for %i = 0 to 2 {
        %t = aiex.dma_configure_task_for @out {
          aie.dma_bd(%b : memref<8x64xi32>, 0, 32)
          aie.end
        } {issue_token = true}
        aiex.dma_start_task(%t)
        %u = aiex.dma_configure_task_for @in {
          aie.dma_bd(%a : memref<8x64xi32>, 0, 32)
          aie.end
        }
        aiex.dma_start_task(%u)
        aiex.dma_await_task(%t)
        aiex.dma_free_task(%u)
      }
    }
  }
}
