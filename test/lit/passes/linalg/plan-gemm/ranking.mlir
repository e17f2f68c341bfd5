// RUN: allo-opt --plan-gemm=ranking=2 %s | filecheck %s
// RUN: allo-opt --plan-gemm=plans=%t.none %s | filecheck %s --check-prefix=NONE
// RUN: allo-opt --plan-gemm="ranking=2 herd-m=16 herd-n=16 k-step=32 cores-m=2 cores-n=2 panel=none" %s | filecheck %s --check-prefix=ONE

// The best plans stand in the plan's attribute, its own first, each as the planner reads it; a folder without a plan changes nothing.
// CHECK: chosen = "herd
// CHECK-SAME: key = "
// CHECK-SAME: ranking = [
// CHECK-SAME: columns
// CHECK-SAME: cycles
// CHECK-SAME: core
// CHECK-SAME: shown
// CHECK-SAME: shown
// CHECK-SAME: taken = "
// NONE: chosen = "herd
// NONE-NOT: ranking =
// ONE: ranking = ["{{[^"]*}}"], taken
func.func @f(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}
