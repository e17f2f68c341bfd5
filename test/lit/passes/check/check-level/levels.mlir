// RUN: allo-opt %s --split-input-file --check-level=level=channel | filecheck %s
// RUN: allo-opt %s --split-input-file '--check-level=level=air' | filecheck %s

// What is legal passes unchanged, at a level above too.
// CHECK-LABEL: func.func @legal
// CHECK: air.channel.put @c
func.func @legal(%m: memref<8xi32>) {
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  return
}
air.channel @c []

// -----

// An empty module is legal at every level.
// CHECK: module
module {
}
