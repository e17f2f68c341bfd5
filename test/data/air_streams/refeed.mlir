// A memtile sends what it holds four times for each fill, a core what it made twice.
air.channel @in []
air.channel @down []
air.channel @out []
func.func @f(%a: memref<64xi32>, %b: memref<512xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<512xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<512xi32>)
    air.segment @seg {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %l2 = memref.alloc() {air.refeed_count = 4 : i64} : memref<64xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<64xi32, 1>)
      air.channel.put @down[] (%l2[] [] []) : (memref<64xi32, 1>)
      memref.dealloc %l2 : memref<64xi32, 1>
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %4 = arith.constant 4 : index
        %64 = arith.constant 64 : index
        %one = arith.constant 1 : i32
        scf.for %r = %0 to %4 step %1 {
          %l1 = memref.alloc() : memref<64xi32, 2>
          %made = memref.alloc() : memref<64xi32, 2>
          air.channel.get @down[] (%l1[] [] []) : (memref<64xi32, 2>)
          scf.for %k = %0 to %64 step %1 {
            %v = memref.load %l1[%k] : memref<64xi32, 2>
            %s = arith.addi %v, %one : i32
            memref.store %s, %made[%k] : memref<64xi32, 2>
          }
          air.channel.put @out[] (%made[] [] []) {air.refeed_count = 2 : i64} : (memref<64xi32, 2>)
          memref.dealloc %l1 : memref<64xi32, 2>
          memref.dealloc %made : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
