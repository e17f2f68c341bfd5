// RUN: allo-opt %s --air-to-std=fewest-waits=true | filecheck %s

// A transfer has the id of its other side, in a core whose ids pick the channel as well.

// CHECK: %[[ID:.*]] = arith.constant 7 : i32
// CHECK: airrt.dma_memcpy_nd(%[[ID]],
air.channel @in [1, 1]
func.func @f(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    %c0 = arith.constant 0 : index
    air.channel.put @in[%c0, %c0] (%x[] [] []) {id = 3 : i32, metadataArray = [{base = "air_in", index = 0 : i32}]} : (memref<8xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @in[%i, %j] (%l[] [] []) {id = 7 : i32} : (memref<8xi32, 2>)
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}
