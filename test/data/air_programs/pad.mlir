// A memtile pads what it sends.
air.channel @in []
air.channel @down []
air.channel @out []
func.func @f(%a: memref<60xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<60xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<60xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c60 = arith.constant 60 : index
      %m = memref.alloc() : memref<60xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<60xi32, 1>)
      air.channel.put @down[] (%m[%c0] [%c60] [%c1]) {pad_before = array<i32: 0>, pad_after = array<i32: 4>} : (memref<60xi32, 1>)
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @down[] (%l[] [] []) : (memref<64xi32, 2>)
        air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %m : memref<60xi32, 1>
    }
  }
  return
}
