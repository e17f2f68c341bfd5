// RUN: not allo-opt %s --air-dependency=depth=1 2>&1 | filecheck %s

// CHECK: pass 'air-dependency' has no option 'depth'
func.func @f() {
  return
}
