// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// Rows and columns that get zeros are two kernels, of which each can be cut along what it does not pad; whole rows of zeros
// are the end of a longer buffer.

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<127x200xbf16>) -> tensor<127x224xbf16>
// CHECK:         tensor.pad %arg0 low[0, 0] high[0, 24]
// Rows of broken words are cut after the last one where they are padded.
// CHECK-LABEL: func.func private @relayout_1(%arg0: tensor<128x201xbf16>) -> tensor<128x208xbf16>
// CHECK:         tensor.pad %arg0 low[0, 0] high[0, 7]
// CHECK-LABEL: func.func private @relayout_2(%arg0: tensor<128x208xbf16>) -> tensor<128x208xbf16>
// CHECK:         tensor.extract_slice %arg0[0, 0] [127, 208] [1, 1]
// CHECK:         tensor.pad %{{.*}} low[0, 0] high[1, 0]
// CHECK-LABEL: func.func @f
// CHECK:         call @relayout_0
// CHECK:         tensor.insert_slice {{.*}} [28448] [1] : tensor<28448xbf16> into tensor<28672xbf16>
func.func private @k(%a: tensor<128x200xbf16>) -> tensor<128x200xbf16> attributes {allo.kernel} {
  return %a : tensor<128x200xbf16>
}
func.func private @l(%a: tensor<128x224xbf16>) -> tensor<128x224xbf16> attributes {allo.kernel} {
  return %a : tensor<128x224xbf16>
}
func.func private @m(%a: tensor<128x201xbf16>) -> tensor<128x201xbf16> attributes {allo.kernel} {
  return %a : tensor<128x201xbf16>
}
func.func private @n(%a: tensor<128x208xbf16>) -> tensor<128x208xbf16> attributes {allo.kernel} {
  return %a : tensor<128x208xbf16>
}
func.func @f(%x: tensor<128x200xbf16>, %y: tensor<128x201xbf16>) -> (tensor<128x224xbf16>, tensor<128x208xbf16>) {
  %z = arith.constant 0.0 : bf16
  %a = call @k(%x) : (tensor<128x200xbf16>) -> tensor<128x200xbf16>
  %s = tensor.extract_slice %a[0, 0] [127, 200] [1, 1] : tensor<128x200xbf16> to tensor<127x200xbf16>
  %p = tensor.pad %s low[0, 0] high[1, 24] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : bf16
  } : tensor<127x200xbf16> to tensor<128x224xbf16>
  %b = call @l(%p) : (tensor<128x224xbf16>) -> tensor<128x224xbf16>
  %c = call @m(%y) : (tensor<128x201xbf16>) -> tensor<128x201xbf16>
  %t = tensor.extract_slice %c[0, 0] [127, 201] [1, 1] : tensor<128x201xbf16> to tensor<127x201xbf16>
  %q = tensor.pad %t low[0, 0] high[1, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : bf16
  } : tensor<127x201xbf16> to tensor<128x208xbf16>
  %d = call @n(%q) : (tensor<128x208xbf16>) -> tensor<128x208xbf16>
  return %b, %d : tensor<128x224xbf16>, tensor<128x208xbf16>
}
