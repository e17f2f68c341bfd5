// RUN: allo-opt --vectorize-generics %s | filecheck %s
// RUN: allo-opt --vectorize-generics --verify-each=execute %s

// A buffer without dimensions that is a part of another keeps its layout.

#row = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @part(
// CHECK:         %[[ONE:.*]] = memref.expand_shape %{{.*}} [] output_shape [1] : memref<bf16, strided<[]>, 2> into memref<1xbf16, strided<[1]>, 2>
// CHECK:         memref.load %[[ONE]]
// CHECK:         vector.broadcast
func.func @part(%a: memref<32xbf16, 2>, %b: memref<8xbf16, 2>, %c: memref<32xbf16, 2>) {
  %s = memref.subview %b[0] [1] [1] : memref<8xbf16, 2> to memref<bf16, strided<[]>, 2>
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel"]}
      ins(%a, %s : memref<32xbf16, 2>, memref<bf16, strided<[]>, 2>) outs(%c : memref<32xbf16, 2>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %z = arith.maximumf %x, %y : bf16
    linalg.yield %z : bf16
  }
  return
}
