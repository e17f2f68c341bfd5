// 16 gets of 8192 words fill an L2 buffer: one descriptor of them would be a word too long.
air.channel @in []
air.channel @out []
func.func @f(%a: memref<131072xi32>) {
  air.launch () in () args(%x=%a) : memref<131072xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<131072xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c8192 = arith.constant 8192 : index
      %n = arith.constant 131072 : index
      %m = memref.alloc() : memref<131072xi32, 1>
      scf.for %k = %c0 to %n step %c8192 {
        air.channel.get @in[] (%m[%k] [%c8192] [%c1]) : (memref<131072xi32, 1>)
      }
      air.channel.put @out[] (%m[%c0] [%c64] [%c1]) : (memref<131072xi32, 1>)
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %m : memref<131072xi32, 1>
    }
  }
  return
}
