// One channel fills a buffer of a memtile, two drain it.
air.channel @in []
air.channel @out [2]
func.func @f(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%x[] [] []) : (memref<128xi32>)
    air.channel.get @out[%c0] (%y[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @out[%c1] (%y[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<128xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<128xi32, 1>)
      air.channel.put @out[%s0] (%l2[%s0] [%s64] [%s1]) : (memref<128xi32, 1>)
      air.channel.put @out[%s1] (%l2[%s64] [%s64] [%s1]) : (memref<128xi32, 1>)
      memref.dealloc %l2 : memref<128xi32, 1>
    }
  }
  return
}
