// RUN: not allo-opt %s --insert-herd-around-linalg 2>&1 | filecheck %s

// CHECK: dynamic.mlir:7:5: error: 'linalg.fill' op works on L2 or L3 outside of herds, and its operands have dynamic sizes; move it
func.func @f(%m: memref<?xf32>) {
  %c5 = arith.constant 5.0 : f32
  air.launch () in () args(%x=%m, %y=%c5) : memref<?xf32>, f32 {
    linalg.fill ins(%y : f32) outs(%x : memref<?xf32>)
  }
  return
}
