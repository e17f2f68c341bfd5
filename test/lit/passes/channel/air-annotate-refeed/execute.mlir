// RUN: allo-opt %s --air-annotate-refeed | filecheck %s

// The loop's puts are as many as the count says.
// CHECK: memref.alloc() {air.refeed_count = 3 : i64} : memref<8xi32, 1>
// CHECK: air.channel.put @c[]
air.channel @in []
air.channel @c []
func.func @f(%x: memref<8xi32>, %y: memref<24xi32>) {
  air.launch () in () args(%a=%x, %b=%y) : memref<8xi32>, memref<24xi32> {
    air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
    air.channel.get @c[] (%b[] [] []) : (memref<24xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 1>)
      scf.for %i = %c0 to %c3 step %c1 {
        air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
      }
      memref.dealloc %m : memref<8xi32, 1>
    }
  }
  return
}
