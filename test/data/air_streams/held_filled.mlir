// Two cores share an L1 buffer: the first gets it, the second reads it.
air.channel @in []
air.channel @out []
func.func @f(%a: memref<256xi32>, %b: memref<256xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<256xi32>, memref<256xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<256xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<256xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      %both = memref.alloc() : memref<64xi32, 2>
      air.herd @writes tile (%i, %j) in (%m = %c1, %n = %c1) args(%s=%both) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %4 = arith.constant 4 : index
        %64 = arith.constant 64 : index
        scf.for %r = %0 to %4 step %1 {
          air.channel.get @in[] (%s[] [] []) : (memref<64xi32, 2>)
        }
      }
      air.herd @reads tile (%i, %j) in (%m = %c1, %n = %c1) args(%s=%both) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %4 = arith.constant 4 : index
        %64 = arith.constant 64 : index
        %one = arith.constant 1 : i32
        %l1 = memref.alloc() : memref<64xi32, 2>
        scf.for %r = %0 to %4 step %1 {
          scf.for %k = %0 to %64 step %1 {
            %v = memref.load %s[%k] : memref<64xi32, 2>
            %w = arith.addi %v, %one : i32
            memref.store %w, %l1[%k] : memref<64xi32, 2>
          }
          air.channel.put @out[] (%l1[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
