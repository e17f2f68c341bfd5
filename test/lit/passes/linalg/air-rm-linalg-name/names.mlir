// RUN: allo-opt %s --air-rm-linalg-name | filecheck %s

// Only linalg operations lose the attribute, and only that one.
// CHECK: linalg.copy {kept}
// CHECK: memref.alloc() {__internal_linalg_transform__ = "other"}
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.copy {__internal_linalg_transform__ = "linalg.copy0", kept} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  %0 = memref.alloc() {__internal_linalg_transform__ = "other"} : memref<4xf32>
  return
}
