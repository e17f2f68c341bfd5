// RUN: allo-opt %s --air-dependency-parse-graph=output-dir=%t | filecheck %s
// RUN: cat %t/f.dot | filecheck %s --check-prefix=DOT
// RUN: allo-opt %s '--air-dependency-parse-graph=output-dir=%t.cores show-cores=true' -o %t.mlir
// RUN: cat %t.cores/f.dot | filecheck %s --check-prefix=CORES
// RUN: not allo-opt %s --air-dependency-parse-graph=output-dir=%t.mlir 2>&1 | filecheck %s --check-prefix=ERROR

// Numbers go, and so they are not in later graphs; those of other operations stay.
// CHECK: air.wait_all async{{$}}
// CHECK: memref.alloc() {id = 7 : i32}
// CHECK-NOT: id =
// CHECK: @out

// DOT: digraph "f" {
// DOT: n[[A:[0-9]+]] [label="wait_all #1"
// DOT: subgraph cluster_[[H:[0-9]+]] {
// DOT-NOT: label="core
// DOT: [label="channel.get @in #3"
// DOT-NOT: @in #3
// DOT: n[[A]] -> n[[H]];

// Each core's tasks, and the arrows between them.
// CORES: label="core (0, 0)"
// CORES-NEXT: n[[G:[0-9]+]] [label="channel.get @in #3"
// CORES-NEXT: n[[P:[0-9]+]] [label="channel.put @out #4"
// CORES: label="core (1, 0)"
// CORES-NEXT: n[[G1:[0-9]+]] [label="channel.get @in #3"
// CORES-NEXT: n[[P1:[0-9]+]] [label="channel.put @out #4"
// CORES-DAG: n[[G]] -> n[[P]];
// CORES-DAG: n[[G1]] -> n[[P1]];

// ERROR: error: 'func.func' op cannot write its task graph to
air.channel @in [2, 1]
air.channel @out [2, 1]
func.func private @declared()
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = air.wait_all async {id = 1 : i32}
  memref.alloc() {id = 7 : i32} : memref<1xi32>
  %1 = air.herd @h async [%0] tile (%x, %y) in (%sx=%c2, %sy=%c1) attributes {id = 2 : i32} {
    %m = memref.alloc() : memref<8xi32, 2>
    %2 = air.channel.get async @in[%x, %y] (%m[] [] []) {id = 3 : i32} : (memref<8xi32, 2>)
    %3 = air.channel.put async [%2] @out[%x, %y] (%m[] [] []) {id = 4 : i32} : (memref<8xi32, 2>)
  }
  return
}
