// Eight cores with three inputs each: more streams than the shims of npu1 have channels for, which packets share.
func.func @f(%A: memref<2048xi32>, %B: memref<2048xi32>, %C: memref<2048xi32>, %O: memref<2048xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C, %w=%O) : memref<2048xi32>, memref<2048xi32>, memref<2048xi32>, memref<2048xi32> {
    air.segment @seg args(%x1=%x, %y1=%y, %z1=%z, %w1=%w) : memref<2048xi32>, memref<2048xi32>, memref<2048xi32>, memref<2048xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      air.herd @herd tile (%i, %j) in (%m = %c4, %n = %c2) args(%x2=%x1, %y2=%y1, %z2=%z1, %w2=%w1) : memref<2048xi32>, memref<2048xi32>, memref<2048xi32>, memref<2048xi32> {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %8 = arith.constant 4 : index
        %64 = arith.constant 64 : index
        %256 = arith.constant 256 : index
        %1024 = arith.constant 1024 : index
        scf.for %t = %0 to %8 step %1 {
          %la = memref.alloc() : memref<64xi32, 2>
          %lb = memref.alloc() : memref<64xi32, 2>
          %lc = memref.alloc() : memref<64xi32, 2>
          %lo = memref.alloc() : memref<64xi32, 2>
          %o0 = arith.muli %t, %64 : index
          %o2 = arith.muli %i, %256 : index
          %o3 = arith.muli %j, %1024 : index
          %o1 = arith.addi %o2, %o3 : index
          %o = arith.addi %o0, %o1 : index
          air.dma_memcpy_nd (%la[] [] [], %x2[%o] [%64] [%1]) : (memref<64xi32, 2>, memref<2048xi32>)
          air.dma_memcpy_nd (%lb[] [] [], %y2[%o] [%64] [%1]) : (memref<64xi32, 2>, memref<2048xi32>)
          air.dma_memcpy_nd (%lc[] [] [], %z2[%o] [%64] [%1]) : (memref<64xi32, 2>, memref<2048xi32>)
          scf.for %k = %0 to %64 step %1 {
            %p = memref.load %la[%k] : memref<64xi32, 2>
            %q = memref.load %lb[%k] : memref<64xi32, 2>
            %r = memref.load %lc[%k] : memref<64xi32, 2>
            %s = arith.muli %p, %q : i32
            %u = arith.addi %s, %r : i32
            memref.store %u, %lo[%k] : memref<64xi32, 2>
          }
          air.dma_memcpy_nd (%w2[%o] [%64] [%1], %lo[] [] []) : (memref<2048xi32>, memref<64xi32, 2>)
          memref.dealloc %la : memref<64xi32, 2>
          memref.dealloc %lb : memref<64xi32, 2>
          memref.dealloc %lc : memref<64xi32, 2>
          memref.dealloc %lo : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
