// RUN: allo-opt %s --air-enforce-channel-fifo-order | filecheck %s
// RUN: allo-opt %s --air-enforce-channel-fifo-order --air-enforce-channel-fifo-order | filecheck %s

air.channel @c [2]
air.channel @d [1]

// Puts of one channel wait for the one before, gets too; other channels, other indices and other blocks do not meet.

// CHECK-LABEL: func.func @f
// CHECK:         %[[P:.*]] = air.channel.put async @c[%c0]
// CHECK:         air.channel.put async @c[%c1]
// CHECK:         %[[Q:.*]] = air.channel.put async [%[[P]]] @c[%c0{{.*}}]
// CHECK:         %[[R:.*]] = air.channel.put async [%[[Q]]] @c[%c0]
// CHECK:         %[[G:.*]] = air.channel.get async @d[%c0]
// CHECK:         %[[H:.*]] = air.channel.get async [%[[G]]] @d[%c0]
// CHECK:         scf.for
// CHECK:           air.channel.get async [%{{[^,]*}}] @d[%c0]
// CHECK:         air.channel.put @c[%c0]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %p = air.channel.put async @c[%c0] (%a[] [] []) : (memref<8xi32>)
  %o = air.channel.put async @c[%c1] (%a[] [] []) : (memref<8xi32>)
  %q = air.channel.put async @c[%z] (%b[] [] []) : (memref<8xi32>)
  %r = air.channel.put async [%q] @c[%c0] (%a[] [] []) : (memref<8xi32>)
  %g = air.channel.get async @d[%c0] (%a[] [] []) : (memref<8xi32>)
  %h = air.channel.get async @d[%c0] (%b[] [] []) : (memref<8xi32>)
  %l = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %g) -> (!air.async.token) {
    %k = air.channel.get async [%t] @d[%c0] (%b[] [] []) : (memref<8xi32>)
    scf.yield %k : !air.async.token
  }
  air.channel.put @c[%c0] (%b[] [] []) : (memref<8xi32>)
  return
}
