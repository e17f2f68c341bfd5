// RUN: not allo-opt %s --air-dependency-canonicalize="dump-graph=true output-dir=/dev/null/x" 2>&1 | filecheck %s

// CHECK: errors.mlir:4:1: error: 'func.func' op {{.*}}cannot write its task graph to '/dev/null/x/f.dot': {{.*}}; give a writable folder as output-dir
func.func @f() {
  return
}
