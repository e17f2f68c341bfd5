// RUN: rm -rf %t && allo-opt %s --air-dependency-canonicalize="dump-graph=true output-dir=%t" > %t.mlir
// RUN: filecheck %s < %t/f.dot

air.channel @a []

// CHECK: digraph "f" {
// CHECK: n0 [label="memref.alloc", fillcolor=lightblue];
// CHECK: n1 [label="channel.put @a #1", fillcolor=orange];
// CHECK: subgraph cluster_2 {
// CHECK:   n2 [label="herd @h #1", fillcolor=lightgrey];
// CHECK:   n3 [label="channel.get @a #2", fillcolor=gold];
// CHECK: }
// CHECK: n0 -> n1;
// CHECK: n1 -> n2;
// CHECK: n1 -> n3 [style=dashed, constraint=false, label="@a"];
func.func @f(%n: memref<8xi32, 2>) {
  %c1 = arith.constant 1 : index
  %t, %m = air.execute -> (memref<8xi32, 1>) {
    %alloc = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %alloc : memref<8xi32, 1>
  }
  %0 = air.channel.put async [%t] @a[] (%m[] [] []) : (memref<8xi32, 1>)
  %1 = air.herd @h async [%0] tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%k=%n) : memref<8xi32, 2> {
    %2 = air.channel.get async @a[] (%k[] [] []) : (memref<8xi32, 2>)
  }
  return
}
