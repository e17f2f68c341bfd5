// RUN: not allo-opt %s --air-override-memref-memory-space="scope=func memory-space=1" 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-override-memref-memory-space=scope=core 2>&1 | filecheck %s --check-prefix=SCOPE

// SCOPE: option 'scope' is 'core', expected one of herd, segment, launch, func
func.func private @k(memref<8xf32>)
func.func @f() {
  %a = memref.alloc() : memref<8xf32>
  // CHECK: errors.mlir:9:{{.*}}takes memref<8xf32, 1 : i32>, a buffer whose memory space is to change, and its own type cannot change with it
  call @k(%a) : (memref<8xf32>) -> ()
  return
}
