// A herd sends from an L2 buffer that it is passed: the memtile's DMA does it.
air.channel @in []
air.channel @self []
air.channel @out []
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<64xi32, 1>)
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) args(%w=%m) : memref<64xi32, 1> {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.put @self[] (%w[] [] []) : (memref<64xi32, 1>)
        air.channel.get @self[] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %m : memref<64xi32, 1>
    }
  }
  return
}
