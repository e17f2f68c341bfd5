// RUN: allo-opt %s --air-fuse-channels=same-source=true | filecheck %s

// Only those that send out of one buffer become one.

// CHECK:      air.channel @first []
// CHECK-NOT:  @second
// CHECK:      air.channel @in [] {allo.fuse_group = 1 : i64}
// CHECK-NEXT: air.channel @bias [] {allo.fuse_group = 1 : i64}
air.channel @first [] {allo.fuse_group = 0 : i64}
air.channel @second [] {allo.fuse_group = 0 : i64}
air.channel @in [] {allo.fuse_group = 1 : i64}
air.channel @bias [] {allo.fuse_group = 1 : i64}
func.func @passes(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  // CHECK:      %[[ONE:.*]] = air.channel.put async @first[] (%arg0
  // CHECK-NEXT: air.channel.put async [%[[ONE]]] @first[] (%arg0
  %0 = air.channel.put async @first[] (%a[] [] []) : (memref<8xi32, 1>)
  %1 = air.channel.put async @second[] (%a[] [] []) : (memref<8xi32, 1>)
  %2 = air.channel.put async @in[] (%a[] [] []) : (memref<8xi32, 1>)
  %3 = air.channel.put async @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  return
}
