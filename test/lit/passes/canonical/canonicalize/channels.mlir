// RUN: allo-opt %s --canonicalize | filecheck %s

// Channels that nothing names from inside their module go.

// CHECK: air.channel @put_only
// CHECK-NEXT: air.channel @from_inner
// CHECK-NEXT: module @inner
// CHECK-NEXT: air.channel @get_only
// CHECK-NOT: air.channel @
air.channel @put_only [1, 1]
air.channel @from_inner [1, 1]
air.channel @unused [2, 2]
air.channel @get_only [1, 1]
module @inner {
  air.channel @get_only [1, 1]
  air.channel @put_only [1, 1]
  func.func @f(%m: memref<8xi32>) {
    air.channel.get @get_only[] (%m[] [] []) : (memref<8xi32>)
    air.channel.put @from_inner[] (%m[] [] []) : (memref<8xi32>)
    return
  }
}
func.func @g(%m: memref<8xi32>) {
  air.channel.put @put_only[] (%m[] [] []) : (memref<8xi32>)
  return
}
