// Two launches: the second reads what the first has written.
air.channel @in []
air.channel @out []
func.func @chain(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%b, %z=%c) : memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<64xi32>)
    air.channel.put @in[] (%y[] [] []) : (memref<64xi32>)
    air.channel.get @out[] (%z[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1_0 = arith.constant 1 : index
      air.herd @herd tile (%tx, %ty) in (%sx=%c1_0, %sy=%c1_0) {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c64 = arith.constant 64 : index
        %seven = arith.constant 7 : i32
        scf.for %i = %c0 to %c2 step %one {
          %i0 = memref.alloc() : memref<64xi32, 2>
          %o0 = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[] (%i0[] [] []) : (memref<64xi32, 2>)
          scf.for %k = %c0 to %c64 step %one {
            %v = memref.load %i0[%k] : memref<64xi32, 2>
            %w = arith.addi %v, %seven : i32
            memref.store %w, %o0[%k] : memref<64xi32, 2>
          }
          air.channel.put @out[] (%o0[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %i0 : memref<64xi32, 2>
          memref.dealloc %o0 : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
