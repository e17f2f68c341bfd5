// affine.if chains that pick channels by tile, as broadcast specialisation leaves them; synchronous and async inside one herd.
#set0 = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 1 >= 0)>
#set1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 1 >= 0)>
#set2 = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>
module {
  air.channel @row_0 [1, 1] {broadcast_shape = [1, 2]}
  air.channel @row_1 [1, 1] {broadcast_shape = [1, 2]}
  air.channel @col_0 [1, 1] {broadcast_shape = [2, 1]}
  air.channel @col_1 [1, 1] {broadcast_shape = [2, 1]}
  air.channel @res [2, 2]
  func.func @chains(%arg0: memref<2x8xi32>, %arg1: memref<2x8xi32>, %arg2: memref<4x8xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%l) in (%n=%c1) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<2x8xi32>, memref<2x8xi32>, memref<4x8xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      air.channel.put @row_0[] (%a[%c0, %c0] [%c1_0, %c8] [%c8, %c1_0]) : (memref<2x8xi32>)
      air.channel.put @row_1[] (%a[%c1_0, %c0] [%c1_0, %c8] [%c8, %c1_0]) : (memref<2x8xi32>)
      air.channel.put @col_0[] (%b[%c0, %c0] [%c1_0, %c8] [%c8, %c1_0]) : (memref<2x8xi32>)
      air.channel.put @col_1[] (%b[%c1_0, %c0] [%c1_0, %c8] [%c8, %c1_0]) : (memref<2x8xi32>)
      scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1_0, %c1_0) {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
        air.channel.get @res[%i, %j] (%c[%k, %c0] [%c1_0, %c8] [%c8, %c1_0]) : (memref<4x8xi32>)
        scf.reduce
      }
      air.segment @seg {
        %c2_0 = arith.constant 2 : index
        air.herd @herd tile (%x, %y) in (%sx=%c2_0, %sy=%c2_0) {
          %at, %m = air.execute -> (memref<8xi32, 2>) {
            %al = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %al : memref<8xi32, 2>
          }
          %bt, %o = air.execute -> (memref<8xi32, 2>) {
            %al = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %al : memref<8xi32, 2>
          }
          %1 = affine.if #set0()[%x, %y] -> !air.async.token {
            %2 = air.channel.get async [%at] @row_0[%x, %y] (%m[] [] []) {id = 1 : i32} : (memref<8xi32, 2>)
            affine.yield %2 : !air.async.token
          } else {
            %3 = affine.if #set1()[%x, %y] -> !air.async.token {
              %2 = air.channel.get async [%at] @row_1[%x, %y] (%m[] [] []) {id = 2 : i32} : (memref<8xi32, 2>)
              affine.yield %2 : !air.async.token
            } else {
              %2 = air.wait_all async [%at]
              affine.yield %2 : !air.async.token
            }
            affine.yield %3 : !air.async.token
          }
          %4 = affine.if #set2()[%x, %y] -> !air.async.token {
            %2 = air.channel.get async [%bt] @col_0[%x, %y] (%o[] [] []) {id = 3 : i32} : (memref<8xi32, 2>)
            affine.yield %2 : !air.async.token
          } else {
            %2 = air.channel.get async [%bt] @col_1[%x, %y] (%o[] [] []) {id = 4 : i32} : (memref<8xi32, 2>)
            affine.yield %2 : !air.async.token
          }
          %e = air.execute [%1, %4] {
            linalg.mul ins(%m, %o : memref<8xi32, 2>, memref<8xi32, 2>) outs(%o : memref<8xi32, 2>)
          }
          %p = air.channel.put async [%e] @res[%x, %y] (%o[] [] []) {id = 5 : i32} : (memref<8xi32, 2>)
          air.wait_all [%p]
          memref.dealloc %m : memref<8xi32, 2>
          memref.dealloc %o : memref<8xi32, 2>
        }
      }
    }
    return
  }
}
