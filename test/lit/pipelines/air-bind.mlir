// RUN: allo-opt --syntax=2026-03 --pipeline=air-bind --print-pipeline | filecheck %s --check-prefix=TEXT
// RUN: allo-opt --syntax=2026-03 %s --pipeline=air-bind | filecheck %s

// TEXT: builtin.module(air-par-to-herd{depth=1},air-par-to-launch{has-air-segment=true},air-copy-to-dma,canonicalize{cse=true})

// CHECK-LABEL: func.func @add_one
// CHECK-SAME:  (%[[A:.*]]: memref<4096xbf16>)
// CHECK:       air.launch (%{{.*}}) in (%{{.*}}=%c4) args(%[[B:.*]]=%[[A]]) : memref<4096xbf16> {
// CHECK:         air.segment @add_one_0 args(%[[I:.*]]=%{{.*}}, %[[C:.*]]=%[[B]]) : index, memref<4096xbf16> {
// CHECK:           air.herd @herd_0 tile{{ *}}(%[[X:.*]], %{{.*}}) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c1{{.*}}) args(%[[J:.*]]=%[[I]], %[[D:.*]]=%[[C]]) : index, memref<4096xbf16> {
// CHECK:             %[[O:.*]] = affine.apply #{{.*}}(){{\[}}%[[J]], %[[X]]]
// CHECK:             air.dma_memcpy_nd (%[[L:.*]][] [] [], %[[D]][%[[O]]] [%c512] [%c1{{.*}}]) {id = 1 : i32} : (memref<512xbf16, 2>, memref<4096xbf16>)
// CHECK:             linalg.add
// CHECK:             air.dma_memcpy_nd (%[[D]][%[[O]]] [%c512] [%c1{{.*}}], %[[L]][] [] []) {id = 2 : i32} : (memref<4096xbf16>, memref<512xbf16, 2>)
func.func @add_one(%a: memref<4096xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      %o = affine.apply affine_map<()[s0, s1] -> (s0 * 1024 + s1 * 512)>()[%i, %x]
      %v = memref.subview %a[%o] [512] [1] : memref<4096xbf16> to memref<512xbf16, strided<[1], offset: ?>>
      %l = memref.alloc() : memref<512xbf16, 2>
      memref.copy %v, %l : memref<512xbf16, strided<[1], offset: ?>> to memref<512xbf16, 2>
      linalg.add ins(%l, %l : memref<512xbf16, 2>, memref<512xbf16, 2>) outs(%l : memref<512xbf16, 2>)
      memref.copy %l, %v : memref<512xbf16, 2> to memref<512xbf16, strided<[1], offset: ?>>
      memref.dealloc %l : memref<512xbf16, 2>
    }
  }
  return
}
