// A linalg operation on a reshaped buffer, whose shape is an argument of the herd.
memref.global "private" constant @shape : memref<2xindex> = dense<[8, 8]>
func.func @f(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %s = memref.get_global @shape : memref<2xindex>
  air.launch (%l) in (%n=%c1) args(%x=%a, %t=%s) : memref<64xi32>, memref<2xindex> {
    air.segment @s args(%u=%x, %v=%t) : memref<64xi32>, memref<2xindex> {
      %one = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%dst=%u, %sh=%v) : memref<64xi32>, memref<2xindex> {
        %zero = arith.constant 0 : i32
        %m = memref.alloc() : memref<64xi32, 2>
        %r = memref.reshape %m(%sh) : (memref<64xi32, 2>, memref<2xindex>) -> memref<8x8xi32, 2>
        linalg.fill ins(%zero : i32) outs(%r : memref<8x8xi32, 2>)
        air.dma_memcpy_nd (%dst[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
