// Two channels fill the even and the odd rows of a buffer of a memtile, one drains it.
air.channel @in [2]
air.channel @out []
func.func @f(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[%c0] (%x[%c0] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.put @in[%c1] (%x[%c64] [%c64] [%c1]) : (memref<128xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<128xi32>)
    air.segment @seg {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s8 = arith.constant 8 : index
      %s16 = arith.constant 16 : index
      %l2 = memref.alloc() : memref<16x8xi32, 1>
      air.channel.get @in[%s0] (%l2[%s0, %s0] [%s8, %s8] [%s16, %s1]) : (memref<16x8xi32, 1>)
      air.channel.get @in[%s1] (%l2[%s0, %s8] [%s8, %s8] [%s16, %s1]) : (memref<16x8xi32, 1>)
      air.channel.put @out[] (%l2[] [] []) : (memref<16x8xi32, 1>)
      memref.dealloc %l2 : memref<16x8xi32, 1>
    }
  }
  return
}
