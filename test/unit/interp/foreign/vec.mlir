// vector.transfer in herd, contract, affine nest
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @vec(%arg0: memref<16x16xbf16>, %arg1: memref<16x16xbf16>, %arg2: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    air.herd @vecherd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %cst = arith.constant 0.0 : bf16
      %cstf = arith.constant 0.0 : f32
      %la = memref.alloc() : memref<16x16xbf16, 2>
      %lb = memref.alloc() : memref<16x16xbf16, 2>
      %lc = memref.alloc() : memref<16x16xf32, 2>
      air.dma_memcpy_nd (%la[] [] [], %a[] [] []) : (memref<16x16xbf16, 2>, memref<16x16xbf16>)
      air.dma_memcpy_nd (%lb[] [] [], %b[] [] []) : (memref<16x16xbf16, 2>, memref<16x16xbf16>)
      linalg.fill ins(%cstf : f32) outs(%lc : memref<16x16xf32, 2>)
      scf.for %i = %c0 to %c16 step %c4 {
        scf.for %j = %c0 to %c16 step %c4 {
          scf.for %k = %c0 to %c16 step %c4 {
            %0 = vector.transfer_read %la[%i, %k], %cst {in_bounds = [true, true]} : memref<16x16xbf16, 2>, vector<4x4xbf16>
            %1 = vector.transfer_read %lb[%k, %j], %cst {in_bounds = [true, true]} : memref<16x16xbf16, 2>, vector<4x4xbf16>
            %2 = vector.transfer_read %lc[%i, %j], %cstf {in_bounds = [true, true]} : memref<16x16xf32, 2>, vector<4x4xf32>
            %3 = arith.extf %0 : vector<4x4xbf16> to vector<4x4xf32>
            %4 = arith.extf %1 : vector<4x4xbf16> to vector<4x4xf32>
            %5 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %3, %4, %2 : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
            vector.transfer_write %5, %lc[%i, %j] {in_bounds = [true, true]} : vector<4x4xf32>, memref<16x16xf32, 2>
          }
        }
      }
      air.dma_memcpy_nd (%c[] [] [], %lc[] [] []) : (memref<16x16xf32>, memref<16x16xf32, 2>)
      memref.dealloc %la : memref<16x16xbf16, 2>
      memref.dealloc %lb : memref<16x16xbf16, 2>
      memref.dealloc %lc : memref<16x16xf32, 2>
    }
    return
  }
}
