// RUN: allo-opt %s --split-input-file --plan-tiles=device=npu2 | filecheck %s

// Channels are started one after another: few elements go over those of one column.
// CHECK-LABEL: @few
// CHECK-SAME: allo.columns = {chosen = "1 of 8: {{.*}} as fewer channels are started one after another", count = 1 : i64, of = 8 : i64}
// CHECK-SAME: bound by the control processor
func.func private @few(%a: tensor<2048xbf16>) -> tensor<2048xbf16> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2048xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<2048xbf16>) outs(%e : tensor<2048xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %m = arith.maximumf %x, %zero : bf16
    linalg.yield %m : bf16
  } -> tensor<2048xbf16>
  return %r : tensor<2048xbf16>
}
func.func @main(%a: tensor<2048xbf16>) -> tensor<2048xbf16> {
  %r = call @few(%a) : (tensor<2048xbf16>) -> tensor<2048xbf16>
  return %r : tensor<2048xbf16>
}

// -----

// Many take all columns.
// CHECK-LABEL: @many
// CHECK-NOT: allo.columns
// CHECK-SAME: bound by external memory
func.func private @many(%a: tensor<2097152xbf16>) -> tensor<2097152xbf16> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2097152xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<2097152xbf16>) outs(%e : tensor<2097152xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %m = arith.maximumf %x, %zero : bf16
    linalg.yield %m : bf16
  } -> tensor<2097152xbf16>
  return %r : tensor<2097152xbf16>
}
func.func @main(%a: tensor<2097152xbf16>) -> tensor<2097152xbf16> {
  %r = call @many(%a) : (tensor<2097152xbf16>) -> tensor<2097152xbf16>
  return %r : tensor<2097152xbf16>
}
