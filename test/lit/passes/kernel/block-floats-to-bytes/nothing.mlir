// RUN: allo-opt %s --block-floats-to-bytes | filecheck %s

// Bytes that are not blocks stay as they are.
// CHECK: func.func @f(%{{.*}}: memref<4x9xui8>)
func.func @f(%a: memref<4x9xui8>) {
  return
}
