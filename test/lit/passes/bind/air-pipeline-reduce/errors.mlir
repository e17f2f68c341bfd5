// RUN: allo-opt %s --verify-diagnostics --air-pipeline-reduce="tile-size=0,0,32"
// RUN: not allo-opt %s --air-pipeline-reduce="pipeline-direction=diagonal" 2>&1 | filecheck %s

// CHECK: option 'pipeline-direction' is 'diagonal'
func.func @f(%a: memref<20x96xf32>, %b: memref<96x12xf32>, %c: memref<20x12xf32>) {
  // expected-error@below {{cannot be pipelined: 4 cores times 32 are not the 96 that it reduces}}
  linalg.matmul ins(%a, %b : memref<20x96xf32>, memref<96x12xf32>) outs(%c : memref<20x12xf32>)
  return
}
