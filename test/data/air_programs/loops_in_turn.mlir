// A core goes through the rounds of one loop of the launch before those of another; both read rows that they have written.
air.channel @c [1, 1]
air.channel @co [1, 1]
air.channel @d [1, 1]
air.channel @do [1, 1]
func.func @main(%A: memref<3x64xi32>, %B: memref<5x64xi32>) {
  air.launch () in () args(%x=%A, %y=%B) : memref<3x64xi32>, memref<5x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ci = arith.constant 2 : index
    %cj = arith.constant 4 : index
    scf.for %i = %c0 to %ci step %c1 {
      %n = arith.addi %i, %c1 : index
      air.channel.put @c[] (%x[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<3x64xi32>)
      air.channel.get @co[] (%x[%n, %c0] [%c1, %c64] [%c64, %c1]) : (memref<3x64xi32>)
    }
    scf.for %i = %c0 to %cj step %c1 {
      %n = arith.addi %i, %c1 : index
      air.channel.put @d[] (%y[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<5x64xi32>)
      air.channel.get @do[] (%y[%n, %c0] [%c1, %c64] [%c64, %c1]) : (memref<5x64xi32>)
    }
    air.segment @s {
      %one = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%one, %sy=%one) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %di = arith.constant 2 : index
        %dj = arith.constant 4 : index
        scf.for %i = %d0 to %di step %d1 {
          %la = memref.alloc() : memref<64xi32, 2>
          air.channel.get @c[] (%la[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%la, %la : memref<64xi32, 2>, memref<64xi32, 2>) outs(%la : memref<64xi32, 2>)
          air.channel.put @co[] (%la[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %la : memref<64xi32, 2>
        }
        scf.for %i = %d0 to %dj step %d1 {
          %la = memref.alloc() : memref<64xi32, 2>
          air.channel.get @d[] (%la[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%la, %la : memref<64xi32, 2>, memref<64xi32, 2>) outs(%la : memref<64xi32, 2>)
          air.channel.put @do[] (%la[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %la : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
