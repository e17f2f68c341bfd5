// RUN: allo-opt %s --air-to-std | filecheck %s
// RUN: allo-opt %s --air-to-std=fewest-waits=true | filecheck %s --check-prefix=FEW

// Each token is an event, waits stay, L2 is allocated on the device, channels stay declared, and nothing is folded.

// CHECK: air.channel @c
// CHECK-LABEL: func.func @f
// CHECK: %[[T:.*]] = airrt.wait_all : !airrt.event
// CHECK: %[[L:.*]] = airrt.wait_all %[[T]] : !airrt.event
// CHECK-NEXT: affine.for %{{.*}} = 0 to 1
// CHECK: airrt.segment_load "s"
// CHECK-NEXT: %[[W:.*]] = airrt.wait_all : !airrt.event
// CHECK: %[[X:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-COUNT-12: arith.index_cast %c{{.*}} : index to i64
// CHECK-NEXT: %[[D:.*]] = airrt.dma_memcpy_nd({{.*}}) {chan_name = @c}
// CHECK-NEXT: %[[P:.*]] = airrt.wait_all %[[D]], %[[W]] : !airrt.event
// CHECK: %[[S:.*]] = airrt.wait_all %[[P]] : !airrt.event
// CHECK-NEXT: affine.for %{{.*}} = 0 to 1
// CHECK: %[[B:.*]] = airrt.alloc : memref<64xi32, 1>
// CHECK-NEXT: %[[E:.*]] = airrt.wait_all : !airrt.event
// CHECK-NEXT: %[[G:.*]] = airrt.wait_all %[[E]] : !airrt.event
// CHECK-NEXT: airrt.herd_load "h" () {segment_name = "s"}
// CHECK-NEXT: %[[H:.*]] = airrt.wait_all %[[G]] : !airrt.event
// CHECK-NEXT: airrt.dealloc %[[B]]
// CHECK-NEXT: airrt.wait_all : !airrt.event
// CHECK-NEXT: airrt.wait_all %[[H]] {air.segment_end}
// CHECK: airrt.wait_all %[[P]] {air.launch_end}
// CHECK: } {affine_opt_label = "tiling"}
// CHECK-NEXT: airrt.wait_all %[[L]]

// FEW-NOT: air.channel
// FEW-NOT: airrt.alloc
// FEW: airrt.dma_memcpy_nd
// FEW: airrt.wait_all %{{.*}} {air.launch = 0 : i32, air.launch_end}
air.channel @c []
func.func @f(%m: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.wait_all async
  %l = air.launch async [%t] (%i) in (%n=%c1) args(%a=%m) : memref<64xi32> {
    %w = air.wait_all async
    %p = air.channel.put async [%w] @c[] (%a[] [] []) {id = 1 : i32} : (memref<64xi32>)
    %s = air.segment @s async [%p] {
      %d1 = arith.constant 1 : index
      %e, %b = air.execute -> (memref<64xi32, 1>) {
        %x = memref.alloc() : memref<64xi32, 1>
        air.execute_terminator %x : memref<64xi32, 1>
      }
      %g = air.channel.get async [%e] @c[] (%b[] [] []) {id = 2 : i32} : (memref<64xi32, 1>)
      %h = air.herd @h async [%g] tile (%x, %y) in (%sx=%d1, %sy=%d1) {
      }
      %r = air.execute [%h] {
        memref.dealloc %b : memref<64xi32, 1>
      }
      air.wait_all [%h] {air.segment_end}
    }
    air.wait_all [%p] {air.launch_end}
  }
  air.wait_all [%l]
  return
}

// Outside of launches what works on buffers of the device stays.

// CHECK-LABEL: func.func @host
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
// CHECK: airrt.wait_all : !airrt.event
func.func @host(%a: memref<64xi32, 2>, %b: memref<64xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = air.execute {
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %a[%i] : memref<64xi32, 2>
      memref.store %v, %b[%i] : memref<64xi32, 2>
    }
  }
  return
}



// Tokens that a function takes, yields and returns become events.
// CHECK-LABEL: func.func @handed
// CHECK-SAME:  (%[[E:.*]]: !airrt.event, %[[B:.*]]: i1) -> !airrt.event
// CHECK:       airrt.wait_all %[[E]] : !airrt.event
// CHECK:       %[[R:.*]] = airrt.wait_all{{.*}} : !airrt.event
// CHECK:       return %[[R]] : !airrt.event
func.func @handed(%e: !air.async.token, %b: i1) -> !air.async.token {
  %0 = air.wait_all async [%e]
  %1 = scf.if %b -> (!air.async.token) {
    scf.yield %0 : !air.async.token
  } else {
    scf.yield %e : !air.async.token
  }
  return %1 : !air.async.token
}
