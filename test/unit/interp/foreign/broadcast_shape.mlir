// broadcast_shape channel
module {
  air.channel @channel_1 [1, 1] {broadcast_shape = [2, 2]}
  air.channel @channel_0 [1, 2] {broadcast_shape = [2, 2]}
  air.channel @channel_2 [2, 2]
  func.func @f(%arg0: memref<32xi32>, %arg1: memref<2x32xi32>, %arg2: memref<4x32xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %0 = air.channel.put async @channel_1[] (%arg0[] [] []) : (memref<32xi32>)
    %1 = air.channel.put async @channel_0[%c0, %c0] (%arg1[%c0, %c0] [%c1, %c32] [%c32, %c1]) : (memref<2x32xi32>)
    %2 = air.channel.put async @channel_0[%c0, %c1] (%arg1[%c1, %c0] [%c1, %c32] [%c32, %c1]) : (memref<2x32xi32>)
    %3 = air.wait_all async
    %4 = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%3) -> !air.async.token {
      %r = arith.muli %i, %c2 : index
      %row = arith.addi %r, %j : index
      %g = air.channel.get async [%3] @channel_2[%i, %j] (%arg2[%row, %c0] [%c1, %c32] [%c32, %c1]) : (memref<4x32xi32>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %w = air.wait_all async [%a, %b]
        scf.reduce.return %w : !air.async.token
      }
    }
    %5 = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) {
      %t, %m = air.execute -> (memref<32xi32, 2>) {
        %al = memref.alloc() : memref<32xi32, 2>
        air.execute_terminator %al : memref<32xi32, 2>
      }
      %t2, %m2 = air.execute -> (memref<32xi32, 2>) {
        %al = memref.alloc() : memref<32xi32, 2>
        air.execute_terminator %al : memref<32xi32, 2>
      }
      %g1 = air.channel.get async [%t] @channel_1[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
      %g2 = air.channel.get async [%t2] @channel_0[%x, %y] (%m2[] [] []) : (memref<32xi32, 2>)
      %e = air.execute [%g1, %g2] {
        linalg.add ins(%m, %m2 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%m2 : memref<32xi32, 2>)
      }
      %p = air.channel.put async [%e] @channel_2[%x, %y] (%m2[] [] []) : (memref<32xi32, 2>)
      %d1 = air.execute [%e] { memref.dealloc %m : memref<32xi32, 2> }
      %d2 = air.execute [%p] { memref.dealloc %m2 : memref<32xi32, 2> }
    }
    air.wait_all [%0, %1, %2, %4, %5]
    return
  }
}
