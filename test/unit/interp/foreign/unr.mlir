// unranked memrefs and channels with metadata
module {
  air.channel @channel_A [2]
  air.channel @channel_C [2]
  func.func @unr(%arg0: memref<*xbf16>, %arg1: memref<*xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx=%c1) args(%a=%arg0, %c=%arg1) : memref<*xbf16>, memref<*xf32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c4096 = arith.constant 4096 : index
      air.channel.put async @channel_A[%c0] (%a[%c0, %c0] [%c64, %c64] [%c64, %c1_0]) {id = 1 : i32} : (memref<*xbf16>)
      %p = air.channel.put async @channel_A[%c1_0] (%a[%c4096] [%c4096] [%c1_0]) {id = 2 : i32} : (memref<*xbf16>)
      %g = air.channel.get async @channel_C[%c0] (%c[%c0, %c0] [%c64, %c64] [%c64, %c1_0]) {id = 3 : i32} : (memref<*xf32>)
      %g2 = air.channel.get async @channel_C[%c1_0] (%c[%c4096] [%c4096] [%c1_0]) {id = 4 : i32} : (memref<*xf32>)
      air.segment @s {
        %c2_0 = arith.constant 2 : index
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%hx, %hy) in (%hsx=%c2_0, %hsy=%c1_1) {
          %a1 = memref.alloc() : memref<64x64xbf16, 2 : i32>
          %c1l = memref.alloc() : memref<64x64xf32, 2 : i32>
          air.channel.get @channel_A[%hx] (%a1[] [] []) {id = 5 : i32} : (memref<64x64xbf16, 2 : i32>)
          linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a1 : memref<64x64xbf16, 2 : i32>) outs(%c1l : memref<64x64xf32, 2 : i32>) {
          ^bb0(%i: bf16, %o: f32):
            %e = arith.extf %i : bf16 to f32
            linalg.yield %e : f32
          }
          air.channel.put @channel_C[%hx] (%c1l[] [] []) {id = 6 : i32} : (memref<64x64xf32, 2 : i32>)
          memref.dealloc %a1 : memref<64x64xbf16, 2 : i32>
          memref.dealloc %c1l : memref<64x64xf32, 2 : i32>
        }
      }
    }
    return
  }
}
