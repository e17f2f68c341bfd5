// RUN: allo-opt %s --air-annotate-refeed | filecheck %s

// A loop that sends one buffer four times stays; what another tool made of such a loop is refused, not lost.

// CHECK: scf.for
// CHECK:   air.channel.put @c
air.channel @c [1]
func.func @f(%x: memref<8xi32>, %y: memref<32xi32>) {
  air.launch () in () args(%a=%x, %b=%y) : memref<8xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    air.segment @s args(%p=%a, %q=%b) : memref<8xi32>, memref<32xi32> {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      %m = memref.alloc() {air.refeed_count = 4 : i32} : memref<8xi32, 1>
      air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
      %n = memref.alloc() : memref<32xi32, 1>
      scf.for %i = %d0 to %d4 step %d1 {
        air.channel.put @c[%d0] (%m[] [] []) : (memref<8xi32, 1>)
      }
      air.channel.get @c[%d0] (%n[] [] []) : (memref<32xi32, 1>)
      air.dma_memcpy_nd (%q[] [] [], %n[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
      memref.dealloc %m : memref<8xi32, 1>
      memref.dealloc %n : memref<32xi32, 1>
    }
  }
  return
}
