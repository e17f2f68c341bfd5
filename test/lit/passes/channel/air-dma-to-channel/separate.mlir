// Copies of a function's arguments have a nest each: arguments do not overlap. Each nest starts and each turn ends with a join.
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel=share-nests=true | filecheck %s --check-prefix=SHARED

#map = affine_map<()[s0] -> (s0 * 32)>
// CHECK-LABEL: func.func @through
func.func @through(%arg0: memref<64x64xi32>, %arg1: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  // CHECK: %[[START:.*]] = air.wait_all async
  // CHECK: %[[ALL:.*]] = scf.parallel ({{.*}}) init (%[[START]])
  // CHECK: %[[FIRST:.*]] = air.wait_all async [%[[START]]]
  // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[FIRST]])
  // CHECK-NEXT: %[[PUT:.*]] = air.channel.put async [%[[BEFORE]]] @channel_0
  // CHECK-NEXT: %[[TURN:.*]] = air.wait_all async [%[[PUT]]]
  // CHECK-NEXT: scf.yield %[[TURN]]
  // CHECK: %[[CORE:.*]] = air.wait_all async [%[[LOOP]]]
  // CHECK-NEXT: scf.reduce(%[[CORE]]
  // CHECK: %[[OTHERS:.*]] = scf.parallel
  // CHECK: air.channel.get async [{{.*}}] @channel_1
  // CHECK: air.herd
  // CHECK: air.wait_all [%[[ALL]], %[[OTHERS]]]
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%arg0, %b=%arg1) : memref<64x64xi32>, memref<64x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %ox = affine.apply #map()[%x]
    scf.for %k = %c0 to %c64 step %c32 {
      %l1 = memref.alloc() : memref<32x32xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %a[%ox, %k] [%c32, %c32] [%c64, %c1]) : (memref<32x32xi32, 2>, memref<64x64xi32>)
      air.dma_memcpy_nd (%b[%ox, %k] [%c32, %c32] [%c64, %c1], %l1[] [] []) : (memref<64x64xi32>, memref<32x32xi32, 2>)
      memref.dealloc %l1 : memref<32x32xi32, 2>
    }
  }
  return
}

// SHARED: scf.for
// SHARED-NEXT: air.channel.put async {{.*}} @channel_0
// SHARED-NEXT: air.channel.get async {{.*}} @channel_1
// SHARED-NOT: air.channel.get {{.*}}@channel_1
// SHARED: air.herd
