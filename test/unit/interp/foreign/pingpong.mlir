// Ping-pong as mlir-air writes it: four tokens go round, two buffers per iteration, channels to two herds through L2.
module {
  air.channel @in [1, 1]
  air.channel @mid [1, 1]
  air.channel @out [1, 1]
  func.func @pingpong(%arg0: memref<8x32xi32>, %arg1: memref<8x32xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%lx, %ly) in (%sx=%c1, %sy=%c1) args(%a=%arg0, %b=%arg1) : memref<8x32xi32>, memref<8x32xi32> attributes {id = 1 : i32} {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %t0 = air.wait_all async
      %p = scf.for %i = %c0 to %c8 step %c1_0 iter_args(%t = %t0) -> (!air.async.token) {
        %1 = air.channel.put async [%t] @in[] (%a[%i, %c0] [%c1_0, %c32] [%c32, %c1_0]) {id = 1 : i32} : (memref<8x32xi32>)
        scf.yield %1 : !air.async.token
      }
      %g = scf.for %i = %c0 to %c8 step %c1_0 iter_args(%t = %t0) -> (!air.async.token) {
        %1 = air.channel.get async [%t] @out[] (%b[%i, %c0] [%c1_0, %c32] [%c32, %c1_0]) {id = 2 : i32} : (memref<8x32xi32>)
        scf.yield %1 : !air.async.token
      }
      %s = air.segment @segment_0 async attributes {id = 2 : i32} {
        %c1_1 = arith.constant 1 : index
        %c0_1 = arith.constant 0 : index
        %c2_1 = arith.constant 2 : index
        %c8_1 = arith.constant 8 : index
        %ta, %ba = air.execute -> (memref<1x32xi32, 1>) {
          %m = memref.alloc() : memref<1x32xi32, 1>
          air.execute_terminator %m : memref<1x32xi32, 1>
        }
        %tb, %bb = air.execute -> (memref<1x32xi32, 1>) {
          %m = memref.alloc() : memref<1x32xi32, 1>
          air.execute_terminator %m : memref<1x32xi32, 1>
        }
        %w0 = air.wait_all async [%ta, %tb]
        %r:4 = scf.for %i = %c0_1 to %c8_1 step %c2_1 iter_args(%x0 = %ta, %x1 = %w0, %x2 = %w0, %x3 = %w0) -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token) {
          %1 = air.channel.get async [%x3, %x0] @in[] (%ba[] [] []) {id = 3 : i32} : (memref<1x32xi32, 1>)
          %2 = air.channel.put async [%1, %x2] @mid[] (%ba[] [] []) {id = 4 : i32} : (memref<1x32xi32, 1>)
          %3 = air.channel.get async [%1, %x1] @in[] (%bb[] [] []) {id = 5 : i32} : (memref<1x32xi32, 1>)
          %4 = air.channel.put async [%3, %2] @mid[] (%bb[] [] []) {id = 6 : i32} : (memref<1x32xi32, 1>)
          scf.yield %2, %4, %4, %3 : !air.async.token, !air.async.token, !air.async.token, !air.async.token
        }
        %h = air.herd @herd_0 async tile (%tx, %ty) in (%hx=%c1_1, %hy=%c1_1) attributes {id = 3 : i32} {
          %c0_2 = arith.constant 0 : index
          %c2_2 = arith.constant 2 : index
          %c8_2 = arith.constant 8 : index
          %ta2, %ma = air.execute -> (memref<1x32xi32, 2>) {
            %m = memref.alloc() : memref<1x32xi32, 2>
            air.execute_terminator %m : memref<1x32xi32, 2>
          }
          %tb2, %mb = air.execute -> (memref<1x32xi32, 2>) {
            %m = memref.alloc() : memref<1x32xi32, 2>
            air.execute_terminator %m : memref<1x32xi32, 2>
          }
          %w2 = air.wait_all async [%ta2, %tb2]
          %r2:4 = scf.for %i = %c0_2 to %c8_2 step %c2_2 iter_args(%x0 = %ta2, %x1 = %w2, %x2 = %w2, %x3 = %w2) -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token) {
            %1 = air.channel.get async [%x3, %x0] @mid[] (%ma[] [] []) {id = 7 : i32} : (memref<1x32xi32, 2>)
            %e = air.execute [%1, %x2] {
              linalg.add ins(%ma, %ma : memref<1x32xi32, 2>, memref<1x32xi32, 2>) outs(%ma : memref<1x32xi32, 2>)
            }
            %2 = air.channel.put async [%e] @out[] (%ma[] [] []) {id = 8 : i32} : (memref<1x32xi32, 2>)
            %3 = air.channel.get async [%1, %x1] @mid[] (%mb[] [] []) {id = 9 : i32} : (memref<1x32xi32, 2>)
            %e2 = air.execute [%3, %e] {
              linalg.mul ins(%mb, %mb : memref<1x32xi32, 2>, memref<1x32xi32, 2>) outs(%mb : memref<1x32xi32, 2>)
            }
            %4 = air.channel.put async [%e2, %2] @out[] (%mb[] [] []) {id = 10 : i32} : (memref<1x32xi32, 2>)
            scf.yield %2, %4, %e2, %3 : !air.async.token, !air.async.token, !air.async.token, !air.async.token
          }
          %d = air.execute [%r2#1] {
            memref.dealloc %ma : memref<1x32xi32, 2>
          }
          %d2 = air.execute [%r2#1] {
            memref.dealloc %mb : memref<1x32xi32, 2>
          }
        }
        %d3 = air.execute [%r#1] {
          memref.dealloc %ba : memref<1x32xi32, 1>
        }
        %d4 = air.execute [%r#1] {
          memref.dealloc %bb : memref<1x32xi32, 1>
        }
      }
    }
    return
  }
}
