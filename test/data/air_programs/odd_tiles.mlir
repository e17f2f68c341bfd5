// Nine tiles for each core: an odd number, and more descriptors than a core has if every one had its own.
module {
  func.func @add(%A: memref<1152xi32>, %B: memref<1152xi32>, %C: memref<1152xi32>) {
    %h = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%s = %c1) args(%a=%A, %b=%B, %c=%C) : memref<1152xi32>, memref<1152xi32>, memref<1152xi32> {
     air.segment @seg args(%a1=%a, %b1=%b, %c1_=%c) : memref<1152xi32>, memref<1152xi32>, memref<1152xi32> {
      %hh = arith.constant 2 : index
      %c1_0 = arith.constant 1 : index
      air.herd @add tile (%x, %y) in (%sx=%c1_0, %sy=%hh) args(%a2=%a1, %b2=%b1, %c2=%c1_) : memref<1152xi32>, memref<1152xi32>, memref<1152xi32> {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %T = arith.constant 64 : index
        %N = arith.constant 1152 : index
        %step = arith.constant 128 : index
        scf.for %k = %c0 to %N step %step {
          %off = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%k)[%y]
          %la = memref.alloc() : memref<64xi32, 2>
          %lb = memref.alloc() : memref<64xi32, 2>
          %lc = memref.alloc() : memref<64xi32, 2>
          air.dma_memcpy_nd (%la[] [] [], %a2[%off] [%T] [%one]) : (memref<64xi32, 2>, memref<1152xi32>)
          air.dma_memcpy_nd (%lb[] [] [], %b2[%off] [%T] [%one]) : (memref<64xi32, 2>, memref<1152xi32>)
          scf.for %j = %c0 to %T step %one {
            %va = memref.load %la[%j] : memref<64xi32, 2>
            %vb = memref.load %lb[%j] : memref<64xi32, 2>
            %vc = arith.addi %va, %vb : i32
            memref.store %vc, %lc[%j] : memref<64xi32, 2>
          }
          air.dma_memcpy_nd (%c2[%off] [%T] [%one], %lc[] [] []) : (memref<1152xi32>, memref<64xi32, 2>)
          memref.dealloc %la : memref<64xi32, 2>
          memref.dealloc %lb : memref<64xi32, 2>
          memref.dealloc %lc : memref<64xi32, 2>
        }
      }
     }
    }
    return
  }
}
