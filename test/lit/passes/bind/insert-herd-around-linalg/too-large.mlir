// RUN: not allo-opt %s --insert-herd-around-linalg 2>&1 | filecheck %s

// CHECK: too-large.mlir:8:5: error: 'linalg.dot' op works on L2 or L3 outside of herds, and its operands do not fit
func.func @f() {
  %m = memref.alloc() : memref<40000xf32, 1>
  %n = memref.alloc() : memref<f32, 1>
  air.launch () in () args(%x=%m, %y=%n) : memref<40000xf32, 1>, memref<f32, 1> {
    linalg.dot ins(%x, %x : memref<40000xf32, 1>, memref<40000xf32, 1>) outs(%y : memref<f32, 1>)
  }
  return
}
