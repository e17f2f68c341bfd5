// 3 herds, producer consumer via L1 channels, segment-level
module {
  air.channel @in [1]
  air.channel @ab [2, 1]
  air.channel @bc [2, 1]
  air.channel @out [1]
  func.func @pipe(%arg0: memref<64xi32>, %arg1: memref<64xi32>) {
    %0 = air.launch async () in () args(%x=%arg0, %y=%arg1) : memref<64xi32>, memref<64xi32> {
      %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
      %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
      %s = air.segment @seg async {
        %c1 = arith.constant 1 : index
        %h1 = air.herd @a async tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c32 = arith.constant 32 : index
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[] (%b[] [] []) : (memref<64xi32, 2>)
          air.channel.put @ab[%c0, %c0] (%b[%c0] [%c32] [%c1_1]) : (memref<64xi32, 2>)
          air.channel.put @ab[%c1_1, %c0] (%b[%c32] [%c32] [%c1_1]) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
        %c2 = arith.constant 2 : index
        %h2 = air.herd @b async tile (%tx, %ty) in (%sx=%c2, %sy=%c1) {
          %b = memref.alloc() : memref<32xi32, 2>
          air.channel.get @ab[%tx, %ty] (%b[] [] []) : (memref<32xi32, 2>)
          %k = arith.index_cast %tx : index to i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<32xi32, 2>) {
          ^bb0(%o: i32):
            %q = arith.addi %o, %k : i32
            linalg.yield %q : i32
          }
          air.channel.put @bc[%tx, %ty] (%b[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %b : memref<32xi32, 2>
        }
        %h3 = air.herd @c async tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c32 = arith.constant 32 : index
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @bc[%c0, %c0] (%b[%c0] [%c32] [%c1_1]) : (memref<64xi32, 2>)
          air.channel.get @bc[%c1_1, %c0] (%b[%c32] [%c32] [%c1_1]) : (memref<64xi32, 2>)
          air.channel.put @out[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
    return
  }
}
