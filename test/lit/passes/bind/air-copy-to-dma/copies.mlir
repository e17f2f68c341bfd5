// RUN: allo-opt %s --air-copy-to-dma | filecheck %s
// RUN: allo-opt %s --air-copy-to-dma --air-copy-to-dma | filecheck %s

// Copies between spaces become DMAs, ids counting on after those that are there; `1` and `1 : i32` are one space.

// CHECK-LABEL: func.func @spaces
// CHECK-SAME:  (%[[L3:.*]]: memref<8xi8>, %[[L2:.*]]: memref<8xi8, 1>, %[[O2:.*]]: memref<8xi8, 1 : i32>, %[[L1:.*]]: memref<8xi8, 2>, %[[O3:.*]]: memref<8xi8>)
// CHECK:       air.dma_memcpy_nd (%[[L2]][] [] [], %[[L3]][] [] []) {id = 5 : i32} : (memref<8xi8, 1>, memref<8xi8>)
// CHECK:       air.dma_memcpy_nd (%[[L2]][] [] [], %[[L3]][] [] []) : (memref<8xi8, 1>, memref<8xi8>)
// CHECK:       memref.copy %[[L3]], %[[O3]]
// CHECK:       memref.copy %[[L2]], %[[O2]]
// CHECK:       air.dma_memcpy_nd (%[[L1]][] [] [], %[[O2]][] [] []) {id = 6 : i32} : (memref<8xi8, 2>, memref<8xi8, 1 : i32>)
// CHECK:       air.dma_memcpy_nd (%[[O3]][] [] [], %[[L1]][] [] []) {id = 7 : i32} : (memref<8xi8>, memref<8xi8, 2>)
// CHECK:       memref.copy %[[L2]], %[[O2]]
// CHECK-NEXT:  return
func.func @spaces(%l3: memref<8xi8>, %l2: memref<8xi8, 1>, %o2: memref<8xi8, 1 : i32>, %l1: memref<8xi8, 2>, %o3: memref<8xi8, 0 : i32>) {
  air.dma_memcpy_nd (%l2[] [] [], %l3[] [] []) {id = 5 : i32} : (memref<8xi8, 1>, memref<8xi8>)
  air.dma_memcpy_nd (%l2[] [] [], %l3[] [] []) : (memref<8xi8, 1>, memref<8xi8>)
  memref.copy %l3, %o3 : memref<8xi8> to memref<8xi8, 0 : i32>
  memref.copy %l2, %o2 : memref<8xi8, 1> to memref<8xi8, 1 : i32>
  memref.copy %o2, %l1 : memref<8xi8, 1 : i32> to memref<8xi8, 2>
  linalg.copy ins(%l1 : memref<8xi8, 2>) outs(%o3 : memref<8xi8, 0 : i32>)
  linalg.copy ins(%l2 : memref<8xi8, 1>) outs(%o2 : memref<8xi8, 1 : i32>)
  memref.copy %l1, %l1 : memref<8xi8, 2> to memref<8xi8, 2>
  return
}

// Ids go on in the next function; tensors, unranked self copies and conversions inside one space are not DMAs.

// CHECK-LABEL: func.func @others
// CHECK:       air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] []) {id = 8 : i32} : (memref<bf16, 1>, memref<bf16>)
// CHECK:       linalg.copy ins(%{{.*}} : tensor<8xf32>)
// CHECK-NOT:   memref.copy
// CHECK:       linalg.copy ins(%{{.*}} : memref<8xbf16>)
func.func @others(%a: memref<bf16>, %b: memref<bf16, 1>, %t: tensor<8xf32>, %u: memref<*xf32>, %c: memref<8xbf16>, %d: memref<8xf32>) -> tensor<8xf32> {
  memref.copy %a, %b : memref<bf16> to memref<bf16, 1>
  %r = linalg.copy ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  memref.copy %u, %u : memref<*xf32> to memref<*xf32>
  linalg.copy ins(%c : memref<8xbf16>) outs(%d : memref<8xf32>)
  return %r : tensor<8xf32>
}
