// RUN: not allo-opt %s --air-fuse-channels=aggressive-mode=L1,L2 2>&1 | filecheck %s

// CHECK: pass 'air-fuse-channels': option 'aggressive-mode' is not implemented: label the channels to fuse
func.func @f() {
  return
}
