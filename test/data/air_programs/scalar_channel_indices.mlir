// A channel without sizes, used with two indices from a herd of one core.
air.channel @out []
func.func @f(%b: memref<64xi32>) {
  air.launch () in () args(%y=%b) : memref<64xi32> {
    air.channel.get @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %zero = arith.constant 7 : i32
        %m = memref.alloc() : memref<64xi32, 2>
        linalg.fill ins(%zero : i32) outs(%m : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
