// RUN: allo-opt %s --air-opt-shim-dma-bds="device=npu2" --canonicalize | filecheck %s

// A result that only the token of its inputs holds back: all iterations of each of the three are one transfer.

// CHECK-LABEL: @sum
// CHECK-NOT: scf.for
// CHECK-DAG: air.channel.put async {{.*}}@a[] ({{.*}} [8, 64] [128, 1])
// CHECK-DAG: air.channel.put async {{.*}}@b[] ({{.*}} [8, 64] [128, 1])
// CHECK: air.channel.get async {{.*}}@c[] ({{.*}} [8, 64] [128, 1])
module {
  air.channel @a []
  air.channel @b []
  air.channel @c []
  func.func @sum(%x: memref<1024xi32>, %y: memref<1024xi32>, %z: memref<1024xi32>) {
    %0 = air.launch async () in () args(%p=%x, %q=%y, %r=%z) : memref<1024xi32>, memref<1024xi32>, memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %c1024 = arith.constant 1024 : index
      %1 = air.wait_all async
      %2 = scf.for %i = %c0 to %c1024 step %c128 iter_args(%t = %1) -> (!air.async.token) {
        %3 = air.channel.put async [%t] @a[] (%p[%i] [%c64] [%c1]) : (memref<1024xi32>)
        %4 = air.channel.put async [%t] @b[] (%q[%i] [%c64] [%c1]) : (memref<1024xi32>)
        %5 = air.channel.get async [%3, %4] @c[] (%r[%i] [%c64] [%c1]) : (memref<1024xi32>)
        scf.yield %5 : !air.async.token
      }
    }
    return
  }
}
