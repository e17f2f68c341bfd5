// RUN: not allo-opt %s --affine-loop-opt="affine-opt-copy-depths=1,2" 2>&1 | filecheck %s

// CHECK: error: affine-loop-opt: affine-opt-copy-depths=1,2: copies to faster memory are not made
func.func @f() {
  return
}
