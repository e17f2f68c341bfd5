// Two herds side by side, the first one's results go through L2 to the second; execute regions that return indices.
#map = affine_map<()[s0] -> (s0 * 16)>
module {
  air.channel @a [2, 1]
  air.channel @b [2, 1]
  air.channel @c [2, 1]
  air.channel @d [2, 1]
  func.func @two_herds(%arg0: memref<32xi32>, %arg1: memref<32xi32>) {
    %0 = air.launch async () in () args(%x=%arg0, %y=%arg1) : memref<32xi32>, memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %tx0 = air.wait_all async
      %1 = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%tx0) -> !air.async.token {
        %t, %o = air.execute -> (index) {
          %k = affine.apply #map()[%i]
          air.execute_terminator %k : index
        }
        %2 = air.channel.put async [%t] @a[%i, %c0] (%x[%o] [%c16] [%c1]) : (memref<32xi32>)
        %3 = air.channel.get async [%t] @d[%i, %c0] (%y[%o] [%c16] [%c1]) : (memref<32xi32>)
        %4 = air.wait_all async [%2, %3]
        scf.reduce(%4 : !air.async.token) {
        ^bb0(%l: !air.async.token, %r: !air.async.token):
          %5 = air.wait_all async [%l, %r]
          scf.reduce.return %5 : !air.async.token
        }
      }
      %s = air.segment @seg async {
        %c0_0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c2_0 = arith.constant 2 : index
        %t, %m = air.execute -> (memref<2x16xi32, 1>) {
          %al = memref.alloc() : memref<2x16xi32, 1>
          air.execute_terminator %al : memref<2x16xi32, 1>
        }
        %c16_0 = arith.constant 16 : index
        %g = scf.parallel (%i) = (%c0_0) to (%c2_0) step (%c1_0) init (%t) -> !air.async.token {
          %2 = air.channel.get async [%t] @b[%i, %c0_0] (%m[%i, %c0_0] [%c1_0, %c16_0] [%c16_0, %c1_0]) : (memref<2x16xi32, 1>)
          scf.reduce(%2 : !air.async.token) {
          ^bb0(%l: !air.async.token, %r: !air.async.token):
            %5 = air.wait_all async [%l, %r]
            scf.reduce.return %5 : !air.async.token
          }
        }
        %p = scf.parallel (%i) = (%c0_0) to (%c2_0) step (%c1_0) init (%g) -> !air.async.token {
          %j = arith.subi %c1_0, %i : index
          %2 = air.channel.put async [%g] @c[%i, %c0_0] (%m[%j, %c0_0] [%c1_0, %c16_0] [%c16_0, %c1_0]) : (memref<2x16xi32, 1>)
          scf.reduce(%2 : !air.async.token) {
          ^bb0(%l: !air.async.token, %r: !air.async.token):
            %5 = air.wait_all async [%l, %r]
            scf.reduce.return %5 : !air.async.token
          }
        }
        %h1 = air.herd @first async tile (%tx, %ty) in (%sx=%c2_0, %sy=%c1_0) {
          %at, %b = air.execute -> (memref<16xi32, 2>) {
            %al = memref.alloc() : memref<16xi32, 2>
            air.execute_terminator %al : memref<16xi32, 2>
          }
          %2 = air.channel.get async [%at] @a[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          %e = air.execute [%2] {
            %cst = arith.constant 3 : i32
            affine.for %k = 0 to 16 {
              %v = affine.load %b[%k] : memref<16xi32, 2>
              %w = arith.muli %v, %cst : i32
              affine.store %w, %b[%k] : memref<16xi32, 2>
            }
          }
          %3 = air.channel.put async [%e] @b[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          %dd = air.execute [%3] {
            memref.dealloc %b : memref<16xi32, 2>
          }
        }
        %h2 = air.herd @second async tile (%tx, %ty) in (%sx=%c2_0, %sy=%c1_0) {
          %at, %b = air.execute -> (memref<16xi32, 2>) {
            %al = memref.alloc() : memref<16xi32, 2>
            air.execute_terminator %al : memref<16xi32, 2>
          }
          %2 = air.channel.get async [%at] @c[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          %e, %sum = air.execute [%2] -> (i32) {
            %z = arith.constant 0 : i32
            %r = affine.for %k = 0 to 16 iter_args(%acc = %z) -> (i32) {
              %v = affine.load %b[%k] : memref<16xi32, 2>
              %w = arith.addi %acc, %v : i32
              affine.yield %w : i32
            }
            air.execute_terminator %r : i32
          }
          %f = air.execute [%e] {
            affine.for %k = 0 to 16 {
              %v = affine.load %b[%k] : memref<16xi32, 2>
              %w = arith.addi %v, %sum : i32
              affine.store %w, %b[%k] : memref<16xi32, 2>
            }
          }
          %3 = air.channel.put async [%f] @d[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          %dd = air.execute [%3] {
            memref.dealloc %b : memref<16xi32, 2>
          }
        }
        %dl = air.execute [%p] {
          memref.dealloc %m : memref<2x16xi32, 1>
        }
      }
    }
    return
  }
}
