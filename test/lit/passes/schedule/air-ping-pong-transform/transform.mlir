// RUN: allo-opt %s --air-ping-pong-transform | filecheck %s
// RUN: allo-opt %s --air-ping-pong-transform=keep-memref-dealloc=true | filecheck %s --check-prefix=KEEP
// RUN: allo-opt %s --air-ping-pong-transform=omit-memory-space=L1 | filecheck %s --check-prefix=OMIT

air.channel @in []
air.channel @out []

// Four iterations in two pairs. Filling waits for filling and for a free buffer, that of the second for work on the first, too.

// CHECK-LABEL: func.func @even
// CHECK:       %[[STEP:.*]] = arith.constant 2 : index
// CHECK:       %[[S:.*]] = air.wait_all async
// CHECK:       %[[T1:.*]], %[[PONG:.*]] = air.execute [%[[S]]]
// CHECK-NEXT:  memref.alloc() : memref<4xi32, 2>
// CHECK:       %[[T0:.*]], %[[PING:.*]] = air.execute [%[[T1]]]
// CHECK:       %[[R:.*]]:4 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] iter_args(%[[FREE0:.*]] = %[[T0]], %[[FREE1:.*]] = %[[T0]], %[[WORK:.*]] = %[[T0]], %[[FILL:.*]] = %[[T0]])
// CHECK:         %[[G0:.*]] = air.channel.get async [%[[FILL]], %[[FREE0]], %[[T0]]] @in[] (%[[PING]][] [] [])
// CHECK:         %[[W0:.*]] = air.execute [%[[WORK]], %[[G0]]]
// CHECK-NEXT:      linalg.add ins(%[[PING]], %[[PING]]
// CHECK:         %[[G1:.*]] = air.channel.get async [%[[G0]], %[[FREE1]], %[[W0]], %[[T1]]] @in[] (%[[PONG]][] [] [])
// CHECK:         %[[W1:.*]] = air.execute [%[[W0]], %[[G1]]]
// CHECK-NEXT:      linalg.add ins(%[[PONG]], %[[PONG]]
// CHECK-NOT:     dealloc
// CHECK:         scf.yield %[[W0]], %[[W1]], %[[W1]], %[[G1]]
// CHECK-NEXT:  }
// CHECK:       air.execute [%[[R]]#1]
// CHECK-NEXT:  memref.dealloc %[[PING]]
// CHECK:       air.execute [%[[R]]#1]
// CHECK-NEXT:  memref.dealloc %[[PONG]]
// CHECK:       air.channel.put async [%[[R]]#1] @out

// KEEP-LABEL:  func.func @even
// KEEP:        scf.for
// KEEP:          %[[W0:.*]] = air.execute [%{{.*}}, %{{.*}}]
// KEEP:          air.execute [%[[W0]]]
// KEEP-NEXT:     memref.dealloc
// KEEP:          %[[W1:.*]] = air.execute [%[[W0]], %{{.*}}]
// KEEP:          air.execute [%[[W1]]]
// KEEP-NEXT:     memref.dealloc
// KEEP:          scf.yield

// OMIT-LABEL:  func.func @even
// OMIT:        hoist_alloc = true
// OMIT:        unroll = 2
func.func @even(%o: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.execute [%1] {
      linalg.add ins(%m, %m : memref<4xi32, 2>, memref<4xi32, 2>) outs(%o : memref<4xi32, 2>)
    }
    %3 = air.execute [%2] {
      memref.dealloc %m : memref<4xi32, 2>
    }
    scf.yield %2 : !air.async.token
  } {unroll = 2 : i32}
  %4 = air.channel.put async [%r] @out[] (%o[] [] []) : (memref<4xi32, 2>)
  return
}

// Of five iterations the last runs on the ping buffer; the one after needs no buffer, and gets a loop of its own before.

// CHECK-LABEL: func.func @odd
// CHECK:       scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-NEXT:    air.channel.put async [%{{.*}}] @out[] (%{{.*}}[%[[I]]]
// CHECK:       %[[B:.*]], %[[PONG:.*]] = air.execute
// CHECK:       %[[A:.*]], %[[PING:.*]] = air.execute
// CHECK:       %[[R:.*]]:4 = scf.for %{{.*}} = %{{.*}} to %[[MOST:.*]] step
// CHECK:         air.channel.get {{.*}} (%[[PING]][] [] [])
// CHECK:         air.channel.get {{.*}} (%[[PONG]][] [] [])
// CHECK:       scf.for %{{.*}} = %[[MOST]] to %{{.*}} step %c1 iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1, %{{.*}} = %[[R]]#2, %{{.*}} = %[[R]]#3)
// CHECK:         air.channel.get {{.*}} (%[[PING]][] [] [])
// CHECK-NOT:     %[[PONG]]
// CHECK:       return
func.func @odd(%o: memref<4xi32, 2>, %q: memref<5xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.execute [%1] {
      linalg.add ins(%m, %m : memref<4xi32, 2>, memref<4xi32, 2>) outs(%o : memref<4xi32, 2>)
    }
    %3 = air.channel.put async [%t] @out[] (%q[%i] [%c1] [%c1]) : (memref<5xi32, 2>)
    %4 = air.wait_all async [%2, %3]
    scf.yield %4 : !air.async.token
  } {unroll = 2 : i32}
  %5 = air.wait_all async [%r]
  return
}

// A loop that runs once loses its marks; one that carries numbers keeps carrying them.

// CHECK-LABEL: func.func @once
// CHECK-NOT:   unroll
// CHECK-NOT:   hoist_alloc
// CHECK-LABEL: func.func @carries
// CHECK:       scf.for {{.*}} -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token, i32)
// CHECK:         %[[ONE:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[TWO:.*]] = arith.addi %[[ONE]], %{{.*}} : i32
// CHECK:         scf.yield {{.*}}, %[[TWO]] :
func.func @once() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.yield %1 : !air.async.token
  } {unroll = 2 : i32}
  return
}
func.func @carries(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s, %v = %x) -> (!air.async.token, i32) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %w = arith.addi %v, %x : i32
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.yield %1, %w : !air.async.token, i32
  } {unroll = 2 : i32}
  return %r#1 : i32
}
