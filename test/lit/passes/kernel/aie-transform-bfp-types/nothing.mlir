// RUN: allo-opt %s --aie-transform-bfp-types | filecheck %s

// Vectors of bytes that are not blocks stay, whatever their size.
// CHECK: func.func private @f(vector<1x8xui8>, memref<4xvector<9xui8>>, vector<11x9xui8>)
aie.device(npu2) {
  func.func private @f(vector<1x8xui8>, memref<4xvector<9xui8>>, vector<11x9xui8>)
}
