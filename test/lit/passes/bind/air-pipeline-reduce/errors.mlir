// RUN: allo-opt %s --verify-diagnostics --air-pipeline-reduce="tile-size=0,0,32"
// RUN: not allo-opt %s --air-pipeline-reduce="pipeline-direction=diagonal" 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-pipeline-reduce 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not allo-opt %s --air-pipeline-reduce="tile-size=0,16,32" 2>&1 | filecheck %s --check-prefix=SIZES
// RUN: not allo-opt %s --air-pipeline-reduce="tile-size=0,0,0" 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not allo-opt %s --air-pipeline-reduce="tile-size=0,0,96 pipeline-depth=1" 2>&1 | filecheck %s --check-prefix=ONE
// RUN: not allo-opt %s --air-pipeline-reduce="tile-size=0,0,96 pipeline-depth=-1" 2>&1 | filecheck %s --check-prefix=LESS
// RUN: not allo-opt %s --air-pipeline-reduce="tile-size=0,32" 2>&1 | filecheck %s --check-prefix=LOOPS

// NONE: tile-size
// SIZES: option 'tile-size' is 0,16,32, expected a number for each loop: 0 for all but the last
// ZERO: option 'tile-size' is 0,0,0, expected a number for each loop
// ONE: option 'pipeline-depth' is 1, expected at least 2 cores
// LESS: option 'pipeline-depth' is -1, expected at least 2 cores
// LOOPS: cannot be pipelined: its tile sizes are [0, 32], expected a number for each of its 3 loops
// CHECK: option 'pipeline-direction' is 'diagonal'
func.func @f(%a: memref<20x96xf32>, %b: memref<96x12xf32>, %c: memref<20x12xf32>) {
  // expected-error@below {{cannot be pipelined: 4 cores times 32 iterations are not the 96 of its last loop}}
  linalg.matmul ins(%a, %b : memref<20x96xf32>, memref<96x12xf32>) outs(%c : memref<20x12xf32>)
  return
}
