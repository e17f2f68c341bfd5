// RUN: allo-opt %s --air-dependency | filecheck %s

#set = affine_set<()[s0] : (s0 == 0)>
air.channel @c []
air.channel @p [2, 2]
air.channel @q [2, 2]

// CHECK-LABEL: func.func @loops
// CHECK: %[[INIT:.*]] = air.wait_all async {id = 3 : i32}
// CHECK: %[[OUTER:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[INIT]]) -> (!air.async.token)
// CHECK:   %[[INNER_INIT:.*]] = air.wait_all async [%[[T]]]
// CHECK:   %[[INNER:.*]] = affine.for {{.*}} iter_args(%[[U:.*]] = %[[INNER_INIT]]) -> (!air.async.token)
// CHECK:     %[[PUT:.*]] = air.channel.put async [%[[U]]] @c[]
// CHECK:     %[[JOIN:.*]] = air.wait_all async [%[[PUT]]]
// CHECK:     affine.yield %[[JOIN]]
// CHECK:   %[[JOIN2:.*]] = air.wait_all async [%[[INNER]]]
// CHECK:   scf.yield %[[JOIN2]]
// CHECK: air.channel.put async [%[[OUTER]]] @c[]
func.func @loops(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    affine.for %j = 0 to 4 {
      air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
    }
  }
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  return
}

// Iterations of a parallel loop do not wait for each other; what follows waits for all of them.
// CHECK-LABEL: func.func @parallel
// CHECK: %[[ALLOC:.*]], %{{.*}} = air.execute
// CHECK: %[[INIT:.*]] = air.wait_all async [%[[ALLOC]]]
// CHECK: %[[ALL:.*]] = scf.parallel {{.*}} init (%[[INIT]]) -> !air.async.token
// CHECK:   %[[DMA:.*]] = air.dma_memcpy_nd async [%[[INIT]]]
// CHECK:   %[[JOIN:.*]] = air.wait_all async [%[[DMA]]]
// CHECK:   scf.reduce(%[[JOIN]] : !air.async.token)
// CHECK:     %[[BOTH:.*]] = air.wait_all async [%{{.*}}, %{{.*}}]
// CHECK:     scf.reduce.return %[[BOTH]]
// CHECK: air.execute [%[[ALL]]] {
// CHECK-NEXT: memref.dealloc
func.func @parallel(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8xi32, 1>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    air.dma_memcpy_nd (%b[%i] [%c1] [%c1], %m[%i] [%c1] [%c1]) : (memref<8xi32, 1>, memref<8xi32>)
  }
  memref.dealloc %b : memref<8xi32, 1>
  return
}

// CHECK-LABEL: func.func @branches
// CHECK: %[[ALLOC:.*]], %{{.*}} = air.execute
// CHECK: %[[BEFORE:.*]] = air.wait_all async [%[[ALLOC]]]
// CHECK: %[[IF:.*]] = affine.if #set()[%{{.*}}] -> !air.async.token {
// CHECK:   %[[DMA:.*]] = air.dma_memcpy_nd async [%[[BEFORE]]]
// CHECK:   %[[JOIN:.*]] = air.wait_all async [%[[DMA]]]
// CHECK:   affine.yield %[[JOIN]]
// CHECK: } else {
// CHECK:   %[[NONE:.*]] = air.wait_all async [%[[BEFORE]]]
// CHECK:   affine.yield %[[NONE]]
// CHECK: %[[BEFORE2:.*]] = air.wait_all async [%[[IF]]]
// CHECK: %[[SCF:.*]] = scf.if %{{.*}} -> (!air.async.token)
// CHECK:   air.channel.put async [%[[BEFORE2]]] @p[%{{.*}}]
// CHECK: %[[BEFORE3:.*]] = air.wait_all async [%[[SCF]]]
// CHECK: %[[SWITCH:.*]] = scf.index_switch %{{.*}} -> !air.async.token
// CHECK: case 0 {
// CHECK:   air.channel.get async [%[[BEFORE3]]] @q[%{{.*}}]
// CHECK: default {
// CHECK:   %[[SKIP:.*]] = air.wait_all async [%[[BEFORE3]]]
// CHECK:   scf.yield %[[SKIP]]
// CHECK: air.execute [%[[SWITCH]]] {
// CHECK-NEXT: memref.dealloc
func.func @branches(%m: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : memref<8xi32> {
    %b = memref.alloc() : memref<8xi32, 2>
    affine.if #set()[%x] {
      air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    }
    %first = arith.cmpi eq, %x, %y : index
    scf.if %first {
      air.channel.put @p[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
    }
    scf.index_switch %y
    case 0 {
      air.channel.get @q[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
      scf.yield
    }
    default {
    }
    memref.dealloc %b : memref<8xi32, 2>
  }
  return
}

// What cannot hand tokens on runs alone.
// CHECK-LABEL: func.func @fence
// CHECK: %[[GET:.*]] = air.channel.get async @c[]
// CHECK: air.wait_all [%[[GET]]]
// CHECK: scf.while
// CHECK:   %[[PUT:.*]] = air.channel.put async @c[]
// CHECK:   air.wait_all [%[[PUT]]]
// CHECK:   scf.yield
func.func @fence(%m: memref<8xi32>, %yes: i1) {
  air.channel.get @c[] (%m[] [] []) : (memref<8xi32>)
  scf.while : () -> () {
    scf.condition(%yes)
  } do {
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK: ^bb1:
// CHECK:   %[[PUT:.*]] = air.channel.put async @c[]
// CHECK:   air.wait_all [%[[PUT]]]
// CHECK:   cf.br
// CHECK: %[[GET:.*]] = air.channel.get async @c[]
// CHECK: %[[LOAD:.*]], %[[VALUE:.*]] = air.execute [%[[GET]]] -> (i32)
// CHECK: air.wait_all [%[[LOAD]]]
// CHECK: return %[[VALUE]] : i32
func.func @blocks(%m: memref<8xi32>, %yes: i1) -> i32 {
  %c0 = arith.constant 0 : index
  cf.cond_br %yes, ^a, ^b
^a:
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  cf.br ^b
^b:
  air.channel.get @c[] (%m[] [] []) : (memref<8xi32>)
  %v = memref.load %m[%c0] : memref<8xi32>
  return %v : i32
}
