// Slices and paddings of odd bytes of arguments, too large for a core, are left to who brings the arguments.
// RUN: allo-opt %s --generalize-movement | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK:         tensor.pad %arg0 low[3, 1] high[4, 2]
// CHECK:         } {allo.brought} : tensor<501x333xbf16> to tensor<508x336xbf16>
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<501x333xbf16>) outs(%{{.*}} : tensor<497x327xbf16>) attrs = {{ *}}{allo.brought}
func.func @main(%x: tensor<501x333xbf16>) -> (tensor<508x336xbf16>, tensor<497x327xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[3, 1] high[4, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<501x333xbf16> to tensor<508x336xbf16>
  %s = tensor.extract_slice %x[4, 5] [497, 327] [1, 1] : tensor<501x333xbf16> to tensor<497x327xbf16>
  return %p, %s : tensor<508x336xbf16>, tensor<497x327xbf16>
}

// What fits into a core stays.
// CHECK-LABEL: func.func @small
// CHECK:         tensor.pad
// CHECK-NOT:     allo.brought
func.func @small(%x: tensor<5x33xbf16>) -> tensor<8x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<5x33xbf16> to tensor<8x33xbf16>
  return %p : tensor<8x33xbf16>
}

// -----

// A dimension that is only shorter is cut, by the caller, too, before the others are copied from where they begin.

// CHECK-LABEL: func.func @shorter(
// CHECK:         %[[CUT:.*]] = tensor.extract_slice %arg0[0, 0] [150, 1935] [1, 1] {allo.brought}
// CHECK:         linalg.generic
// CHECK-SAME:        ins(%[[CUT]] : tensor<150x1935xi16>)
func.func @shorter(%x: tensor<310x1935xi16>) -> tensor<150x645xi16> {
  %r = tensor.extract_slice %x[0, 2] [150, 645] [1, 3] : tensor<310x1935xi16> to tensor<150x645xi16>
  return %r : tensor<150x645xi16>
}
