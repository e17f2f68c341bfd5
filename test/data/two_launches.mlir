// Two launches of eight blocks each, which the host runs one after the other: c = a + 1, o = c * c.
func.func @f(%a: memref<1024x64xi32>, %c: memref<1024x64xi32>, %o: memref<1024x64xi32>) {
  %c4 = arith.constant 4 : index
  %n8 = arith.constant 8 : index
  air.launch (%i) in (%li=%n8) args(%la=%a, %lc=%c) : memref<1024x64xi32>, memref<1024x64xi32> {
    air.segment @first args(%si=%i, %sa=%la, %sc=%lc) : index, memref<1024x64xi32>, memref<1024x64xi32> {
      %x = arith.constant 2 : index
      %y = arith.constant 1 : index
      air.herd @first tile (%tx, %ty) in (%sx=%x, %sy=%y) args(%hi=%si, %ha=%sa, %hc=%sc) : index, memref<1024x64xi32>, memref<1024x64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %one = arith.constant 1 : i32
        %in = memref.alloc() : memref<64x64xi32, 2>
        %row = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 64)>()[%hi, %tx]
        air.dma_memcpy_nd (%in[] [] [], %ha[%row, %c0] [%c64, %c64] [%c64, %c1]) : (memref<64x64xi32, 2>, memref<1024x64xi32>)
        scf.for %p = %c0 to %c64 step %c1 { scf.for %q = %c0 to %c64 step %c1 {
          %v = memref.load %in[%p, %q] : memref<64x64xi32, 2>
          %w = arith.addi %v, %one : i32
          memref.store %w, %in[%p, %q] : memref<64x64xi32, 2>
        } }
        air.dma_memcpy_nd (%hc[%row, %c0] [%c64, %c64] [%c64, %c1], %in[] [] []) : (memref<1024x64xi32>, memref<64x64xi32, 2>)
        memref.dealloc %in : memref<64x64xi32, 2>
      }
    }
  }
  air.launch (%i) in (%li=%n8) args(%la=%c, %lc=%o) : memref<1024x64xi32>, memref<1024x64xi32> {
    air.segment @second args(%si=%i, %sa=%la, %sc=%lc) : index, memref<1024x64xi32>, memref<1024x64xi32> {
      %x = arith.constant 2 : index
      %y = arith.constant 1 : index
      air.herd @second tile (%tx, %ty) in (%sx=%x, %sy=%y) args(%hi=%si, %ha=%sa, %hc=%sc) : index, memref<1024x64xi32>, memref<1024x64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %in = memref.alloc() : memref<64x64xi32, 2>
        %row = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 64)>()[%hi, %tx]
        air.dma_memcpy_nd (%in[] [] [], %ha[%row, %c0] [%c64, %c64] [%c64, %c1]) : (memref<64x64xi32, 2>, memref<1024x64xi32>)
        scf.for %p = %c0 to %c64 step %c1 { scf.for %q = %c0 to %c64 step %c1 {
          %v = memref.load %in[%p, %q] : memref<64x64xi32, 2>
          %w = arith.muli %v, %v : i32
          memref.store %w, %in[%p, %q] : memref<64x64xi32, 2>
        } }
        air.dma_memcpy_nd (%hc[%row, %c0] [%c64, %c64] [%c64, %c1], %in[] [] []) : (memref<1024x64xi32>, memref<64x64xi32, 2>)
        memref.dealloc %in : memref<64x64xi32, 2>
      }
    }
  }
  return
}
