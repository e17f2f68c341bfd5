// conv style generic, 4d dma
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d3, d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>
module {
  func.func @conv(%arg0: memref<10x10x4xi8>, %arg1: memref<8x3x3x4xi8>, %arg2: memref<8x8x8xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @conv tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%i=%arg0, %w=%arg1, %o=%arg2) : memref<10x10x4xi8>, memref<8x3x3x4xi8>, memref<8x8x8xi32> {
      %c0_i32 = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c6 = arith.constant 6 : index
      %c8 = arith.constant 8 : index
      %c10 = arith.constant 10 : index
      %c40 = arith.constant 40 : index
      %c64 = arith.constant 64 : index
      %row = arith.muli %x, %c4 : index
      %li = memref.alloc() : memref<6x10x4xi8, 2>
      %lw = memref.alloc() : memref<8x3x3x4xi8, 2>
      %lo = memref.alloc() : memref<4x8x8xi32, 2>
      air.dma_memcpy_nd (%li[] [] [], %i[%row, %c0, %c0] [%c6, %c10, %c4] [%c40, %c4, %c1_0]) {id = 1 : i32} : (memref<6x10x4xi8, 2>, memref<10x10x4xi8>)
      air.dma_memcpy_nd (%lw[] [] [], %w[] [] []) {id = 2 : i32} : (memref<8x3x3x4xi8, 2>, memref<8x3x3x4xi8>)
      linalg.fill ins(%c0_i32 : i32) outs(%lo : memref<4x8x8xi32, 2>)
      linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%li, %lw : memref<6x10x4xi8, 2>, memref<8x3x3x4xi8, 2>) outs(%lo : memref<4x8x8xi32, 2>) {
      ^bb0(%a: i8, %b: i8, %acc: i32):
        %e = arith.extsi %a : i8 to i32
        %f = arith.extsi %b : i8 to i32
        %m = arith.muli %e, %f : i32
        %s = arith.addi %acc, %m : i32
        linalg.yield %s : i32
      }
      air.dma_memcpy_nd (%o[%row, %c0, %c0] [%c4, %c8, %c8] [%c64, %c8, %c1_0], %lo[] [] []) {id = 3 : i32} : (memref<8x8x8xi32>, memref<4x8x8xi32, 2>)
      memref.dealloc %li : memref<6x10x4xi8, 2>
      memref.dealloc %lw : memref<8x3x3x4xi8, 2>
      memref.dealloc %lo : memref<4x8x8xi32, 2>
      air.herd_terminator
    }
    return
  }
}
