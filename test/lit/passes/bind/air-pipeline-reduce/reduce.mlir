// RUN: allo-opt %s --air-pipeline-reduce="tile-size=0,0,32 pipeline-depth=3" | filecheck %s
// RUN: allo-opt %s --air-pipeline-reduce="tile-size=0,0,32 pipeline-depth=3 pipeline-direction=vert promote=true" | filecheck %s --check-prefix=VERT

// Three cores do 32 of 96 products each; the first begins with what the output held, the last writes it.
// CHECK: air.channel @channel
// CHECK: air.herd @{{.*}} tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c3, %{{.*}}=%c1)
// CHECK: affine.if #{{.*}}()[%[[X]], %{{.*}}]
// CHECK: linalg.matmul
// CHECK: air.channel.put
// CHECK: affine.if
// CHECK: air.channel.get
// CHECK: linalg.matmul
// CHECK: air.channel.put
// CHECK: affine.if
// CHECK: air.channel.get
// CHECK: linalg.matmul
// CHECK: memref.copy
// VERT: air.herd @{{.*}} tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c1, %{{.*}}=%c3)
// VERT: memref.alloc() : memref<20x32xf32, 2 : i32>
func.func @f(%a: memref<20x96xf32>, %b: memref<96x12xf32>, %c: memref<20x12xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%c : memref<20x12xf32>)
  linalg.matmul ins(%a, %b : memref<20x96xf32>, memref<96x12xf32>) outs(%c : memref<20x12xf32>)
  return
}
