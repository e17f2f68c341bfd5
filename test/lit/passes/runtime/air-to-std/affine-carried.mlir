// RUN: allo-opt %s --air-to-std=fewest-waits=true | filecheck %s

// A loop that carries tokens becomes one that carries events.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!airrt.event) {
// CHECK: airrt.dma_memcpy_nd
// CHECK: scf.yield
air.channel @c []
func.func @carried(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = air.wait_all async
  %r = affine.for %i = 0 to 64 step 8 iter_args(%u = %t) -> (!air.async.token) {
    %p = air.channel.put async [%u] @c[] (%a[%i] [%c8] [%c1]) {id = 1 : i32, metadata = @air_c} : (memref<64xi32>)
    affine.yield %p : !air.async.token
  }
  air.wait_all [%r]
  return
}
