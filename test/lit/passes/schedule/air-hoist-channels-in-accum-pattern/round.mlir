// RUN: allo-opt %s --air-hoist-channels-in-accum-pattern --verify-each=execute | filecheck %s

// The accumulator stays in the core; the loop around both of its transfers at the other end goes.

// CHECK-LABEL: func.func @sum
// CHECK:       air.segment
// CHECK:         %[[START:.*]] = air.channel.get async {{.*}}@first
// CHECK-NOT:     scf.for
// CHECK:         %[[PUT:.*]] = scf.parallel
// CHECK:           air.channel.put async [%[[START]]]  @in
// CHECK:         %[[GET:.*]] = scf.parallel {{.*}} init (%[[PUT]])
// CHECK:           air.channel.get async [%[[PUT]]]  @out
// CHECK:         air.herd
// CHECK:           memref.alloc
// CHECK:           %[[ACC:.*]] = air.channel.get async {{.*}} @in
// CHECK:           %[[LOOP:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[ACC]])
// CHECK-NOT:         channel.put
// CHECK:             air.channel.get async {{.*}} @each
// CHECK:             linalg.add
// CHECK:             scf.yield
// CHECK:           air.channel.put async [%[[LOOP]]] @out
// CHECK:           memref.dealloc
// CHECK:         air.channel.put async [%[[GET]]{{.*}} @last
module {
  air.channel @first []
  air.channel @last []
  air.channel @each [1, 2]
  air.channel @in [1, 2]
  air.channel @out [1, 2]
  func.func @sum(%a: memref<2x8xi32>, %b: memref<3x2x8xi32>, %r: memref<2x8xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%i) in (%s=%c1) args(%la=%a, %lb=%b, %lr=%r) : memref<2x8xi32>, memref<3x2x8xi32>, memref<2x8xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %1 = air.channel.put async @first[] (%la[] [] []) : (memref<2x8xi32>)
      %2 = air.wait_all async
      %3 = scf.for %k = %c0 to %c3 step %c1_0 iter_args(%t = %2) -> (!air.async.token) {
        %6 = air.channel.put async [%t] @each[%c0, %c0] (%lb[%k, %c0, %c0] [%c1_0, %c1_0, %c8] [%c16, %c8, %c1_0]) : (memref<3x2x8xi32>)
        %7 = air.channel.put async [%6] @each[%c0, %c1_0] (%lb[%k, %c1_0, %c0] [%c1_0, %c1_0, %c8] [%c16, %c8, %c1_0]) : (memref<3x2x8xi32>)
        scf.yield %7 : !air.async.token
      }
      %4 = air.channel.get async @last[] (%lr[] [] []) : (memref<2x8xi32>)
      %5 = air.segment @seg async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d3 = arith.constant 3 : index
        %d8 = arith.constant 8 : index
        %t0, %c = air.execute -> (memref<2x8xi32, 1>) {
          %alloc = memref.alloc() : memref<2x8xi32, 1>
          air.execute_terminator %alloc : memref<2x8xi32, 1>
        }
        %6 = air.channel.get async [%t0] @first[] (%c[] [] []) : (memref<2x8xi32, 1>)
        %7 = scf.for %k = %d0 to %d3 step %d1 iter_args(%t = %6) -> (!air.async.token) {
          %9 = scf.parallel (%y) = (%d0) to (%d2) step (%d1) init (%t) -> !air.async.token {
            %11 = air.channel.put async [%t] @in[%d0, %y] (%c[%y, %d0] [%d1, %d8] [%d8, %d1]) : (memref<2x8xi32, 1>)
            scf.reduce(%11 : !air.async.token) {
            ^bb0(%p: !air.async.token, %q: !air.async.token):
              %12 = air.wait_all async [%p, %q]
              scf.reduce.return %12 : !air.async.token
            }
          }
          %10 = scf.parallel (%y) = (%d0) to (%d2) step (%d1) init (%9) -> !air.async.token {
            %11 = air.channel.get async [%9] @out[%d0, %y] (%c[%y, %d0] [%d1, %d8] [%d8, %d1]) : (memref<2x8xi32, 1>)
            scf.reduce(%11 : !air.async.token) {
            ^bb0(%p: !air.async.token, %q: !air.async.token):
              %12 = air.wait_all async [%p, %q]
              scf.reduce.return %12 : !air.async.token
            }
          }
          scf.yield %10 : !air.async.token
        }
        %8 = air.herd @h async tile (%x, %y) in (%sx=%d1, %sy=%d2) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e3 = arith.constant 3 : index
          %t1, %l = air.execute -> (memref<8xi32, 2>) {
            %alloc = memref.alloc() : memref<8xi32, 2>
            air.execute_terminator %alloc : memref<8xi32, 2>
          }
          %9 = scf.for %k = %e0 to %e3 step %e1 iter_args(%t = %t1) -> (!air.async.token) {
            %t2, %acc = air.execute -> (memref<8xi32, 2>) {
              %alloc = memref.alloc() : memref<8xi32, 2>
              air.execute_terminator %alloc : memref<8xi32, 2>
            }
            %10 = air.channel.get async [%t] @each[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
            %11 = air.channel.get async [%t2, %t] @in[%x, %y] (%acc[] [] []) : (memref<8xi32, 2>)
            %12 = air.execute [%10, %11] {
              linalg.add ins(%acc, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%acc : memref<8xi32, 2>)
            }
            %13 = air.channel.put async [%12] @out[%x, %y] (%acc[] [] []) : (memref<8xi32, 2>)
            %14 = air.execute [%13] {
              memref.dealloc %acc : memref<8xi32, 2>
            }
            scf.yield %14 : !air.async.token
          }
        }
        %15 = air.channel.put async [%7, %8] @last[] (%c[] [] []) : (memref<2x8xi32, 1>)
      }
    }
    return
  }
}
