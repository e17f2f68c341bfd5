// Two async launches in a row, the second waits for the first by token; each iteration of a launch grid has its tile.
#map = affine_map<()[s0] -> (s0 * 8)>
module {
  air.channel @i0 [2]
  air.channel @o0 [2]
  air.channel @i1 [2]
  air.channel @o1 [2]
  func.func @launches(%arg0: memref<32xi32>, %arg1: memref<32xi32>, %arg2: memref<32xi32>) {
    %c2 = arith.constant 2 : index
    %0 = air.launch async (%l) in (%n=%c2) args(%a=%arg0, %b=%arg1) : memref<32xi32>, memref<32xi32> attributes {id = 1 : i32} {
      %c1 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c0 = arith.constant 0 : index
      %t = air.wait_all async
      %1 = scf.parallel (%i) = (%c0) to (%c2_0) step (%c1) init (%t) -> !air.async.token {
        %u = arith.muli %l, %c16 : index
        %v = affine.apply #map()[%i]
        %o = arith.addi %u, %v : index
        %2 = air.channel.put async [%t] @i0[%i] (%a[%o] [%c8] [%c1]) : (memref<32xi32>)
        %3 = air.channel.get async [%t] @o0[%i] (%b[%o] [%c8] [%c1]) : (memref<32xi32>)
        %w = air.wait_all async [%2, %3]
        scf.reduce(%w : !air.async.token) {
        ^bb0(%x: !air.async.token, %y: !air.async.token):
          %z = air.wait_all async [%x, %y]
          scf.reduce.return %z : !air.async.token
        }
      }
      %s = air.segment @s0 async {
        %c1_1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        %h = air.herd @h0 async tile (%x, %y) in (%sx=%c2_1, %sy=%c1_1) {
          %mt, %m = air.execute -> (memref<8xi32, 2>) {
            %al = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %al : memref<8xi32, 2>
          }
          %g = air.channel.get async [%mt] @i0[%x] (%m[] [] []) : (memref<8xi32, 2>)
          %e = air.execute [%g] {
            linalg.add ins(%m, %m : memref<8xi32, 2>, memref<8xi32, 2>) outs(%m : memref<8xi32, 2>)
          }
          %p = air.channel.put async [%e] @o0[%x] (%m[] [] []) : (memref<8xi32, 2>)
          %d = air.execute [%p] {
            memref.dealloc %m : memref<8xi32, 2>
          }
        }
      }
      %q = air.wait_all async [%1, %s]
    }
    %4 = air.launch async [%0] (%l) in (%n=%c2) args(%a=%arg1, %b=%arg2) : memref<32xi32>, memref<32xi32> attributes {id = 2 : i32} {
      %c1 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c0 = arith.constant 0 : index
      scf.parallel (%i) = (%c0) to (%c2_0) step (%c1) {
        %u = arith.muli %l, %c16 : index
        %v = affine.apply #map()[%i]
        %o = arith.addi %u, %v : index
        air.channel.put @i1[%i] (%a[%o] [%c8] [%c1]) : (memref<32xi32>)
        air.channel.get @o1[%i] (%b[%o] [%c8] [%c1]) : (memref<32xi32>)
      }
      air.segment @s1 {
        %c1_1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        air.herd @h1 tile (%x, %y) in (%sx=%c2_1, %sy=%c1_1) {
          %m = memref.alloc() : memref<8xi32, 2>
          air.channel.get @i1[%x] (%m[] [] []) : (memref<8xi32, 2>)
          linalg.mul ins(%m, %m : memref<8xi32, 2>, memref<8xi32, 2>) outs(%m : memref<8xi32, 2>)
          air.channel.put @o1[%x] (%m[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %m : memref<8xi32, 2>
        }
      }
    }
    air.wait_all [%4]
    return
  }
}
