// A launch of several iterations, L2, and vectors in the cores.
func.func @f(%a: memref<4x64xf32>, %b: memref<4x64xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%l) in (%n=%c4) args(%u=%a, %v=%b) : memref<4x64xf32>, memref<4x64xf32> {
    air.segment @s args(%e=%u, %f=%v, %row=%l) : memref<4x64xf32>, memref<4x64xf32>, index {
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<64xf32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %e[%row, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64xf32, 1>, memref<4x64xf32>)
      %o2 = memref.alloc() : memref<64xf32, 1>
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c1) args(%src=%l2, %dst=%o2) : memref<64xf32, 1>, memref<64xf32, 1> {
        %m = memref.alloc() : memref<32xf32, 2>
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k16 = arith.constant 16 : index
        %k32 = arith.constant 32 : index
        %z = arith.constant 0.0 : f32
        %at = arith.muli %i, %k32 : index
        air.dma_memcpy_nd (%m[] [] [], %src[%at] [%k32] [%k1]) : (memref<32xf32, 2>, memref<64xf32, 1>)
        scf.for %x = %k0 to %k32 step %k16 {
          %v0 = vector.transfer_read %m[%x], %z {in_bounds = [true]} : memref<32xf32, 2>, vector<16xf32>
          %w = arith.addf %v0, %v0 : vector<16xf32>
          vector.transfer_write %w, %m[%x] {in_bounds = [true]} : vector<16xf32>, memref<32xf32, 2>
        }
        air.dma_memcpy_nd (%dst[%at] [%k32] [%k1], %m[] [] []) : (memref<64xf32, 1>, memref<32xf32, 2>)
        memref.dealloc %m : memref<32xf32, 2>
      }
      air.dma_memcpy_nd (%f[%row, %c0] [%c1, %c64] [%c64, %c1], %o2[] [] []) : (memref<4x64xf32>, memref<64xf32, 1>)
      memref.dealloc %l2 : memref<64xf32, 1>
      memref.dealloc %o2 : memref<64xf32, 1>
    }
  }
  return
}
