// RUN: allo-opt %s --air-unroll-channel-by-factor='channel-name=c unroll-dim=1 unroll-factor=2' --canonicalize | filecheck %s

// CHECK:       air.channel @c [1, 4]
// CHECK:       air.channel @d [2]
// CHECK-LABEL: func.func @f
// CHECK:       %[[A:.*]] = air.channel.put async @c[%c0{{.*}}, %c2{{.*}}]
// CHECK:       %[[B:.*]] = air.channel.put async @c[%c0{{.*}}, %c3{{.*}}]
// CHECK:       air.channel.get async [%[[A]], %[[B]]] @d[%c1{{.*}}]
air.channel @c [1, 2]
air.channel @d [2]
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = air.channel.put async @c[%c0, %c1] (%a[] [] []) : (memref<8xi32>)
  %1 = air.channel.get async [%0] @d[%c1] (%a[] [] []) : (memref<8xi32>)
  air.wait_all [%1]
  return
}
